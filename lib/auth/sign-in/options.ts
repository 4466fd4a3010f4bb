import "server-only";
import type { NextAuthOptions, User } from "next-auth";
import credentials from "next-auth/providers/credentials";
import { logFault } from "#lib/db/away.ts";
import { database } from "#lib/db/pool.ts";
import { encryptionKeysOf, env } from "#lib/env.ts";
import { logLine } from "#lib/log.ts";
import { safeCallbackPath } from "./callback-path.ts";
import {
  cookieOptions,
  csrfCookieName,
  passingCookieName,
  isSecureSite,
  sessionCookieName,
} from "#lib/auth/sessions/cookies.ts";
import type { Metadata } from "./oidc-issuer.ts";
import { OIDC_ID, oidcProvider, receiveIdentity } from "./oidc.ts";
import { revokeSession, SESSION_SECONDS } from "#lib/auth/sessions/session.ts";
import { signInByCode } from "./sign-in-code.ts";
import { signIn, type SignInOutcome } from "./sign-in.ts";
import type { Visit } from "#lib/auth/sessions/visit.ts";

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

/** One request to next-auth's routes, with the visit and the outcome that next-auth's answer lacks. */
export interface Reception {
  visit: Visit;
  outcome: SignInOutcome | null;
  /** The form's callback path. */
  callback: string | null;
}

const PASSING_SECONDS = 900;

const passingCookie = (word: string) => ({
  name: passingCookieName(word),
  options: { ...cookieOptions(), maxAge: PASSING_SECONDS },
});

/** The cookie holds only the secret of a session row; person and role are read from the database. */
export const authOptions = (
  reception: Reception,
  metadata: Metadata | null,
): NextAuthOptions => ({
  secret: env().NEXTAUTH_SECRET,
  session: { strategy: "jwt", maxAge: SESSION_SECONDS },
  useSecureCookies: isSecureSite(),
  cookies: {
    sessionToken: { name: sessionCookieName(), options: cookieOptions() },
    csrfToken: { name: csrfCookieName(), options: cookieOptions() },
    // Cookies between two steps; next-auth would not bind them to the host.
    callbackUrl: passingCookie("callback"),
    state: passingCookie("state"),
    nonce: passingCookie("nonce"),
    pkceCodeVerifier: passingCookie("pkce"),
  },
  // `ready` tells the page that the cookie was set; if it is missing then, cookies are blocked.
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
    // Never log details, which can contain user input. An unreachable provider looks like a database error.
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
  reception: Reception,
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
