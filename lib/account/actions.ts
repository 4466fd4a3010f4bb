"use server";

import * as z from "zod";
import { changeEmail, changePassword } from "./store.ts";
import {
  writeAccountEvent,
  type AccountEventKind,
} from "#lib/auth/credentials/account-event.ts";
import { confirmRequestPerson, hasPassword } from "#lib/auth/guards/confirm-person.ts";
import {
  currentVisit,
  writeDeviceCookie,
  writeLanguageCookie,
} from "#lib/auth/sessions/cookies.ts";
import { fieldFailure, tooManyAttemptsFailure } from "#lib/auth/field-failure.ts";
import { startLinking, unlinkIdentity } from "#lib/auth/sign-in/identity.ts";
import { hashNewPassword, listSellerNames } from "#lib/auth/credentials/password.ts";
import { personAction } from "#lib/auth/guards/action.ts";
import { Email, Password, PersonName } from "#lib/auth/credentials/person-fields.ts";
import {
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  switchOffSecondFactor,
} from "#lib/auth/credentials/second-factor.ts";
import { revokeSessionOf } from "#lib/auth/sessions/session-list.ts";
import { revokeAllSessions, type Session } from "#lib/auth/sessions/session.ts";
import { checkCode } from "#lib/auth/sign-in/sign-in-code.ts";
import { AppError } from "#lib/failure.ts";
import { database } from "#lib/db/pool.ts";
import { encryptionKeysOf, env } from "#lib/env.ts";
import { LANGUAGES, SECOND_CALENDARS } from "#lib/i18n/languages.ts";
import { message } from "#lib/i18n/message.ts";

export const changeNameAction = personAction({
  input: z.object({ name: PersonName }),
  run: async (session, { name }) => {
    await database().query("update app_user set name = $2 where id = $1", [
      session.user.id,
      name,
    ]);
    return noteDone(session, "name.change");
  },
});

export const changeLanguageAction = personAction({
  input: z.object({
    language: z.enum(LANGUAGES),
    second_calendar: z.enum(SECOND_CALENDARS).nullable(),
  }),
  run: async ({ user }, { language, second_calendar }) => {
    await database().query(
      "update app_user set language = $2, second_calendar = $3 where id = $1",
      [user.id, language, second_calendar],
    );
    await writeLanguageCookie(language);
    return null;
  },
});

export const changeCharacterKeysAction = personAction({
  input: z.object({ character_keys: z.boolean() }),
  run: async ({ user }, { character_keys }) => {
    await database().query("update app_user set character_keys = $2 where id = $1", [
      user.id,
      character_keys,
    ]);
    return null;
  },
});

/** Called when the tour is finished or dismissed. */
export const leaveTourAction = personAction({
  input: z.object({}),
  run: async ({ user }) => {
    await database().query("update app_user set has_left_tour = true where id = $1", [user.id]);
    return null;
  },
});

export const changeEmailAction = personAction({
  input: z.object({ email: Email, current_password: Password }),
  run: async (session, { email, current_password }) => {
    await confirmRequestPerson(session, current_password);
    const { address } = await currentVisit();
    await changeEmail(database(), { user_id: session.user.id, email, address }, new Date());
    return null;
  },
});

/** @returns how many other sessions ended */
export const changePasswordAction = personAction({
  input: z.object({ current_password: Password, password: Password }),
  run: async (session, { current_password, password }) => {
    await confirmRequestPerson(session, current_password);
    const { id: user_id, email } = session.user;
    const sellers = await listSellerNames(database(), user_id);
    const password_hash = await hashNewPassword(password, { email, sellers });
    const { address } = await currentVisit();
    const given = { user_id, password_hash, session: session.id, address };
    const { ended, device } = await changePassword(database(), given, new Date());
    await writeDeviceCookie(device);
    return ended;
  },
});

/** @returns the secret for the app, as text and as the URL in the QR code */
export const beginSecondFactorAction = personAction({
  input: z.object({ current_password: Password }),
  run: async (session, { current_password }) => {
    await confirmRequestPerson(session, current_password);
    const begun = await beginSecondFactor(database(), session.user, encryptionKeysOf(env()));
    if (!begun)
      throw new AppError({
        kind: "conflict",
        detail: message("account.secondFactor.isOn"),
      });
    return { secret: begun.secret, uri: begun.uri };
  },
});

/** @returns the recovery codes, shown only once */
export const confirmSecondFactorAction = personAction({
  input: z.object({ code: z.string().trim().max(20) }),
  run: async ({ user, id }, { code }) => {
    const given = {
      user_id: user.id,
      code: code.replace(/\s/g, ""),
      keys: encryptionKeysOf(env()),
    };
    const codes = await confirmSecondFactor(database(), given, new Date());
    if (!codes) throw fieldFailure("code", WRONG_CODE);
    await revokeAllSessions(database(), user.id, { except: id });
    await noteDone({ user }, "second_factor.set_up");
    return codes;
  },
});

export const switchOffSecondFactorAction = personAction({
  input: z.object({ current_password: Password, code: z.string().trim().max(64) }),
  run: async (session, { current_password, code }) => {
    await confirmRequestPerson(session, current_password);
    await confirmCode(session, code);
    await switchOffSecondFactor(database(), session.user.id);
    return noteDone(session, "second_factor.switch_off");
  },
});

/** @returns ten new recovery codes, which replace the earlier ones */
export const renewRecoveryCodesAction = personAction({
  input: z.object({ current_password: Password, code: z.string().trim().max(64) }),
  run: async (session, { current_password, code }) => {
    await confirmRequestPerson(session, current_password);
    await confirmCode(session, code);
    const codes = await renewRecoveryCodes(database(), session.user.id);
    await noteDone(session, "recovery_code.renew");
    return codes;
  },
});

export const revokeSessionAction = personAction({
  input: z.object({ key: z.string().regex(/^[0-9a-f]{64}$/), current_password: Password }),
  run: async (session, { key, current_password }) => {
    await confirmRequestPerson(session, current_password);
    const given = { user_id: session.user.id, key };
    if (!(await revokeSessionOf(database(), given, new Date())))
      throw new AppError({ kind: "not_found" });
    return noteDone(session, "session.revoke");
  },
});

/** @returns how many sessions ended */
export const revokeOtherSessionsAction = personAction({
  input: z.object({ current_password: Password }),
  run: async (session, { current_password }) => {
    await confirmRequestPerson(session, current_password);
    const count = await revokeAllSessions(database(), session.user.id, { except: session.id });
    await noteDone(session, "session.revoke_others");
    return count;
  },
});

/** Called before the redirect to the provider, so that the identity in its answer is linked. */
export const startLinkingAction = personAction({
  input: z.object({ current_password: Password }),
  run: async (session, { current_password }) => {
    await confirmRequestPerson(session, current_password);
    await startLinking(database(), session, new Date());
    return null;
  },
});

export const unlinkIdentityAction = personAction({
  input: z.object({ issuer: z.string(), subject: z.string(), current_password: Password }),
  run: async (session, { issuer, subject, current_password }) => {
    await confirmRequestPerson(session, current_password);
    const detail = message("account.identity.onlyWayIn");
    if (!(await hasPassword(database(), session.user.id)))
      throw new AppError({ kind: "conflict", detail });
    const link = { issuer, subject, user_id: session.user.id };
    if (!(await unlinkIdentity(database(), link))) throw new AppError({ kind: "not_found" });
    return noteDone(session, "identity.unlink");
  },
});

const WRONG_CODE = message("account.secondFactor.wrongCode");

async function confirmCode({ user }: Session, code: string) {
  const visit = await currentVisit();
  const given = { user_id: user.id, code, visit, keys: encryptionKeysOf(env()) };
  const checked = await checkCode(database(), given, new Date());
  if (checked === "taken") return;
  throw checked.kind === "wait"
    ? tooManyAttemptsFailure("code", checked.seconds)
    : fieldFailure("code", WRONG_CODE);
}

async function noteDone(
  { user }: Pick<Session, "user">,
  kind: AccountEventKind,
): Promise<null> {
  const { address } = await currentVisit();
  await writeAccountEvent(database(), { user_id: user.id, kind, address }, new Date());
  return null;
}
