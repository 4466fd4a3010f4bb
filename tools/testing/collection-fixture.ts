import type { Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { saveContact, type NewContact, type Actor } from "#lib/collection/contacts-store.ts";
import type { QueueQuestion, QueueRow } from "#lib/collection/queue-store.ts";
import { parseQueueSearch } from "#lib/collection/search.ts";
import { pool } from "./dashboard-database.ts";
import { makeSubscription } from "./records-fixture.ts";
import { createPerson } from "./person.ts";

export const DAY_MS = 86_400_000;

/** Creates a team member of the seller who contacts buyers. */
export async function actorOf(owner: KeyOwner): Promise<Actor> {
  const { id } = await createPerson(pool);
  await pool.query(
    "insert into membership (user_id, seller_id, role) values ($1, $2, 'support')",
    [id, owner.seller_id],
  );
  return { ...owner, person_id: id, person_name: "Asha" };
}

export const question = (worker: Actor, more: Partial<QueueQuestion> = {}): QueueQuestion => ({
  search: parseQueueSearch({}),
  words: "",
  person_id: worker.person_id,
  time_zone: "Asia/Kathmandu",
  now: new Date().toISOString(),
  grace: 7,
  ...more,
});

export const everything = { after: null, limit: 1_000 };
export const at = (days: number, now = Date.now()) =>
  new Date(now + days * DAY_MS).toISOString();
export const namesOf = (rows: QueueRow[]) => rows.map(({ record }) => record.client.full_name);

export const due = (days: number, name: string, more: Partial<Subscription> = {}) =>
  makeSubscription({
    status: "due",
    is_active: false,
    next_billing_cycle: at(-days),
    client: { full_name: name },
    ...more,
  } as Parameters<typeof makeSubscription>[0]);

let told = 0;

/** Stores a delivery as if the receiver had received it. */
export async function tellOf(
  owner: KeyOwner,
  subscription_id: string,
  {
    event = "checkout.failed",
    verdict = "verified",
    reason = null as string | null,
    days = 0,
  } = {},
) {
  told += 1;
  await pool.query(
    `insert into received_delivery (seller_id, mode, delivery_id, verdict, event, subscription_id,
                                    received_at, reason)
     values ($1, $2, $3, $4, $5, $6, now() - make_interval(days => $7), $8)`,
    [
      owner.seller_id,
      owner.mode,
      `told-${told}`,
      verdict,
      event,
      subscription_id,
      days,
      reason,
    ],
  );
}

export const keep = (worker: Actor, record: Subscription, contact: Partial<NewContact>) =>
  saveContact(pool, worker, {
    subscription_id: record.subscription_id,
    kind: "reminder",
    channel: "whatsapp",
    cycle: record.next_billing_cycle,
    ...contact,
  });

/** Stores the contact of a goodwill extension that keeps the amount owed. */
export const keepDebt = (
  worker: Actor,
  record: Subscription,
  { cycle, since }: { cycle: string | null; since: string },
) =>
  pool.query(
    `insert into contact (seller_id, mode, subscription_id, person_id, person_name, kind, cycle, detail)
     values ($1, $2, $3, $4, $5, 'courtesy', $6, $7)`,
    [
      worker.seller_id,
      worker.mode,
      record.subscription_id,
      worker.person_id,
      worker.person_name,
      cycle,
      {
        owed: "kept",
        amount: "650.00",
        currency: "NPR",
        payments: 1,
        reason: "hardship",
        since,
        cycle,
        start: record.current_period_start,
      },
    ],
  );
