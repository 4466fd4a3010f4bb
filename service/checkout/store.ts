import type { Database } from "../db/database.ts";
import type { SubscriptionRow } from "../subscriptions/store.ts";
import type { Price } from "../subscriptions/pricing.ts";

export type Method = "wallet" | "bank";

export interface Attempt {
  attempt_id: string;
  seller_id: number;
  subscription_id: string;
  method: Method;
  code_hash: Buffer;
  wrong_codes: number;
  state: "open" | "paid" | "declined" | "spent";
  created_at: Date;
  expires_at: Date;
}

/** Price, tax and the day's best offer of a period, read now: an open page may be out of date. */
export async function selectPrice(
  database: Database,
  sellerId: number,
  pbpId: string,
  today: string,
): Promise<Price> {
  const { rows } = await database.query<Price>(
    `select b.price::text as price, p.is_vat_active, p.vat_type,
       p.vat_percentage::text as vat_percentage,
       (select max(o.discount_amount)::text from offer o where o.pbp_id = b.pbp_id
        and o.is_active and $3::date between o.starts_at and o.valid_until) as discount
     from billing_period b join plan l using (plan_id) join product p using (product_id)
     where b.seller_id = $1 and b.pbp_id = $2`,
    [sellerId, pbpId, today],
  );
  return rows[0] as Price;
}

export async function insertAttempt(
  database: Database,
  attempt: Omit<Attempt, "wrong_codes" | "state">,
): Promise<void> {
  await database.query(
    `insert into checkout_attempt
       (attempt_id, seller_id, subscription_id, method, code_hash, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      attempt.attempt_id,
      attempt.seller_id,
      attempt.subscription_id,
      attempt.method,
      attempt.code_hash,
      attempt.created_at,
      attempt.expires_at,
    ],
  );
}

/** Bound to its subscription, so that one buyer's attempt opens nothing of another's. */
export async function selectAttempt(
  database: Database,
  subscriptionId: string,
  attemptId: string,
) {
  const { rows } = await database.query<Attempt>(
    "select * from checkout_attempt where subscription_id = $1 and attempt_id = $2",
    [subscriptionId, attemptId],
  );
  return rows[0] ?? null;
}

export async function updateAttempt(
  database: Database,
  { attempt_id, seller_id }: Attempt,
  changes: Pick<Attempt, "state" | "wrong_codes">,
): Promise<void> {
  await database.query(
    "update checkout_attempt set state = $3, wrong_codes = $4 where attempt_id = $1 and seller_id = $2",
    [attempt_id, seller_id, changes.state, changes.wrong_codes],
  );
}

export async function countRecentAttempts(
  database: Database,
  subscriptionId: string,
  since: Date,
) {
  const { rows } = await database.query<{ count: number }>(
    "select count(*)::int as count from checkout_attempt where subscription_id = $1 and created_at > $2",
    [subscriptionId, since],
  );
  return rows[0]?.count ?? 0;
}

interface NewPayment {
  payment_id: string;
  period_start: Date;
  amount: string;
  method: Method;
  paid_at: Date;
}

export async function insertPayment(
  database: Database,
  { seller_id, subscription_id, schedule, currency }: SubscriptionRow,
  payment: NewPayment,
): Promise<void> {
  await database.query(
    `insert into payment
       (payment_id, seller_id, subscription_id, schedule, period_start, amount, currency, method,
        paid_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      payment.payment_id,
      seller_id,
      subscription_id,
      schedule,
      payment.period_start,
      payment.amount,
      currency,
      payment.method,
      payment.paid_at,
    ],
  );
}
