import "server-only";
import { AppError } from "#lib/failure.ts";
import { waitInUnits } from "#lib/format/format.ts";
import { message } from "#lib/i18n/message.ts";

/** A validation failure on one field. */
export function fieldFailure(field: string, text: string): AppError {
  return new AppError({ kind: "validation", fields: { [field]: [text] }, detail: null });
}

/** A validation failure after too many attempts. */
export function tooManyAttemptsFailure(field: string, seconds: number): AppError {
  return fieldFailure(field, message("failures.tries", waitInUnits(seconds)));
}
