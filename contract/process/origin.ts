interface Arrived {
  host: string | null | undefined;
  /** Host and scheme of the connection, if known. */
  scheme: string | null | undefined;
}

/**
 * Whether an Origin header matches the request's own host and scheme.
 * @param site the program's public URL, whose scheme is known even behind a proxy
 */
export function isOriginOf(origin: string, { host, scheme }: Arrived, site: string): boolean {
  const [given, own] = [URL.parse(origin), new URL(site)];
  const isSecure = scheme === "https" || (own.host === host && own.protocol === "https:");
  return given?.host === host && given?.protocol === (isSecure ? "https:" : "http:");
}

/** Whether a host name or address is loopback, which no other machine can reach. */
export const isLoopback = (hostname: string) =>
  /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
