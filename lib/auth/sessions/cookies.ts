import "server-only";
import { cookies, headers } from "next/headers";
import { encode } from "next-auth/jwt";
import { env } from "#lib/env.ts";
import { isReachableByOthers } from "#lib/exposure.ts";
import type { Language } from "#lib/i18n/languages.ts";
import { DEVICE_SECONDS } from "#lib/auth/sessions/known-device.ts";
import { clientAddress } from "#lib/auth/origin.ts";
import { openSessionCookie } from "./session-cookie.ts";
import { SESSION_SECONDS } from "./session.ts";
import type { Visit } from "./visit.ts";

export const isSecureSite = () => env().NEXTAUTH_URL.startsWith("https://");

/** `__Host-` ties a cookie to this host and to https; a browser refuses it over plain http. */
const named = (name: string) => (isSecureSite() ? `__Host-${name}` : name);

export const sessionCookieName = () => named("duebook.session");
export const csrfCookieName = () => named("duebook.csrf");
export const deviceCookieName = () => named("duebook.device");
export const shortLivedCookieName = (word: string) => named(`duebook.${word}`);
export const challengeCookieName = () => named("duebook.challenge");
export const languageCookieName = () => named("duebook.language");

/** When Duebook is open to other machines by plain http, only browsers on this machine keep these cookies. */
export const cookieOptions = () => {
  const secure = isSecureSite() || isReachableByOthers(env());
  return { httpOnly: true, sameSite: "lax", path: "/", secure } as const;
};

/** Reads the session's secret from the request's cookie; null if there is none. */
export async function readSessionSecret(): Promise<string | null> {
  const cookie = (await cookies()).get(sessionCookieName())?.value;
  return cookie ? openSessionCookie(cookie, env().NEXTAUTH_SECRET) : null;
}

/**
 * Sets the cookies for actions that sign a person in; handler.ts sets those of the sign-in form.
 */
export async function writeSessionCookies(given: {
  secret: string;
  device: string;
}): Promise<void> {
  const { NEXTAUTH_SECRET: secret } = env();
  const token = await encode({ token: { sid: given.secret }, secret, maxAge: SESSION_SECONDS });
  (await cookies()).set(sessionCookieName(), token, {
    ...cookieOptions(),
    maxAge: SESSION_SECONDS,
  });
  await writeDeviceCookie(given.device);
}

/** Saves the language for pages before sign-in. */
export async function writeLanguageCookie(language: Language): Promise<void> {
  const year = 365 * 24 * 3_600;
  (await cookies()).set(languageCookieName(), language, { ...cookieOptions(), maxAge: year });
}

/** Lets the next sign-in recognise this browser. */
export async function writeDeviceCookie(device: string): Promise<void> {
  (await cookies()).set(deviceCookieName(), device, {
    ...cookieOptions(),
    maxAge: DEVICE_SECONDS,
  });
}

/** The CSRF token of the sign-in form; null until next-auth has set its cookie. */
export async function readCsrfToken(): Promise<string | null> {
  const cookie = (await cookies()).get(csrfCookieName())?.value;
  return cookie?.split("|")[0] ?? null;
}

export async function currentVisit(): Promise<Visit> {
  const [sent, jar] = [await headers(), await cookies()];
  return {
    address: clientAddress(sent),
    user_agent: sent.get("user-agent"),
    device: jar.get(deviceCookieName())?.value ?? null,
    session: await readSessionSecret(),
    challenge: jar.get(challengeCookieName())?.value ?? null,
  };
}
