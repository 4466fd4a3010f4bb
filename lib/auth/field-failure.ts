import "server-only";
import { AppError } from "#lib/failure.ts";
import { waitOf } from "#lib/format/format.ts";
import { message } from "#lib/i18n/message.ts";

/** One field of a form that needs another look. */
export function fieldFailure(field: string, text: string): AppError {
  return new AppError({ kind: "validation", fields: { [field]: [text] }, detail: null });
}

/** The same where it was tried too often. */
export function waitFailure(field: string, seconds: number): AppError {
  return fieldFailure(field, message("failures.tries", waitOf(seconds)));
}
