import { internationalDigits, phoneKey } from "#contract/phone-number.ts";
import type { OptOut } from "#contract/reminders.ts";
import type { Failure } from "#lib/failure.ts";
import type { SendingAbsence } from "../sending/rules.ts";

/** The newest opt-outs, or those that a search found. */
export interface OptOutList {
  opt_outs: OptOut[];
  has_more: boolean;
}

export type OptOutsResult = OptOutList | { absence: SendingAbsence } | { failure: Failure };

/** Selects the opt-outs of exactly this phone or mail from those found by a part of either. */
export function optOutsOf(
  found: OptOut[],
  { phone, email, time_zone }: { phone: string; email: string; time_zone: string },
): OptOut[] {
  const numberOf = (text: string) => internationalDigits(text, time_zone) ?? phoneKey(text);
  const mailOf = (text: string) => text.trim().toLowerCase();
  const [number, mail] = [numberOf(phone), mailOf(email)];
  return found.filter(
    (one) =>
      (number !== "" && numberOf(one.phone) === number) ||
      (mail !== "" && mailOf(one.email) === mail),
  );
}
