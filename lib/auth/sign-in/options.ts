import "server-only";
import type { NextAuthOptions, User } from "next-auth";
import credentials from "next-auth/providers/credentials";
import { tellFault } from "#lib/db/away.ts";
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

/** One request at next-auth's routes: who knocks, and what came of it beside next-auth's own answer. */
export interface Reception {
  visit: Visit;
  outcome: SignInOutcome | null;
  /** Where the form wanted to go afterwards. */
  callback: string | null;
}

const PASSING_SECONDS = 900;

const passingCookie = (word: string) => ({
  name: passingCookieName(word),
  options: { ...cookieOptions(), maxAge: PASSING_SECONDS },
});

/** The cookie carries nothing but the secret of a session row: who and which role is read there. */
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
    // What is kept between two steps; next-auth would not bind it to the host.
    callbackUrl: passingCookie("callback"),
    state: passingCookie("state"),
    nonce: passingCookie("nonce"),
    pkceCodeVerifier: passingCookie("pkce"),
  },
  // `ready` tells the page that the cookie was set: if it is not there, cookies are blocked.
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
    // Never the details, which can hold what was typed. A provider that is away looks like a database.
    error: (code, about) =>
      OF_A_PROVIDER.test(code)
        ? logLine(`sign-in: ${code}`)
        : tellFault(`sign-in: ${code}`, "error" in about ? about.error : about),
    warn: () => {},
    debug: () => {},
  },
});

const OF_A_PROVIDER = /OAUTH|OPENID/;

type Outcome = SignInOutcome | { kind: "expired" };

/** next-auth shows a thrown message in the address bar, so it has to be a word of our own. */
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
    tellFault("sign-in: failed", error);
    throw new Error("Unavailable", { cause: error });
  });
  if (outcome.kind === "expired") throw new Error("Expired");
  reception.outcome = outcome;
  if (outcome.kind === "wait") throw new Error(`Wait${outcome.seconds}`);
  if (outcome.kind === "second_factor") throw new Error("SecondFactor");
  return outcome.kind === "signed_in" ? { id: "", sid: outcome.secret } : null;
}
