/**
 * True when the browser says that the request comes from this very host. Next itself lets a request
 * without an Origin run, and trusts a forwarded host; this looks at neither.
 */
export function isSameOrigin(headers: Pick<Headers, "get">): boolean {
  const origin = headers.get("origin");
  if (origin === null) return headers.get("sec-fetch-site") === "same-origin";
  const host = headers.get("host");
  return host !== null && URL.parse(origin)?.host === host;
}
