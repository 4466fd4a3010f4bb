import "server-only";
import { BillingError } from "#lib/billing/errors.ts";
import { waitOf } from "#lib/format/format.ts";
import { message } from "#lib/i18n/message.ts";

/** One field of a form that needs another look. */
export function fieldFailure(field: string, text: string): BillingError {
  return new BillingError({ kind: "validation", fields: { [field]: [text] }, detail: null });
}

/** The same where it was tried too often. */
export function waitFailure(field: string, seconds: number): BillingError {
  return fieldFailure(field, message("failures.tries", waitOf(seconds)));
}
