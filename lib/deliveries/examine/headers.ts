import { STANDARD_SCHEME } from "#lib/signature.ts";

export interface Header {
  /** As it was written. */
  name: string;
  value: string;
}

export type HeaderFault = "header_renamed" | "header_missing" | "header_spaces";

export interface HeaderFinding {
  name: HeaderFault;
  values: Record<string, string>;
}

const { id, timestamp, signature } = STANDARD_SCHEME.headers;
const NEEDED = [id, timestamp, signature];
const OTHERS = ["content-length", "content-type", "date"];

/** Reads the headers of a signature under their standard names, including ones that a proxy renamed. */
export function readHeaders(given: readonly Header[]): {
  headers: Record<string, string>;
  findings: HeaderFinding[];
} {
  const headers: Record<string, string> = {};
  const findings: HeaderFinding[] = [];
  for (const name of OTHERS) {
    const found = given.find((header) => wordsOf(header.name) === wordsOf(name));
    if (found) headers[name] = found.value.trim();
  }
  for (const name of NEEDED) {
    const exact = given.find((header) => header.name.toLowerCase() === name);
    const found = exact ?? given.find((header) => isRenamed(header.name, name));
    if (!found || found.value.trim() === "") {
      findings.push({ name: "header_missing", values: { header: name } });
      continue;
    }
    headers[name] = withoutQuotes(found.value);
    if (headers[name] !== found.value.trim())
      findings.push({ name: "header_spaces", values: { header: name } });
    if (!exact && !isCgiNotation(found.name))
      findings.push({ name: "header_renamed", values: { header: name, found: found.name } });
  }
  return { headers, findings };
}

/** CGI, PHP, Django and Rack write "HTTP_WEBHOOK_ID"; that is not a renamed header. */
const isCgiNotation = (name: string) =>
  /^(?:HTTP_)?WEBHOOK_(?:ID|TIMESTAMP|SIGNATURE)$/.test(name);

const wordsOf = (name: string) => name.toLowerCase().replaceAll("_", "-");

/** X-Webhook-Id, svix-id, X-Forwarded-Webhook-Id, webhookId, Webhook.Id */
function isRenamed(name: string, needed: string): boolean {
  const letters = name.toLowerCase().replace(/[^a-z]/g, "");
  const wanted = needed.replaceAll("-", "");
  return letters.endsWith(wanted) || letters.endsWith(wanted.replace("webhook", "svix"));
}

const withoutQuotes = (value: string) =>
  value
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2")
    .trim();
