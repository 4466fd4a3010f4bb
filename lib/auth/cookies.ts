import "server-only";
import { cookies } from "next/headers";
import { decode } from "next-auth/jwt";
import { env } from "#lib/env.ts";

export const isSecureSite = () => env().NEXTAUTH_URL.startsWith("https://");

/** `__Host-` ties a cookie to this host and to https; a browser refuses it over plain http. */
const named = (name: string) => (isSecureSite() ? `__Host-${name}` : name);

export const sessionCookieName = () => named("duebook.session");
export const csrfCookieName = () => named("duebook.csrf");

/** The session's secret out of the request's cookie, or null. */
export async function readSessionSecret(): Promise<string | null> {
  const cookie = (await cookies()).get(sessionCookieName())?.value;
  if (!cookie) return null;
  try {
    const token = await decode({ token: cookie, secret: env().NEXTAUTH_SECRET });
    return typeof token?.sid === "string" ? token.sid : null;
  } catch {
    return null;
  }
}

/** What the sign-in form must send along; null until next-auth has set its cookie. */
export async function readCsrfToken(): Promise<string | null> {
  const cookie = (await cookies()).get(csrfCookieName())?.value;
  return cookie?.split("|")[0] ?? null;
}
