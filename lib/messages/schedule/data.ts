import "server-only";
import { isSendingChannel } from "../sending/rules.ts";
import { absenceOf, absenceOrFailure } from "../sending/data.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { findAccountClient } from "#lib/billing/account.ts";
import { findMessageClient } from "#lib/billing/message-account.ts";
import { MessageClient } from "#lib/billing/message-client.ts";
import { database } from "#lib/db/pool.ts";
import { isMissing } from "#lib/failure.ts";
import type { Scope } from "#lib/scope.ts";
import { readReminders } from "../reminders/store.ts";
import type { PlannedToday } from "./queries.ts";
import { isShowable, type ScheduleResult } from "./rules.ts";

/** The seller's schedule of reminders, with what its page needs beside it. */
export async function getSchedule(scope: Scope): Promise<ScheduleResult> {
  const { owner, seller } = await requireSeller(scope, "connection:read");
  const client = await findMessageClient(owner);
  if (!client) return { absence: absenceOf(owner) };
  try {
    const [schedule, setups, templates] = await Promise.all([
      client.readSchedule(),
      client.listChannels(),
      readReminders(database(), seller.id),
    ]);
    if (!isShowable(schedule)) return { failure: { kind: "unexpected" } };
    const channels = setups.results
      .filter(({ is_active }) => is_active)
      .map(({ channel }) => channel)
      .filter(isSendingChannel);
    return { schedule, templates, channels };
  } catch (error) {
    return absenceOrFailure(owner, error);
  }
}

/** What goes out today, for who works through the buyers. */
export async function getPlanned(scope: Scope): Promise<PlannedToday> {
  const { owner } = await requireSeller(scope, "subscriptions:read");
  const client = await findAccountClient(owner, MessageClient);
  if (!client) return { is_offered: false };
  try {
    return { is_offered: true, ...(await client.readPlanned()) };
  } catch (error) {
    if (isMissing(error)) return { is_offered: false };
    throw error;
  }
}
