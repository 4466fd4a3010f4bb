import "server-only";
import { AppError } from "#lib/failure.ts";
import { waitInUnits } from "#lib/format/format.ts";
import { message } from "#lib/i18n/message.ts";

export function fieldFailure(field: string, text: string): AppError {
  return new AppError({ kind: "validation", fields: { [field]: [text] }, detail: null });
}

export function tooManyAttemptsFailure(field: string, seconds: number): AppError {
  return fieldFailure(field, message("failures.tries", waitInUnits(seconds)));
}
