import type { Header } from "./headers.ts";

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
