import "server-only";
import { isIP } from "node:net";

/**
 * From which address the request came, or null. scripts/dashboard.ts overwrites this header with
 * what it saw, so that nobody chooses their own.
 */
export function clientAddress(headers: Pick<Headers, "get">): string | null {
  const [first = ""] = (headers.get("x-forwarded-for") ?? "").split(",");
  const address = first.trim().replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(address) === 0 ? null : address;
}

/**
 * What one caller can easily have many of counts as one: the /64 of an IPv6 address. Whoever has no
 * address shares one with all others who have none.
 */
export function networkOf(address: string | null): string {
  if (address === null) return "unknown";
  if (isIP(address) !== 6) return address;
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const groups = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - groupCount(tail);
  const all = [...groups, ...Array<string>(missing).fill("0"), ...(tail ?? "").split(":")];
  const four = all.slice(0, 4).map((group) => Number.parseInt(group || "0", 16).toString(16));
  return `${four.join(":")}::/64`;
}

/** An IPv4 address at the end stands for two groups. */
function groupCount(tail: string): number {
  if (tail === "") return 0;
  return tail.split(":").length + (tail.includes(".") ? 1 : 0);
}
