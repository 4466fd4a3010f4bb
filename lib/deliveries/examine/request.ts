import { keyOf, signDelivery } from "#lib/signature.ts";
import type { Header } from "./headers.ts";
import type { Examination } from "./examine.ts";

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
export async function signAgain(
  { signed, secret }: Pick<Examination, "signed" | "secret">,
  url: string,
  now: number,
): Promise<SignedRequest | null> {
  if (secret === null || keyOf(secret, "standard") === null || signed.body === "") return null;
  const id = signed.id || "msg_repeated";
  const headers = await signDelivery({ id, body: signed.body }, [secret], now);
  return {
    url,
    headers: { "content-type": "application/json", ...headers },
    body: signed.body,
  };
}
