import "server-only";
import { isSendingChannel } from "../sending/rules.ts";
import { absenceOf, absenceOrFailure } from "../sending/data.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { findMessageClient } from "#lib/billing/message-account.ts";
import { database } from "#lib/db/pool.ts";
import type { Scope } from "#lib/scope.ts";
import { readReminders } from "../reminders/store.ts";
import { isShowable, languagesOf, type ScheduleResult } from "./rules.ts";

/** The seller's schedule of reminders, with the other data of its page. */
export async function getSchedule(scope: Scope): Promise<ScheduleResult> {
  const { owner, seller } = await requireSeller(scope, "connection:read");
  const client = await findMessageClient(owner);
  if (!client) return { absence: absenceOf(owner) };
  try {
    const [schedule, setups, { reminders, languages }] = await Promise.all([
      client.readSchedule(),
      client.listChannels(),
      readReminders(database(), seller.id),
    ]);
    if (!isShowable(schedule)) return { failure: { kind: "unexpected" } };
    const channels = setups.results
      .filter(({ is_active }) => is_active)
      .map(({ channel }) => channel)
      .filter(isSendingChannel);
    return {
      schedule,
      templates: reminders,
      languages: languagesOf(schedule, languages),
      channels,
    };
  } catch (error) {
    return absenceOrFailure(owner, error);
  }
}
