import "server-only";
import type { CookieOption, NextAuthOptions } from "next-auth";
import credentials from "next-auth/providers/credentials";
import { database } from "#lib/db/pool.ts";
import { env } from "#lib/env.ts";
import { logLine } from "#lib/log.ts";
import { safeCallbackPath } from "./callback-path.ts";
import { csrfCookieName, isSecureSite, sessionCookieName } from "./cookies.ts";
import { revokeSession, SESSION_SECONDS } from "./session.ts";
import { signIn } from "./sign-in.ts";

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

/** The cookie carries nothing but the secret of a session row: who and which role is read there. */
export const authOptions = (): NextAuthOptions => ({
  secret: env().NEXTAUTH_SECRET,
  session: { strategy: "jwt", maxAge: SESSION_SECONDS },
  useSecureCookies: isSecureSite(),
  cookies: {
    sessionToken: cookie(sessionCookieName()),
    csrfToken: cookie(csrfCookieName()),
  },
  // `ready` tells the page that the cookie was set: if it is not there, cookies are blocked.
  pages: { signIn: "/sign-in?ready=1", signOut: "/sign-in", error: "/sign-in?ready=1" },
  providers: [
    credentials({
      credentials: { email: {}, password: {} },
      authorize: async (input) => {
        const sid = await signInOrSayWhy(input);
        return sid === null ? null : { id: "", sid };
      },
    }),
  ],
  callbacks: {
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
    // Codes only: the details can hold what was typed.
    error: (code) => logLine(`sign-in: ${code}`),
    warn: () => {},
    debug: () => {},
  },
});

const cookie = (name: string): CookieOption => ({
  name,
  options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecureSite() },
});

/** next-auth shows a thrown message in the address bar, so it has to be a word of our own. */
async function signInOrSayWhy(input: unknown): Promise<string | null> {
  try {
    return await signIn(database(), input);
  } catch (error) {
    logLine(`sign-in: ${error instanceof Error ? error.message : "failed"}`);
    throw new Error("Unavailable", { cause: error });
  }
}
