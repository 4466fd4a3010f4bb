import "server-only";
import { requireSeller } from "#lib/auth/require-seller.ts";
import type { Scope } from "#lib/auth/scope.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { readMessages } from "../data.ts";
import { remindersOf, type OwnReminder, type Reminders } from "./rules.ts";

export async function getReminders(scope: Scope): Promise<Reminders> {
  const { seller } = await requireSeller(scope, "subscriptions:read");
  return readReminders(database(), seller.id);
}

/** The seller's own texts, and ours where there are none. */
export async function readReminders(db: Database, seller_id: string): Promise<Reminders> {
  const { rows } = await db.query<OwnReminder>(
    "select kind, language, channel, body from reminder_text where seller_id = $1",
    [seller_id],
  );
  return remindersOf(rows, await readMessages(db, seller_id));
}
