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
