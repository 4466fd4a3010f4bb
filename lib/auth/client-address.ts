import "server-only";
import { isIP } from "node:net";

/**
 * The client's IP address, or null. scripts/dashboard.ts overwrites this header, so that clients cannot forge it.
 */
export function clientAddress(headers: Pick<Headers, "get">): string | null {
  const [first = ""] = (headers.get("x-forwarded-for") ?? "").split(",");
  const address = first.trim().replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(address) === 0 ? null : address;
}
