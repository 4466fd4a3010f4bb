import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { withClient } from "../database/client.ts";
import { isWithinLast, writeWork, type Owner, type HistoryChange } from "./work.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Milliseconds to wait until a new search index is full. */
const FILLED_WITHIN = 60_000;
/**
 * How far the generated deliveries go back; received deliveries other than payments are kept for
 * thirty days.
 */
const RECEIVED_SINCE = 14 * DAY;

/**
 * Fills the demonstration with a year of the desk's work: received deliveries, reminders, promises and
 * the audit log. The history of subscriptions and payments comes from the service.
 * @param url the dashboard's database
 * @param publicUrl public URL of the dashboard
 * @param end aborts when the programs that fill the search index end
 * @returns false if the search index was not full in time, or the person owns no connected seller
 */
export async function writeHistory(
  url: string,
  { email, publicUrl, end }: { email: string; publicUrl: string; end: AbortSignal },
  history: HistoryChange[],
): Promise<boolean> {
  return withClient(url, async (db) => {
    const owner = await readOwner(db, email);
    if (!owner || !(await isFilled(db, owner, end))) return false;
    await db.query("begin");
    await writeDeliveries(db, owner, history);
    await writeWork(db, owner, history, publicUrl);
    await db.query("commit");
    return true;
  });
}

async function readOwner(db: pg.Client, email: string): Promise<Owner | undefined> {
  const { rows } = await db.query<Owner>(
    `select m.seller_id, u.id as user_id, u.name as user_name, s.time_zone
       from app_user u join membership m on m.user_id = u.id and m.role = 'owner'
       join seller s on s.id = m.seller_id
       join billing_connection c on c.seller_id = s.id and c.mode = 'test'
      where lower(u.email) = lower($1) order by m.created_at limit 1`,
    [email],
  );
  return rows[0];
}

async function isFilled(
  db: pg.Client,
  { seller_id }: Owner,
  end: AbortSignal,
): Promise<boolean> {
  const until = Date.now() + FILLED_WITHIN;
  while (Date.now() < until && !end.aborted) {
    const { rowCount } = await db.query(
      "select from search_index where seller_id = $1 and mode = 'test' and filled_at is not null",
      [seller_id],
    );
    if (rowCount) return true;
    await wait(200);
  }
  return false;
}

/** Adds the deliveries about payments of the last two weeks. */
async function writeDeliveries(
  db: pg.Client,
  { seller_id }: Owner,
  history: HistoryChange[],
): Promise<void> {
  const received = history.filter(
    ({ at, trigger }) => isWithinLast(at, RECEIVED_SINCE) && trigger.startsWith("payment_"),
  );
  await db.query(
    `insert into received_delivery (seller_id, mode, delivery_id, received_at, signed_at, verdict,
                                    headers, body, event, subscription_id, old_status, new_status)
     select $1, 'test', id, at + interval '2 seconds', at + interval '1 second', 'verified',
            jsonb_build_object('webhook-id', id), body, event, subscription_id, old_status, new_status
       from jsonb_to_recordset($2) as one (id text, at timestamptz, body text, event text,
            subscription_id text, old_status text, new_status text)
      order by at`,
    [seller_id, JSON.stringify(received.map(deliveryOf))],
  );
}

function deliveryOf(change: HistoryChange) {
  const { subscription_id, at, old_status, new_status, payment } = change;
  const id = randomUUID();
  const event = payment ? "checkout.succeeded" : "checkout.failed";
  const reason = !payment
    ? "declined"
    : old_status === "pending_checkout"
      ? "payment"
      : "renewal";
  const body = JSON.stringify({
    id,
    event,
    type: event,
    timestamp: at,
    subscription_id,
    old_status,
    new_status,
    reason,
    data: {
      current_period_start: change.new_start,
      next_billing_cycle: change.new_next,
      ...payment,
    },
  });
  return { id, event, body, at, subscription_id, old_status, new_status };
}
