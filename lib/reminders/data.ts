import "server-only";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { PlannedToday } from "#lib/messages/schedule/queries.ts";
import { absenceOrFailure } from "#lib/messages/sending/data.ts";
import type { Scope } from "#lib/scope.ts";
import { findReminders } from "./source.ts";

/** What goes out today, for who works through the buyers. */
export async function getPlanned(scope: Scope): Promise<PlannedToday> {
  const signedIn = await requireSeller(scope, "subscriptions:read");
  const reminders = await findReminders(signedIn);
  if (!reminders) return { is_offered: false };
  try {
    return { is_offered: true, ...(await reminders.readPlanned()) };
  } catch (error) {
    if ("absence" in (await absenceOrFailure(signedIn.owner, error)))
      return { is_offered: false };
    throw error;
  }
}
