import { signingKeyOf, signDelivery, STANDARD_SCHEME } from "#lib/signature.ts";
import type { Examination } from "./examine.ts";
import type { SignatureDeviation } from "./explain-signature.ts";

/** A delivery as a request that was pasted. */
export interface PastedRequest {
  url: string | null;
  headers: Header[];
  body: string;
}

const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/;
const REQUEST_LINE = /^[A-Z]+ (\S+)(?: HTTP\/[\d.]+)?$/;

/**
 * Reads a raw HTTP request: a request line (or none), header lines, an empty line, and the body to its end.
 * @returns null for text without a header line
 */
export function readRequest(text: string): PastedRequest | null {
  const lines = text.replace(/^\s*\n/, "").split("\n");
  const lineAt = (at: number) => (lines[at] ?? "").replace(/\r$/, "");
  const target = REQUEST_LINE.exec(lineAt(0))?.[1] ?? null;
  const headers: Header[] = [];
  let at = target === null ? 0 : 1;
  for (; at < lines.length; at++) {
    const [, name, value] = HEADER_LINE.exec(lineAt(at)) ?? [];
    if (name === undefined || value === undefined) break;
    headers.push({ name, value: value.trim() });
  }
  if (headers.length === 0) return null;
  const isSeparated = lineAt(at).trim() === "";
  const host = headers.find(({ name }) => name.toLowerCase() === "host")?.value;
  return {
    url: target?.startsWith("/") && host ? `https://${host}${target}` : target,
    headers,
    body: lines.slice(isSeparated ? at + 1 : at).join("\n"),
  };
}

/** A day and a time without a zone. */
const LOCAL = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)$/;

/**
 * Reads seconds since 1970 or a written moment; one without a zone is in the seller's time zone.
 * @returns milliseconds since 1970; null for an empty text
 */
export function readMoment(text: string, timeZone: string): number | "unreadable" | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const [, day, time] = LOCAL.exec(trimmed) ?? [];
  const moment = /^\d{9,11}$/.test(trimmed)
    ? Number(trimmed) * 1_000
    : day && time
      ? inZone(Date.parse(`${day}T${time}Z`), timeZone)
      : Date.parse(trimmed);
  return Number.isNaN(moment) ? "unreadable" : moment;
}

/** @param local milliseconds, as if the zone's clocks showed UTC */
function inZone(local: number, timeZone: string): number {
  if (Number.isNaN(local)) return local;
  // The offset is looked up twice: the first estimate can lie beyond a change to or from summer time.
  const first = local - offsetAt(local, timeZone);
  return local - offsetAt(first, timeZone);
}

function offsetAt(moment: number, timeZone: string): number {
  const shown = new Intl.DateTimeFormat("en-US", {
    timeZone,
    timeZoneName: "longOffset",
  })
    .formatToParts(moment)
    .find(({ type }) => type === "timeZoneName")?.value;
  const [, sign, hours = 0, minutes = 0] = /([+-])(\d{2}):(\d{2})/.exec(shown ?? "") ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** The request as text that `readRequest` reads. */
export function requestText({ url, headers, body }: SignedRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const first = ["POST", url].join(" ");
  return [first, ...lines, "", body].join("\n");
}

interface SignedRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Signs the same delivery with the current time. @returns null without a usable secret or a body */
export async function signWithCurrentTime(
  { signed, secret }: Pick<Examination, "signed" | "secret">,
  url: string,
  now: number,
): Promise<SignedRequest | null> {
  if (secret === null || signingKeyOf(secret, "standard") === null || signed.body === "")
    return null;
  const id = signed.id || "msg_repeated";
  const headers = await signDelivery({ id, body: signed.body }, [secret], now);
  return {
    url,
    headers: { "content-type": "application/json", ...headers },
    body: signed.body,
  };
}

export interface Header {
  /** The header's name as it was written. */
  name: string;
  value: string;
}

export type HeaderFault = "header_renamed" | "header_missing" | "header_spaces";

interface HeaderFinding {
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

/**
 * Whether the name is in CGI notation, such as HTTP_WEBHOOK_ID. CGI, PHP, Django and Rack write
 * names like this; the header was not renamed.
 */
const isCgiNotation = (name: string) =>
  /^(?:HTTP_)?WEBHOOK_(?:ID|TIMESTAMP|SIGNATURE)$/.test(name);

const wordsOf = (name: string) => name.toLowerCase().replaceAll("_", "-");

/**
 * Whether the name is a renamed header, such as X-Webhook-Id, svix-id or Webhook.Id for webhook-id.
 */
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
  /** The bytes of the signature, in hex. */
  bytes: string;
  deviations: SignatureDeviation[];
}

const PREFIX = /^(?:v\d+[a-z]?|sha\d+|s|sig|signature)[,=:]/i;

/** The signatures in a header's value, with any prefix and in any encoding. */
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
      const prefixed: SignatureDeviation[] = isStandard.has(part) ? [] : ["signature_prefix"];
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
