/** Leads on to the seller and the mode that were looked at last. */
export const HOME = "/";

/** Set by proxy.ts on every request for a page, which cannot see its own address. */
export const PATH_HEADER = "x-duebook-path";

/** The path to go to after signing in: one of this site, whatever the address bar asked for. */
export function safeCallbackPath(wanted: unknown): string {
  if (typeof wanted !== "string" || !wanted.startsWith("/")) return HOME;
  // A browser reads "//host", "/\host" and "/<tab>/host" as another site.
  const url = URL.parse(wanted, "http://here.invalid");
  if (url?.origin !== "http://here.invalid") return HOME;
  const path = url.pathname + url.search;
  const isLoop = /^\/(sign-in|api)(\/|$)/.test(url.pathname);
  return path.startsWith("//") || isLoop ? HOME : path;
}
