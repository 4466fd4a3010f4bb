interface Arrived {
  host: string | null | undefined;
  /** Of the connection, as far as it is known. */
  scheme: string | null | undefined;
}

/**
 * Whether an Origin is that of the request itself: host and scheme.
 * @param site its own address: the scheme of that is known whatever lies on the way
 */
export function isOriginOf(origin: string, { host, scheme }: Arrived, site: string): boolean {
  const [given, own] = [URL.parse(origin), new URL(site)];
  const isSecure = scheme === "https" || (own.host === host && own.protocol === "https:");
  return given?.host === host && given?.protocol === (isSecure ? "https:" : "http:");
}
