import "server-only";
import { isIP } from "node:net";
import { isRequestOrigin } from "#contract/process/network.ts";
import { env } from "#lib/env.ts";

/**
 * Whether the browser says that the request comes from this site. Next's own check allows requests
 * without an Origin, trusts a forwarded host and ignores the scheme. scripts/dashboard.ts sets the
 * forwarded scheme.
 */
export function isSameOrigin(headers: Pick<Headers, "get">): boolean {
  const origin = headers.get("origin");
  if (origin === null) return headers.get("sec-fetch-site") === "same-origin";
  const arrived = { host: headers.get("host"), scheme: headers.get("x-forwarded-proto") };
  return isRequestOrigin(origin, arrived, env().NEXTAUTH_URL);
}

/**
 * The client's IP address, or null. scripts/dashboard.ts overwrites this header, so that clients cannot forge it.
 */
export function clientAddress(headers: Pick<Headers, "get">): string | null {
  const [first = ""] = (headers.get("x-forwarded-for") ?? "").split(",");
  const address = first.trim().replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(address) === 0 ? null : address;
}
