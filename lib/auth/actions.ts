"use server";

import { cookies, headers } from "next/headers";
import { after } from "next/server";
import { getLocale, getTranslations } from "next-intl/server";
import * as z from "zod";
import { AppError } from "#lib/failure.ts";
import { database } from "#lib/db/pool.ts";
import { env } from "#lib/env.ts";
import { LANGUAGES, type Language } from "#lib/i18n/languages.ts";
import { logSecurity } from "#lib/log.ts";
import { isMailConfigured, sendMail } from "#lib/mail.ts";
import { safeCallbackPath } from "./sign-in/callback-path.ts";
import { networkOf } from "#contract/process/network.ts";
import {
  cookieOptions,
  currentVisit,
  readSessionSecret,
  sessionCookieName,
  writeDeviceCookie,
  writeLanguageCookie,
  writeSessionCookies,
} from "./sessions/cookies.ts";
import { isSameOrigin } from "./origin.ts";
import { type GuardedResult, publicAction } from "./guards/action.ts";
import {
  createMailedResetPath,
  resetLanguageOf,
  resetPassword,
} from "./credentials/password-reset.ts";
import { Email, NewPassword, Password, PersonName } from "./credentials/person-fields.ts";
import { signUp } from "./sign-in/sign-up.ts";
import { revokeSession } from "./sessions/session.ts";
import { beginSession } from "./sign-in/sign-in.ts";
import { reserveAttempt } from "./credentials/throttle.ts";

/** Signs out. Needs no seller, so that people without a team can sign out. */
export async function signOutAction(): Promise<GuardedResult<null>> {
  if (!isSameOrigin(await headers())) {
    logSecurity("origin.refused", { guard: "action" });
    return { ok: false, failure: { kind: "forbidden" } };
  }
  const secret = await readSessionSecret();
  if (secret !== null) await revokeSession(database(), secret);
  // Browsers ignore changes to a `__Host-` cookie without the same attributes.
  (await cookies()).delete({ name: sessionCookieName(), ...cookieOptions() });
  return { ok: true, value: null };
}

/** Saves the language for this browser before sign-in; the account's language takes precedence. */
export const chooseLanguageAction = publicAction({
  input: z.object({ language: z.enum(LANGUAGES) }),
  run: async ({ language }) => {
    await writeLanguageCookie(language);
    return null;
  },
});

/** @returns the path to open after signing up */
export const signUpAction = publicAction({
  input: z.object({
    name: PersonName,
    email: Email,
    password: NewPassword,
    callbackPath: z.string(),
  }),
  run: async ({ name, email, password, callbackPath }) => {
    const [visit, now] = [await currentVisit(), new Date()];
    await throttleMaking("sign-up", visit.address, now);
    const path = safeCallbackPath(callbackPath);
    const given = { name, email, password, address: visit.address, callbackPath: path };
    const user_id = await signUp(database(), given, now);
    await writeSessionCookies(await beginSession(database(), user_id, visit, now));
    return { path };
  },
});

/** Answers the same for known and unknown emails, so that nobody learns who has an account. */
export const requestResetAction = publicAction({
  input: z.object({ email: Email }),
  run: async ({ email }) => {
    const { address } = await currentVisit();
    await throttleMaking("reset", address, new Date());
    const language = await getLocale();
    // The mail is sent after the response, so that the response time does not reveal whether the
    // email is known.
    after(() => mailReset(email, language));
    return null;
  },
});

export const resetPasswordAction = publicAction({
  input: z.object({ token: z.string().max(100), password: Password }),
  run: async ({ token, password }) => {
    const [{ address }, now] = [await currentVisit(), new Date()];
    await throttleMaking("reset", address, now);
    const { device } = await resetPassword(database(), { token, password, address }, now);
    await writeDeviceCookie(device);
    return null;
  },
});

async function throttleMaking(what: string, address: string | null, now: Date) {
  const subject = { limit: "making", of: [what, networkOf(address)] } as const;
  const { wait_seconds } = await reserveAttempt(database(), [subject], now);
  if (wait_seconds > 0) throw new AppError({ kind: "rate_limited", retry_after: wait_seconds });
}

/** @param language the browser's language, used if the account has none */
async function mailReset(email: string, language: Language) {
  if (!isMailConfigured()) return;
  const path = await createMailedResetPath(database(), email, new Date());
  if (path === null) return;
  const locale = (await resetLanguageOf(database(), email)) ?? language;
  const t = await getTranslations({ locale, namespace: "mail.reset" });
  const link = new URL(path, env().NEXTAUTH_URL).href;
  const text = [t("asked"), link, t("notYou")].join("\n\n");
  await sendMail({ to: email, subject: t("subject"), text });
}
