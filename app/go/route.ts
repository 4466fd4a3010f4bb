import type { NextRequest } from "next/server";
import { safeCallbackPath } from "#lib/auth/sign-in/callback-path.ts";
import { defaultPath } from "#lib/auth/guards/seller-page.ts";

/**
 * proxy.ts sends URLs without a seller here; this route redirects to the seller that the user opened
 * last, or to the page for signing in or for creating a business.
 */
export async function GET(request: NextRequest): Promise<Response> {
  const path = safeCallbackPath(request.nextUrl.searchParams.get("to"));
  const home = await defaultPath(path);
  const location =
    home === "/sign-in" ? `${home}?${new URLSearchParams({ callbackUrl: path })}` : home;
  return new Response(null, {
    status: 307,
    headers: { location, "cache-control": "no-store" },
  });
}
