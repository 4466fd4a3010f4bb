import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "#tools/testing/database.ts";
import { migrateDashboard } from "./migrate.ts";

const DIRECTORY = join(process.cwd(), "lib/db/migrations");
/** The last migration of version 0.1. */
const LAST = "0024_counted.sql";

const RECORDS = [
  ["due", "2026-11-20T06:15:00Z"],
  ["cancelled", "2026-11-20T06:15:00Z"],
];

/**
 * Stores a seller with indexed subscriptions, a verified delivery of a payment and a goodwill
 * contact, as version 0.1 did.
 */
async function fill(db: pg.Client): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    "insert into seller (name, time_zone) values ('Phewa', 'Asia/Kathmandu') returning id",
  );
  const seller = rows[0]?.id ?? "";
  await db.query(
    `insert into billing_connection (seller_id, mode, sealed_key, key_id, last4)
     values ($1, 'test', '', '', '')`,
    [seller],
  );
  for (const [status, next] of RECORDS)
    await db.query(
      `insert into mirror_subscription (seller_id, mode, id, status, full_name, name_key, phone,
         phone_key, email, product_id, product_name, plan_name, pbp_id, label, price, currency,
         next_billing_cycle, created_at, words, record, asked_at, read_at)
       values ($1, 'test', $2, $2, '', '', '', '', '', '', '', '', '', '', 1000, 'NPR', $3, now(),
         '', '{}', now(), now())`,
      [seller, status, next],
    );
  await db.query(
    "update mirror_subscription set status = 'active', current_period_start = now() where id = 'due'",
  );
  await db.query(
    `insert into received_delivery (seller_id, mode, delivery_id, verdict, body, event,
       subscription_id, old_status, new_status)
     values ($1, 'test', 'told', 'verified', '{}', 'checkout.succeeded', 'due', 'due', 'active')`,
    [seller],
  );
  await db.query(
    `insert into contact (seller_id, mode, subscription_id, person_id, person_name, kind, detail)
     values ($1, 'test', 'due', gen_random_uuid(), 'Asha', 'courtesy', '{"reason": "illness"}')`,
    [seller],
  );
  return seller;
}

test("a database of version 0.1 migrates to the newest schema with its data", async () => {
  const database = await createTestDatabase("empty");
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  await db.query(
    "create table schema_migration (name text primary key, applied_at timestamptz default now())",
  );
  for (const name of (await readdir(DIRECTORY)).toSorted().filter((one) => one <= LAST)) {
    await db.query(await readFile(join(DIRECTORY, name), "utf8"));
    await db.query("insert into schema_migration (name) values ($1)", [name]);
  }
  const seller = await fill(db);
  await migrateDashboard(database.url);

  // The record shows the payment that the delivery announced, so the payment is kept.
  const settled = await db.query("select keep_shown_payments($1, 'test') as settled", [seller]);
  expect(settled.rows).toEqual([{ settled: 1 }]);
  const payments = await db.query("select subscription_id, amount, is_renewal from proof");
  expect(payments.rows).toEqual([
    { subscription_id: "due", amount: "1000.00", is_renewal: true },
  ]);
  const ended = await db.query(
    "select id from mirror_subscription where next_billing_cycle is not null",
  );
  expect(ended.rows).toEqual([{ id: "due" }]);
  await expect(db.query("update proof set amount = 1")).rejects.toThrow("append-only");
  await db.end();
  await database.drop();
});
