import "server-only";
import NextAuth, { type NextAuthOptions, type User } from "next-auth";
import { type NextRequest, NextResponse } from "next/server";
import credentials from "next-auth/providers/credentials";
import { encryptionKeysOf, env } from "#lib/env.ts";
import {
  challengeCookieName,
  cookieOptions,
  csrfCookieName,
  currentVisit,
  deviceCookieName,
  isSecureSite,
  shortLivedCookieName,
  sessionCookieName,
} from "#lib/auth/sessions/cookies.ts";
import { DEVICE_SECONDS } from "#lib/auth/sessions/known-device.ts";
import { logFault } from "#lib/log.ts";
import { database } from "#lib/db/pool.ts";
import { logLine } from "#lib/log.ts";
import { revokeSession, SESSION_SECONDS } from "#lib/auth/sessions/session.ts";
import type { Visit } from "#lib/auth/sessions/visit.ts";
import { safeCallbackPath } from "./callback-path.ts";
import { checkIdentityProvider, OIDC_ID, oidcProvider, receiveIdentity } from "./oidc.ts";
import { CHALLENGE_SECONDS, signIn, type SignInOutcome } from "./sign-in.ts";
import type { Metadata } from "./oidc-issuer.ts";
import { signInByCode } from "./sign-in-code.ts";

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
  const provided = isThroughProvider ? await checkIdentityProvider() : { metadata: null };
  if ("error" in provided)
    return new Response(null, {
      status: 303,
      headers: { location: toSignInPage(`?error=${provided.error}`, null) },
    });
  const reception: AuthRequest = { visit: await currentVisit(), outcome: null, callback: null };
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
 * Redirects to the provider by a page with a refresh, because our content policy lets no form lead to
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
  return new NextResponse("Redirecting to the sign-in provider.", { headers });
}

/** Keeps the browser on 127.0.0.1 if it came from there, although NEXTAUTH_URL says localhost. */
function makeRelative(headers: Headers, { callback }: AuthRequest) {
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

function setCookies(response: NextResponse, { outcome }: AuthRequest) {
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

declare module "next-auth" {
  interface User {
    sid: string;
  }
}

declare module "next-auth/jwt" {
  interface JWT {
    sid?: string;
  }
}

/** A request to next-auth's routes, with values that next-auth does not pass on. */
export interface AuthRequest {
  visit: Visit;
  outcome: SignInOutcome | null;
  callback: string | null;
}

const PASSING_SECONDS = 900;

const passingCookie = (word: string) => ({
  name: shortLivedCookieName(word),
  options: { ...cookieOptions(), maxAge: PASSING_SECONDS },
});

/** The cookie holds only the secret of a session row; person and role are read from the database. */
const authOptions = (reception: AuthRequest, metadata: Metadata | null): NextAuthOptions => ({
  secret: env().NEXTAUTH_SECRET,
  session: { strategy: "jwt", maxAge: SESSION_SECONDS },
  useSecureCookies: isSecureSite(),
  cookies: {
    sessionToken: { name: sessionCookieName(), options: cookieOptions() },
    csrfToken: { name: csrfCookieName(), options: cookieOptions() },
    // Cookies that last for one sign-in; next-auth would not bind them to the host.
    callbackUrl: passingCookie("callback"),
    state: passingCookie("state"),
    nonce: passingCookie("nonce"),
    pkceCodeVerifier: passingCookie("pkce"),
  },
  // `ready` says that the CSRF cookie was set; if it is missing then, the browser blocks cookies.
  pages: { signIn: "/sign-in?ready=1", signOut: "/sign-in", error: "/sign-in?ready=1" },
  providers: [
    credentials({
      credentials: { email: {}, password: {} },
      authorize: (input) =>
        receive(reception, input, (now) => signIn(database(), input, reception.visit, now)),
    }),
    credentials({
      id: "code",
      credentials: { code: {} },
      authorize: (input) =>
        receive(reception, input, (now) =>
          signInByCode(
            database(),
            input,
            { visit: reception.visit, keys: encryptionKeysOf(env()) },
            now,
          ),
        ),
    }),
    ...oidcProvider(metadata),
  ],
  callbacks: {
    signIn: ({ account, user, profile }) =>
      account?.provider === OIDC_ID ? receiveIdentity(reception, user, profile) : true,
    jwt: ({ token, user }) => {
      const sid = user?.sid ?? token.sid;
      return sid ? { sid } : {};
    },
    session: ({ session }) => ({ expires: session.expires }),
    redirect: ({ url }) => safeCallbackPath(url),
  },
  events: {
    signOut: async ({ token }) => {
      if (token.sid) await revokeSession(database(), token.sid);
    },
  },
  logger: {
    // Never log details, which can contain user input. An unreachable provider would be logged as a
    // database outage, so its errors are logged by code only.
    error: (code, about) =>
      OF_A_PROVIDER.test(code)
        ? logLine(`sign-in: ${code}`)
        : logFault(`sign-in: ${code}`, "error" in about ? about.error : about),
    warn: () => {},
    debug: () => {},
  },
});

const OF_A_PROVIDER = /OAUTH|OPENID/;

type Outcome = SignInOutcome | { kind: "expired" };

/** next-auth puts a thrown message into the URL, so it must be one of our error codes. */
async function receive(
  reception: AuthRequest,
  input: object | undefined,
  sign: (now: Date) => Promise<Outcome>,
): Promise<User | null> {
  reception.callback =
    input && "callbackUrl" in input && typeof input.callbackUrl === "string"
      ? input.callbackUrl
      : null;
  const outcome = await sign(new Date()).catch((error: unknown) => {
    logFault("sign-in: failed", error);
    throw new Error("Unavailable", { cause: error });
  });
  if (outcome.kind === "expired") throw new Error("Expired");
  reception.outcome = outcome;
  if (outcome.kind === "wait") throw new Error(`Wait${outcome.seconds}`);
  if (outcome.kind === "second_factor") throw new Error("SecondFactor");
  return outcome.kind === "signed_in" ? { id: "", sid: outcome.secret } : null;
}
