import { processingFee } from "#contract/amount.ts";
import type { Database } from "../db/database.ts";
import { recordOutcomes } from "../deliveries/record-store.ts";
import { signMessage } from "../deliveries/sign.ts";
import { bookAccount } from "../ledger/book.ts";
import { emitEvents, type EmittedPayment } from "../subscriptions/emit-events.ts";
import { amountOn, selectListedPrice } from "../subscriptions/pricing.ts";
import { localDate } from "#contract/process/local-day.ts";
import { findTransition } from "../subscriptions/transitions.ts";
import { decryptSecret } from "../webhooks/secret.ts";
import { generateHistory, YEAR, type SeedChange } from "./history.ts";
import { randomOf, uuidOf } from "./random.ts";
import { generateSubscription, type SeedPlan } from "./subscriptions.ts";

export interface PaidChange extends SeedChange {
  payment: EmittedPayment | null;
}

interface Owner {
  sellerId: number;
  timeZone: string;
  secretsKey: Buffer | undefined;
}

const KIND = 0x5eed_0004;
/**
 * The start of the generated deliveries, in milliseconds before now; finished deliveries are kept
 * for thirty days.
 */
const DELIVERED_SINCE = 25 * 86_400_000;

/**
 * Inserts a year of history for `count` generated subscriptions: each payment with the amount
 * charged on its day, and the deliveries of the last weeks.
 * @returns all changes, in order of time
 */
export async function insertHistory(
  database: Database,
  owner: Owner,
  plan: SeedPlan,
  count: number,
): Promise<PaidChange[]> {
  const charge = readCharges(database, owner);
  const happened: PaidChange[] = [];
  for (let index = 0; index < count; index += 1) {
    const one = generateSubscription(plan, index);
    for (const change of generateHistory(plan, one, index))
      happened.push({ ...change, payment: await charge(change, one.period.currency) });
  }
  happened.sort((one, other) => one.at.getTime() - other.at.getTime());
  await insertChanges(database, owner, plan, happened);
  await insertPayments(database, owner, happened);
  await bookAccount(database, owner.sellerId);
  if (owner.secretsKey) await tellEndpoints(database, owner, plan, happened);
  return happened;
}

function readCharges(database: Database, { sellerId, timeZone }: Owner) {
  const known = new Map<string, Promise<{ total: string; vat: string | null }>>();
  return async (
    { subscription_id, pbp_id, trigger, at }: SeedChange,
    currency: string,
  ): Promise<EmittedPayment | null> => {
    if (trigger !== "payment_succeeded") return null;
    const day = localDate(at, timeZone).toString();
    const key = `${pbp_id} ${day}`;
    const asked =
      known.get(key) ??
      selectListedPrice(database, sellerId, pbp_id).then((price) => amountOn(price, day));
    known.set(key, asked);
    const { total, vat } = await asked;
    return {
      payment_id: uuidOf(`payment ${subscription_id} ${at.toISOString()}`),
      amount: total,
      currency,
      vat,
      fee: processingFee(total),
      method: at.getTime() % 3 === 0 ? "bank" : "wallet",
      provider_reference: null,
      paid_at: at,
    };
  };
}

async function insertChanges(
  database: Database,
  { sellerId }: Owner,
  { now }: SeedPlan,
  happened: PaidChange[],
): Promise<void> {
  await database.query("update seller set history_from = $2 where seller_id = $1", [
    sellerId,
    new Date(+now - YEAR * 86_400_000),
  ]);
  await database.query(
    `insert into subscription_change (seller_id, subscription_id, recorded_at, old_status, new_status,
       old_pbp_id, new_pbp_id, old_period_start, new_period_start, old_next_billing, new_next_billing)
     select $1, subscription_id, at, old_status, new_status, pbp_id, pbp_id, old_start, new_start,
       old_next, new_next
     from jsonb_to_recordset($2) as one (subscription_id uuid, at timestamptz, old_status text,
       new_status text, pbp_id text, old_start timestamptz, new_start timestamptz,
       old_next timestamptz, new_next timestamptz)
     where (old_status, old_start, old_next) is distinct from (new_status, new_start, new_next)
     order by at`,
    [sellerId, JSON.stringify(happened)],
  );
}

async function insertPayments(
  database: Database,
  { sellerId }: Owner,
  happened: PaidChange[],
): Promise<void> {
  const rows = happened.flatMap(({ subscription_id, at, old_next, payment }) =>
    // The paid period begins where the last one ended.
    payment ? [{ ...payment, subscription_id, period_start: old_next ?? at }] : [],
  );
  await database.query(
    `insert into payment
       (payment_id, seller_id, subscription_id, period_start, amount, currency, vat, fee, method,
        paid_at)
     select payment_id, $1, subscription_id, period_start, amount, currency, vat, fee, method,
       paid_at
     from jsonb_to_recordset($2) as one (payment_id uuid, subscription_id uuid,
       period_start timestamptz, amount numeric, currency text, vat numeric, fee numeric,
       method text, paid_at timestamptz)`,
    [sellerId, JSON.stringify(rows)],
  );
}

/**
 * Each event contains the subscription as it was then, except that an ended one has no billing
 * date; after the last event it has its current values.
 */
async function tellEndpoints(
  database: Database,
  owner: Owner,
  { now }: SeedPlan,
  happened: PaidChange[],
): Promise<void> {
  const recent = happened.filter(({ at }) => at.getTime() > now.getTime() - DELIVERED_SINCE);
  for (const change of recent) {
    const { subscription_id, trigger, old_status, new_status, payment } = change;
    const move = findTransition(old_status, trigger, { isOneTime: change.is_one_time });
    if (move.outcome !== "changed") continue;
    await database.query(
      `update subscription set current_period_start = $2,
         next_billing_cycle = case when next_billing_cycle is not null then $3::timestamptz end
       where subscription_id = $1`,
      [subscription_id, change.new_start, change.new_next],
    );
    await emitEvents(database, {
      seller_id: owner.sellerId,
      subscription_id,
      events: move.events,
      old_status,
      new_status,
      reason: payment ? (old_status === "pending_checkout" ? "payment" : "renewal") : trigger,
      details: payment ?? undefined,
      created_at: change.at,
    });
  }
  await deliver(database, owner);
}

interface Pending {
  delivery_id: number;
  webhook_id: number;
  subscription_id: string;
  event_id: string;
  body: string;
  created_at: Date;
  endpoint_url: string;
  sealed_secret: Buffer;
}

/**
 * Stores deliveries as if the shop's endpoint had accepted them: most at once, some on the second
 * attempt.
 */
async function deliver(database: Database, { sellerId, secretsKey }: Owner): Promise<void> {
  const { rows } = await database.query<Pending>(
    `select d.delivery_id, d.webhook_id, d.subscription_id, d.event_id, d.body, d.created_at,
       w.endpoint_url, w.sealed_secret
     from delivery d join webhook w on w.id = d.webhook_id
     where d.seller_id = $1 and d.state = 'pending' order by d.delivery_id`,
    [sellerId],
  );
  const attempts = rows.map(({ sealed_secret, event_id, body, created_at, ...row }, place) => {
    const random = randomOf(KIND, place);
    const secrets = [decryptSecret(secretsKey as Buffer, sellerId, sealed_secret)];
    const attempt = (seconds: number, tries: number) => {
      const started_at = new Date(created_at.getTime() + seconds * 1_000);
      return {
        ...row,
        seller_id: sellerId,
        started_at,
        duration_ms: random.integer(60, 340),
        signatures: signMessage({ event_id, body }, started_at, secrets),
        tries,
        by_hand: false,
      };
    };
    return { isRetried: random.chance(0.06), attempt };
  });
  const retried = attempts.filter(({ isRetried }) => isRetried);
  await recordOutcomes(
    database,
    retried.map(({ attempt }) => ({
      ...attempt(1, 1),
      response_code: 503,
      response_body: "Busy, please come again.",
      error: "It answered 503.",
      state: "pending",
      next_at: null,
    })),
  );
  await recordOutcomes(
    database,
    attempts.map(({ isRetried, attempt }) => ({
      ...(isRetried ? attempt(32, 2) : attempt(1, 1)),
      response_code: 200,
      response_body: "ok",
      error: null,
      state: "delivered",
      next_at: null,
    })),
  );
}
