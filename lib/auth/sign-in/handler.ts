import "server-only";
import NextAuth from "next-auth";
import { NextResponse, type NextRequest } from "next/server";
import { env } from "#lib/env.ts";
import { safeCallbackPath } from "./callback-path.ts";
import {
  challengeCookieName,
  cookieOptions,
  deviceCookieName,
} from "#lib/auth/sessions/cookies.ts";
import { currentVisit } from "#lib/auth/sessions/current-visit.ts";
import { DEVICE_SECONDS } from "#lib/auth/sessions/known-device.ts";
import { askProvider, OIDC_ID } from "./oidc.ts";
import { authOptions, type Reception } from "./options.ts";
import { CHALLENGE_SECONDS } from "./sign-in.ts";

interface Context {
  params: Promise<{ nextauth: string[] }>;
}

// Other next-auth actions are unused, and `_log` would let anyone write to our log.
const ACTIONS = new Set(["callback", "csrf", "error", "signin", "signout"]);
const LARGEST_BODY = 16_384;

/** next-auth's routes, limited to the actions that Duebook uses. */
export async function handleAuth(request: NextRequest, context: Context): Promise<Response> {
  const [action = "", provider] = (await context.params).nextauth;
  if (!ACTIONS.has(action)) return new Response(null, { status: 404 });
  const length = request.method === "POST" ? request.headers.get("content-length") : "0";
  if (length === null || Number(length) > LARGEST_BODY)
    return new Response(null, { status: 413 });
  const isThroughProvider = provider === OIDC_ID && /^(signin|callback)$/.test(action);
  const provided = isThroughProvider ? await askProvider() : { metadata: null };
  if ("error" in provided)
    return new Response(null, {
      status: 303,
      headers: { location: toSignInPage(`?error=${provided.error}`, null) },
    });
  const reception: Reception = { visit: await currentVisit(), outcome: null, callback: null };
  const answered: Response = await NextAuth(
    request,
    context,
    authOptions(reception, provided.metadata),
  );
  const response = leaving(answered) ?? new NextResponse(answered.body, answered);
  makeRelative(response.headers, reception);
  setCookies(response, reception);
  if (reception.outcome?.kind === "wait")
    response.headers.set("retry-after", String(reception.outcome.seconds));
  return response;
}

/**
 * Redirects to the provider by a page with a refresh, because our content policy forbids forms to lead to
 * another origin, even by a redirect.
 */
function leaving({ headers: given }: Response): NextResponse | null {
  const location = given.get("location");
  const { origin } = new URL(env().NEXTAUTH_URL);
  if (!location || URL.parse(location, origin)?.origin === origin) return null;
  const headers = new Headers(given);
  headers.delete("location");
  headers.set("refresh", `0; url=${location}`);
  headers.set("content-type", "text/plain; charset=utf-8");
  return new NextResponse("One moment, you are on your way to sign in.", { headers });
}

/** Keeps the browser on 127.0.0.1 if it came from there, although NEXTAUTH_URL says localhost. */
function makeRelative(headers: Headers, { callback }: Reception) {
  const location = headers.get("location");
  const { origin } = new URL(env().NEXTAUTH_URL);
  if (!location?.startsWith(`${origin}/`)) return;
  const path = location.slice(origin.length);
  // Keeps the callback path after a failed attempt, also without JavaScript.
  const isError = path.startsWith("/api/auth/error?");
  headers.set("location", isError ? toSignInPage(path, callback) : path);
}

function toSignInPage(path: string, callback: string | null): string {
  const error = new URLSearchParams(path.split("?")[1]).get("error") ?? "";
  const callbackUrl = safeCallbackPath(callback);
  return `/sign-in?${new URLSearchParams({ ready: "1", error, callbackUrl })}`;
}

function setCookies(response: NextResponse, { outcome }: Reception) {
  const options = cookieOptions();
  if (outcome?.kind === "second_factor")
    response.cookies.set(challengeCookieName(), outcome.challenge, {
      ...options,
      maxAge: CHALLENGE_SECONDS,
    });
  if (outcome?.kind !== "signed_in") return;
  response.cookies.set(deviceCookieName(), outcome.device, {
    ...options,
    maxAge: DEVICE_SECONDS,
  });
  response.cookies.set(challengeCookieName(), "", { ...options, maxAge: 0 });
}
