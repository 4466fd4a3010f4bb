import "server-only";
import { plannedPlace } from "#contract/process/planned-page.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { PlannedToday } from "#lib/messages/schedule/queries.ts";
import { absenceOrFailure } from "#lib/messages/sending/data.ts";
import { invalidInput } from "#lib/failure.ts";
import type { Scope } from "#lib/scope.ts";
import { findReminders } from "./source.ts";

/** A page of today's reminders; `is_offered` is false if nothing sends reminders for the seller. */
export async function getPlanned(scope: Scope, request: Request): Promise<PlannedToday> {
  const signedIn = await requireSeller(scope, "subscriptions:read");
  const after = new URL(request.url).searchParams.get("after");
  if (after !== null && !plannedPlace(after)) throw invalidInput();
  const reminders = await findReminders(signedIn);
  if (!reminders) return { is_offered: false };
  try {
    return { is_offered: true, ...(await reminders.readPlanned(after)) };
  } catch (error) {
    if ("absence" in (await absenceOrFailure(signedIn.owner, error)))
      return { is_offered: false };
    throw error;
  }
}
