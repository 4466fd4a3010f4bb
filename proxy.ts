import { randomBytes } from "node:crypto";
import { NextResponse, type NextRequest } from "next/server";
import { PATH_HEADER } from "#lib/auth/sign-in/callback-path.ts";
import { contentPolicy, PERMISSIONS_HEADER, POLICY_HEADER } from "#lib/auth/content-policy.ts";
import { isDevelopment, serviceOrigins } from "#lib/env.ts";

/** Addresses without a seller lead to the same page of the seller that was looked at last. */
const SHORT = /^\/(subscriptions|products|customers|sandbox|settings)(\/|$)/;

/**
 * Tells a page its own address, for the way back after signing in, and gives each page its own
 * content policy. It lets everybody through: permissions are checked where data is read.
 */
export function proxy(request: NextRequest): NextResponse {
  const { pathname, search } = request.nextUrl;
  if (SHORT.test(pathname))
    return NextResponse.redirect(toHome(request.nextUrl.clone(), pathname + search));
  const nonce = randomBytes(16).toString("base64");
  const policy = contentPolicy(nonce, {
    isDevelopment: isDevelopment(),
    imageOrigins: serviceOrigins(),
  });
  const headers = new Headers(request.headers);
  headers.set(PATH_HEADER, pathname + search);
  // Next reads the nonce out of the request, and writes it on every script of the page.
  headers.set(POLICY_HEADER, policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set(POLICY_HEADER, policy);
  response.headers.set(...PERMISSIONS_HEADER);
  return response;
}

function toHome(url: URL, path: string): URL {
  url.pathname = "/go";
  url.search = new URLSearchParams({ to: path }).toString();
  return url;
}

// Next's adapter takes a third of a millisecond; requests for data of a page skip it
// (next.config.ts).
export const config = {
  matcher: [
    "/((?!_next/static/|icons\\.svg$|sw\\.js$|offline\\.html$|app-\\w+\\.png$|manifest\\.webmanifest$|healthz$|readyz$|api/words$|api/[^/]+/(?:test|live)/).*)",
  ],
};
