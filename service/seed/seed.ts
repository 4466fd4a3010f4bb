import type pg from "pg";
import { phoneKey } from "../customers/store.ts";
import { transaction, type Database } from "../db/database.ts";
import { insertCatalogue } from "../products/catalogue.ts";
import { findSellerByName, insertSeller, issueKey, type Seller } from "../sellers/store.ts";
import { localDate } from "../subscriptions/periods.ts";
import { demonstrationCatalogue } from "./catalogue.ts";
import { inventPerson, type Person } from "./people.ts";
import { createRandom } from "./random.ts";
import { inventSubscriptions, periodsOf, type SeedSubscription } from "./subscriptions.ts";

export const DEMONSTRATION_SELLER = "Phewa Home Services";
const BATCH = 2_000;

interface SeedOptions {
  subscriptions: number;
  now: Date;
  /** Where this service is reached, without a trailing slash. */
  publicUrl: string;
  mode: "test" | "live";
}

export interface SeededSeller {
  name: string;
  mode: "test" | "live";
  state: string;
  key: string;
}

/**
 * The demonstration seller with its catalogue, buyers and subscriptions: the same on every
 * machine, but for dates, which lie around today. Seeded already, it only gets a further key.
 */
export async function seedDemonstration(
  pool: pg.Pool,
  options: SeedOptions,
): Promise<SeededSeller> {
  const { now, mode } = options;
  return transaction(pool, async (database) => {
    // Two seeds at once must not both find nothing there.
    await database.query("select pg_advisory_xact_lock(7340022)");
    const seller =
      (await findSellerByName(database, DEMONSTRATION_SELLER)) ??
      (await seedSeller(database, options));
    const key = await issueKey(database, {
      seller_id: seller.seller_id,
      mode,
      created_at: now,
    });
    return { name: seller.name, mode, state: "verified", key };
  });
}

async function seedSeller(
  database: Database,
  { subscriptions, now, publicUrl }: SeedOptions,
): Promise<Seller> {
  const time_zone = "Asia/Kathmandu";
  const seller = await insertSeller(database, {
    ...{ name: DEMONSTRATION_SELLER, time_zone },
    kyc_verified: true,
    api_usage_type: "reminder_and_payment",
    grace_days: 7,
    created_at: now,
  });
  const random = createRandom(20_260_401);
  const today = localDate(now, time_zone);
  const catalogue = demonstrationCatalogue(today, `${publicUrl}/media/products`);
  for (const product of catalogue) {
    product.product_id = random.uuid();
    for (const plan of product.plans) plan.plan_id = random.uuid();
  }
  await insertCatalogue(database, seller.seller_id, catalogue, now);

  const people = Array.from(
    { length: Math.max(20, Math.ceil(subscriptions * 0.6)) },
    (_, index) => inventPerson(random, index),
  );
  const invented = inventSubscriptions({
    ...{ random, people, now, today },
    periods: periodsOf(catalogue),
    count: subscriptions,
    timeZone: time_zone,
    graceDays: seller.grace_days,
  });
  const customerIds = await insertPeople(database, seller.seller_id, people, now);
  await insertSubscriptions(database, seller.seller_id, invented, people, customerIds);
  return seller;
}

async function insertPeople(database: Database, sellerId: number, people: Person[], now: Date) {
  const ids: number[] = [];
  for (let from = 0; from < people.length; from += BATCH) {
    const rows = people
      .slice(from, from + BATCH)
      .map((person) => ({ ...person, phone_key: phoneKey(person.phone) }));
    const inserted = await database.query<{ id: number }>(
      `insert into customer
         (seller_id, phone_key, buyer_phone, full_name, buyer_email, address, billing, created_at)
       select $1, phone_key, phone, full_name, email, address, nullif(billing, 'null'), $3
       from jsonb_to_recordset($2) as person
         (phone_key text, phone text, full_name text, email text, address text, billing jsonb)
       returning id`,
      [sellerId, JSON.stringify(rows), now],
    );
    ids.push(...inserted.rows.map((row) => row.id));
  }
  return ids;
}

async function insertSubscriptions(
  database: Database,
  sellerId: number,
  invented: SeedSubscription[],
  people: Person[],
  customerIds: number[],
) {
  for (let from = 0; from < invented.length; from += BATCH) {
    const rows = invented
      .slice(from, from + BATCH)
      .map(({ period, person, ...subscription }, index) => ({
        ...people[person],
        ...period,
        ...subscription,
        position: from + index + 1,
        customer_id: customerIds[person],
        is_one_time: period.interval_type === "one_time",
      }));
    await database.query(
      `insert into subscription (seller_id, position, customer_id, product_id, plan_id, pbp_id,
         is_one_time, status, phone, full_name, email, address, billing, return_url,
         current_period_start, next_billing_cycle, anchor_day, created_at, subscription_id)
       select $1, position, customer_id, product_id, plan_id, pbp_id, is_one_time, status, phone,
         full_name, email, address, nullif(billing, 'null'), 'https://phewa.example/thanks',
         current_period_start, next_billing_cycle, anchor_day, created_at, subscription_id
       from jsonb_to_recordset($2) as one (position bigint, customer_id bigint, product_id uuid,
         plan_id uuid, pbp_id text, is_one_time boolean, status text, phone text, full_name text,
         email text, address text, billing jsonb, current_period_start timestamptz,
         next_billing_cycle timestamptz, anchor_day smallint, created_at timestamptz,
         subscription_id uuid)`,
      [sellerId, JSON.stringify(rows)],
    );
  }
  await database.query("update seller set last_position = $2 where seller_id = $1", [
    sellerId,
    invented.length,
  ]);
}
