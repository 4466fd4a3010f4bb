import "server-only";
import * as z from "zod";
import { message } from "#lib/i18n/message.ts";
import { hasHiddenCharacters } from "#lib/text/fold-text.ts";
import { lineField } from "#lib/text/line-field.ts";
import { PASSWORD_LENGTH } from "#lib/auth/rules.ts";

export const Email = z
  .string()
  .trim()
  .min(1, message("fields.email.missing"))
  .max(254, message("fields.email.tooLong"))
  .pipe(z.email(message("fields.email.invalid")));

const LONGEST = 80;

/** A password is not trimmed; hashNewPassword validates new ones. */
export const Password = z.string().max(1_000);

/** Reports a missing password together with the form's other fields. */
export const NewPassword = Password.min(
  1,
  message("fields.password.short", { count: PASSWORD_LENGTH.shortest }),
);

/** A provider's name for the person, cut to what is allowed; can be empty. */
export const sanitizePersonName = (name: string) =>
  Array.from(name.slice(0, LONGEST))
    .filter((letter) => !hasHiddenCharacters(letter))
    .join("")
    .trim();

export const PersonName = lineField(LONGEST, message("fields.name.missing"));
