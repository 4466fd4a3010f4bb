import type pg from "pg";
import { insertKey } from "../../sellers/key-store.ts";
import { encryptSecret } from "../../webhooks/secret.ts";
import { seedDemonstration } from "../../seed/seed.ts";
import type { FuzzedRecords } from "./values.ts";

/** Demonstration data to fuzz: valid and invalid keys, and the records that requests can name. */
export async function seedFuzzedService(
  pool: pg.Pool,
  secretsKey: Buffer,
): Promise<{ known: FuzzedRecords; keys: string[]; token: string }> {
  const sellers = await seedDemonstration(pool, {
    subscriptions: 250,
    branches: 35,
    now: new Date(),
    publicUrl: "http://billing.test",
    mode: "test",
    secretsKey,
  });
  const keys = sellers.flatMap((seller) => seller.keys.map(({ key }) => key ?? ""));
  const { rows: first } = await pool.query<{ seller_id: number }>(
    "select seller_id from seller where name = $1",
    [sellers[0]?.name],
  );
  const own = {
    seller_id: first[0]?.seller_id ?? 0,
    mode: "test" as const,
    created_at: new Date(),
  };
  const token = await insertKey(pool, { ...own, kind: "account_token" });
  await seedPayments(pool, own.seller_id, secretsKey);
  const spare = [await insertKey(pool, own), await insertKey(pool, own)];
  const ids = async (query: string) => {
    const { rows } = await pool.query<{ id: string }>(query);
    return rows.map(({ id }) => id);
  };
  return {
    keys: [...keys, "", "no key at all"],
    token: token.text,
    known: {
      pbp_id: await ids("select pbp_id as id from billing_period order by 1 limit 60"),
      subscription_id: await ids(
        "select subscription_id::text as id from subscription order by seller_id, position desc limit 300",
      ),
      customer_id: await ids(
        "select id::text from customer order by seller_id, id desc limit 200",
      ),
      // Ids of states that requests of the run may save.
      state_id: ["1", "2", "3", "4", "5"],
      // Keys that no request of the run sends: the run may revoke them.
      key_id: spare.map(({ row }) => String(row.id)),
      product_id: await ids(
        "select product_id::text as id from product order by position limit 60",
      ),
      plan_id: await ids("select plan_id::text as id from plan order by 1 limit 60"),
      account_key: await ids("select account_key::text as id from payment_account"),
      charge_id: await ids("select charge_id::text as id from charge limit 60"),
      payment_id: await ids(
        "select payment_id::text as id from payment order by seller_id, paid_at desc limit 60",
      ),
      recorded_id: await ids("select recorded_id::text as id from recorded_payment"),
      refund_id: await ids("select refund_id::text as id from refund"),
      webhook_id: await ids("select id::text from webhook order by id desc limit 60"),
    },
  };
}

/** An account at a provider with open charges, recorded payments and refunds by hand. */
async function seedPayments(pool: pg.Pool, sellerId: number, secretsKey: Buffer) {
  const settings = JSON.stringify({ shop: "one", key: "k" });
  await pool.query(
    `insert into payment_account (seller_id, mode, provider, sealed_settings, position, is_active, created_at)
     values ($1, 'test', 'fake', $2, 1, false, now())`,
    [sellerId, encryptSecret(secretsKey, sellerId, settings)],
  );
  await pool.query(
    `with chosen as (
       select s.*, gen_random_uuid() as attempt_id from subscription s
       where seller_id = $1 and status = 'pending_checkout' limit 5),
     begun as (
       insert into checkout_attempt (attempt_id, seller_id, subscription_id, method, code_hash, state,
         created_at, expires_at, pbp_id, schedule, account_id, amount, currency)
       select attempt_id, seller_id, subscription_id, 'wallet', 'x', 'pending', now(), now(), pbp_id,
         schedule, (select account_id from payment_account where seller_id = $1), 100, 'NPR'
       from chosen returning *)
     insert into charge (charge_id, attempt_id, seller_id, subscription_id, account_id, reference,
       amount, currency, state, hand_over, begun_at, next_at)
     select gen_random_uuid(), attempt_id, seller_id, subscription_id, account_id, attempt_id::text,
       amount, currency, 'open', '{"kind": "push"}', now(), now() from begun`,
    [sellerId],
  );
  await pool.query(
    `insert into recorded_payment (recorded_id, seller_id, subscription_id, state, method, amount,
       currency, schedule, period_start, reference, received_on, recorded_by_id, recorded_by,
       recorded_at)
     select gen_random_uuid(), seller_id, subscription_id, 'waiting', 'cash', 100, 'NPR', schedule,
       next_billing_cycle, 'Book 1', current_date, '1', 'Sita Rai', now()
     from subscription where seller_id = $1 and status = 'due' limit 5`,
    [sellerId],
  );
  await pool.query(
    `insert into refund (refund_id, seller_id, payment_id, subscription_id, amount, reason, cause,
       state, requested_by_id, requested_by, requested_at)
     select gen_random_uuid(), seller_id, payment_id, subscription_id, 1, 'Paid twice', 'requested',
       'by_hand', '1', 'Sita Rai', now()
     from payment where seller_id = $1 and amount > 1 limit 5`,
    [sellerId],
  );
}
