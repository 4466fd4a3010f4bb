import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tools/testing/database.ts";
import { startTestService, type TestService } from "../testing/service.ts";
import { migrateService } from "./migrate.ts";

const FOLDER = join(import.meta.dirname, "migrations");
const PAID = "11111111-1111-4111-8111-111111111111";
const PENDING = "22222222-2222-4222-8222-222222222222";

let database: TestDatabase;
let service: TestService;

// The rows of a service that was last updated before subscriptions kept their sold prices.
const ROWS = `
  insert into seller (name, kyc_verified, created_at, last_position)
    values ('Dairy', true, now(), 2);
  insert into product (product_id, seller_id, name, is_vat_active, vat_type, vat_percentage,
      created_at, updated_at)
    select gen_random_uuid(), seller_id, 'Milk', true, 'exclusive', 13, now(), now() from seller;
  insert into plan (plan_id, product_id, seller_id, plan_name, plan_order)
    select gen_random_uuid(), product_id, seller_id, 'Litre', 0 from product;
  insert into billing_period (pbp_id, plan_id, seller_id, interval_type, interval_count, label,
      price, currency, period_order)
    select 'monthly', plan_id, seller_id, 'month', 1, 'Monthly', 1000, 'NPR', 0 from plan;
  insert into offer (id, pbp_id, seller_id, discount_amount, starts_at, valid_until)
    select gen_random_uuid(), 'monthly', seller_id, 100, '2026-03-20', '2026-03-31' from seller;
  insert into customer (seller_id, buyer_phone, phone_key, buyer_email, full_name, address,
      created_at)
    select seller_id, n::text, n::text, 'a@example.com', 'A', 'B', now()
    from seller, generate_series(1, 2) n;
  insert into subscription (subscription_id, seller_id, position, customer_id, product_id, plan_id,
      pbp_id, is_one_time, status, phone, full_name, email, address, return_url, created_at,
      current_period_start, next_billing_cycle, anchor_day)
    select one.id::uuid, c.seller_id, c.phone_key::int, c.id, l.product_id, l.plan_id, 'monthly',
      false, one.status, '', '', '', '', 'https://shop.example/', now(), one.start, one.next, 10
    from plan l, customer c join (values
      ('1', '${PAID}', 'active', '2026-03-10T06:00Z'::timestamptz, '2026-04-10T06:15Z'::timestamptz),
      ('2', '${PENDING}', 'pending_checkout', null, null)
    ) as one (phone, id, status, start, next) on one.phone = c.phone_key;
  insert into checkout_attempt (attempt_id, seller_id, subscription_id, method, code_hash, state,
      created_at, expires_at, amount, vat, provider_reference)
    select gen_random_uuid(), seller_id, '${PAID}', 'wallet', '', 'paid', now(), now(), 1130, 130,
      'wallet-1' from seller;
  insert into payment (payment_id, seller_id, subscription_id, period_start, amount, currency,
      method, paid_at, attempt_id)
    select gen_random_uuid(), seller_id, '${PAID}', now(), 1130, 'NPR', 'wallet', now(), attempt_id
    from checkout_attempt;`;

beforeAll(async () => {
  database = await createTestDatabase("empty");
  const files = (await readdir(FOLDER)).filter((name) => name < "0021").sort();
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query(
    "create table schema_migration (name text primary key, applied_at timestamptz not null default now())",
  );
  for (const name of files) {
    await client.query(await readFile(join(FOLDER, name), "utf8"));
    await client.query("insert into schema_migration (name) values ($1)", [name]);
  }
  await client.query(ROWS);
  await client.end();
  await migrateService(database.url);
  service = await startTestService(database.url);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

async function amountToPay(id: string) {
  const { body } = await service.call(null, { url: `/pay/${id}?early=1` });
  return /To pay NPR ([\d,.]+)/.exec(
    body.replace(/<[^>]*>|\s+/g, " ").replace(/ +/g, " "),
  )?.[1];
}

test("an update of Duebook does not change the price at existing links, even if the product's VAT changes later", async () => {
  for (const change of ["select 1", "update product set vat_percentage = 5"])
    for (const id of [PAID, PENDING]) {
      await service.pool.query(change);
      service.clock.set("2026-03-12T06:00:00Z");
      expect(await amountToPay(id)).toBe("1,130.00");
      service.clock.set("2026-03-25T06:00:00Z");
      expect(await amountToPay(id)).toBe("1,017.00");
    }
});

test("an update of Duebook fills in the VAT and the fee of earlier payments", async () => {
  const { rows } = await service.pool.query(
    "select vat::text as vat, fee::text as fee from payment",
  );
  expect(rows).toEqual([{ vat: "130.00", fee: "22.49" }]);
});
