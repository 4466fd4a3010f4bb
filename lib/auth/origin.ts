import { isOriginOf } from "#contract/process/origin.ts";
import { env } from "#lib/env.ts";

/**
 * True when the browser says that the request comes from this very site. Next itself lets a request
 * without an Origin run, trusts a forwarded host and looks at no scheme. The forwarded scheme is one that
 * scripts/dashboard.ts wrote.
 */
export function isSameOrigin(headers: Pick<Headers, "get">): boolean {
  const origin = headers.get("origin");
  if (origin === null) return headers.get("sec-fetch-site") === "same-origin";
  const arrived = { host: headers.get("host"), scheme: headers.get("x-forwarded-proto") };
  return isOriginOf(origin, arrived, env().NEXTAUTH_URL);
}
