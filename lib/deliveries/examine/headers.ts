import { STANDARD_SCHEME } from "#lib/signature.ts";
import type { Deviation } from "./explain-signature.ts";

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

/** A received signature, and how its format deviates from the standard. */
interface GivenSignature {
  /** In hex. */
  bytes: string;
  deviations: Deviation[];
}

const PREFIX = /^(?:v\d+[a-z]?|sha\d+|s|sig|signature)[,=:]/i;

/** The signatures in a header's value, in any prefix and encoding. */
export function readSignatures(value: string): GivenSignature[] {
  const isStandard = new Set(value.split(" ").filter((part) => part.startsWith("v1,")));
  return value
    .replaceAll(/["']/g, "")
    .replace(/,\s+/g, " ")
    .split(/[\s;]+|,(?=v\d+,)/)
    .filter((part) => part !== "" && !/^t=\d+$|^v1a,/.test(part))
    .flatMap((part) => {
      const read = bytesOf(part.replace(PREFIX, ""));
      if (!read) return [];
      const prefixed: Deviation[] = isStandard.has(part) ? [] : ["signature_prefix"];
      return [{ bytes: read.bytes, deviations: [...prefixed, ...read.deviations] }];
    });
}

const DIGESTS = new Set([20, 32, 64]);

function bytesOf(text: string): GivenSignature | null {
  if (/^[0-9a-f]+$/i.test(text) && DIGESTS.has(text.length / 2))
    return { bytes: text.toLowerCase(), deviations: ["hex_signature"] };
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  try {
    const bytes = Array.from(atob(text), (character) =>
      character.charCodeAt(0).toString(16).padStart(2, "0"),
    ).join("");
    return { bytes, deviations: [] };
  } catch {
    return null;
  }
}
