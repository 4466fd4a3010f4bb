import { isIP } from "node:net";

/**
 * The network that a caller is counted by: the /64 of an IPv6 address, since one caller easily
 * has many of its addresses. Requests without an address share one entry.
 */
export function networkOf(address: string | null): string {
  if (address === null) return "unknown";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (isIP(address) !== 6) return address;
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const groups = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - groupCount(tail);
  const all = [...groups, ...Array<string>(missing).fill("0"), ...(tail ?? "").split(":")];
  const four = all.slice(0, 4).map((group) => Number.parseInt(group || "0", 16).toString(16));
  return `${four.join(":")}::/64`;
}

/**
 * The number of groups in a part of an IPv6 address; a trailing IPv4 address takes the place of
 * two.
 */
function groupCount(tail: string): number {
  if (tail === "") return 0;
  return tail.split(":").length + (tail.includes(".") ? 1 : 0);
}

interface Arrived {
  host: string | null | undefined;
  scheme: string | null | undefined;
}

/**
 * Whether an Origin header matches the request's own host and scheme.
 * @param site the program's public URL, whose scheme is known even behind a proxy
 */
export function isRequestOrigin(
  origin: string,
  { host, scheme }: Arrived,
  site: string,
): boolean {
  const [given, own] = [URL.parse(origin), new URL(site)];
  const isSecure = scheme === "https" || (own.host === host && own.protocol === "https:");
  return given?.host === host && given?.protocol === (isSecure ? "https:" : "http:");
}

/** Whether a host name or address is loopback, which no other machine can reach. */
export const isLoopback = (hostname: string) =>
  /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);

/**
 * Whether the port is one of those to which browsers and fetch refuse to connect, by the fetch
 * standard.
 */
export async function isBlocked(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/`, {
      method: "HEAD",
      signal: AbortSignal.timeout(500),
    });
    return false;
  } catch (error) {
    return (
      error instanceof Error &&
      error.cause instanceof Error &&
      error.cause.message === "bad port"
    );
  }
}

export const blockedPortMessage = (variable: string, port: number) =>
  `no browser opens port ${port}. Set ${variable} to another one.`;
