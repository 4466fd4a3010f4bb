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

/** A trailing IPv4 address takes the place of two groups. */
function groupCount(tail: string): number {
  if (tail === "") return 0;
  return tail.split(":").length + (tail.includes(".") ? 1 : 0);
}
