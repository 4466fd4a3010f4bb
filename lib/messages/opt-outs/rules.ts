import type { OptOut } from "#contract/reminders.ts";
import type { Failure } from "#lib/failure.ts";
import type { SendingAbsence } from "../sending/rules.ts";

/** The newest of those who want no reminders. */
export interface OptOutList {
  opt_outs: OptOut[];
  has_more: boolean;
}

export type OptOutsResult = OptOutList | { absence: SendingAbsence } | { failure: Failure };
