import "server-only";
import { concernsRow } from "#contract/process/database.ts";
import { setTimeout as delay } from "node:timers/promises";
import { findMessageClient } from "#lib/billing/message-account.ts";
import type { MessageClient } from "#lib/billing/message-client.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { logFault } from "#lib/log.ts";
import { leaseSql } from "#lib/db/lease.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { failureOf } from "#lib/failure.ts";

type Holder = Pick<MessageClient, "holdReminders" | "listHolds" | "removeHold">;

/** Longer than the calls for one subscription can take. */
const LEASE = leaseSql(90);
const AT_ONCE = 20;
const LONGEST_WAIT_MS = 4_000;

interface Claimed {
  subscription_id: string;
  until: string | null;
  version: string;
  claim: string;
}

/**
 * Tells the service at once how a promise or snooze of a subscription affects its reminders.
 * @returns whether this failed; the worker then tries again
 */
export async function sendHold(owner: KeyOwner, subscription_id: string): Promise<boolean> {
  const db = database();
  const told = sendHolds(db, owner, await findMessageClient(owner), subscription_id);
  const failed = () => true;
  await Promise.race([told.catch(failed), delay(LONGEST_WAIT_MS, undefined, { ref: false })]);
  return isWaiting(db, owner, subscription_id).catch(failed);
}

/** A task of the worker: tells the service about holds that it was not told about at once. */
export async function sendQueuedHolds(owner: KeyOwner): Promise<void> {
  try {
    const db = database();
    if (await isWaiting(db, owner, null))
      await sendHolds(db, owner, await findMessageClient(owner));
  } catch (error) {
    logFault("collection: holds of reminders were not told", error);
  }
}

const isWaiting = (
  db: Database,
  { seller_id, mode }: KeyOwner,
  subscription_id: string | null,
) =>
  concernsRow(
    db,
    `select 1 from hold_to_tell
      where seller_id = $1 and mode = $2 and ($3::text is null or subscription_id = $3) limit 1`,
    [seller_id, mode, subscription_id],
  );

/**
 * Tells the service about due holds, only the newest of each subscription. A failure is tried again
 * later, up to an hour apart.
 * @param client null if the account was forgotten meanwhile
 */
export async function sendHolds(
  db: Database,
  { seller_id, mode }: KeyOwner,
  client: Holder | null,
  subscription_id: string | null = null,
): Promise<void> {
  if (!client) return;
  const { rows } = await db.query<Claimed>(
    `update hold_to_tell h
        set ${LEASE.acquire}, tries = h.tries + 1,
            next_at = clock_timestamp() + least(interval '1 hour', interval '30 seconds' * 2 ^ h.tries)
       from (select subscription_id from hold_to_tell o
              where seller_id = $1 and mode = $2 and ($3::text is null or subscription_id = $3)
                and next_at <= clock_timestamp() and ${LEASE.isFree("o")}
              order by next_at limit ${AT_ONCE} for update skip locked) due
      where h.seller_id = $1 and h.mode = $2 and h.subscription_id = due.subscription_id
      returning h.subscription_id, h.until::text, h.version, h.claim`,
    [seller_id, mode, subscription_id],
  );
  for (const row of rows) {
    const failure = await tell(client, row).then(() => null, failureOf);
    // A service without reminders, or without this subscription, has nothing to hold.
    const isSettled =
      failure === null || failure.kind === "not_found" || failure.kind === "not_offered";
    const which = [seller_id, mode, row.subscription_id, row.claim];
    if (isSettled)
      await db.query(
        `delete from hold_to_tell where seller_id = $1 and mode = $2 and subscription_id = $3
          and ${LEASE.isHeldBy("$4")} and version = $5`,
        [...which, row.version],
      );
    await db.query(
      `update hold_to_tell set ${LEASE.release}
        where seller_id = $1 and mode = $2 and subscription_id = $3 and ${LEASE.isHeldBy("$4")}`,
      which,
    );
  }
}

async function tell(client: Holder, { subscription_id, until }: Claimed): Promise<void> {
  if (until !== null) {
    await client.holdReminders({ subscription_id, until, only_this_period: true });
    return;
  }
  const { results } = await client.listHolds(subscription_id);
  for (const hold of results.filter((one) => one.until !== null))
    await client.removeHold(hold.id).catch((error: unknown) => {
      if (failureOf(error).kind !== "not_found") throw error;
    });
}
