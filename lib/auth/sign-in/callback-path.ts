/** Redirects to the last visited seller and mode. */
export const HOME_PATH = "/";

/**
 * The request header with the page's path and query: proxy.ts sets it, because pages cannot read
 * their own URL.
 */
export const PATH_HEADER = "x-duebook-path";

/** The path to open after signing in, always on this site. */
export function safeCallbackPath(wanted: unknown): string {
  if (typeof wanted !== "string" || !wanted.startsWith("/")) return HOME_PATH;
  // Browsers read "//host", "/\host" and "/<tab>/host" as another site.
  const url = URL.parse(wanted, "http://here.invalid");
  if (url?.origin !== "http://here.invalid") return HOME_PATH;
  const path = url.pathname + url.search;
  const isLoop = /^\/(sign-in|api)(\/|$)/.test(url.pathname);
  return path.startsWith("//") || isLoop ? HOME_PATH : path;
}
