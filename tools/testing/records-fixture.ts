import type pg from "pg";
import type { Customer } from "#contract/customers.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import {
  ReceivedProductPage,
  type BillingPeriod,
  type Offer,
  type Product,
} from "#contract/products.ts";
import type { Mode } from "#lib/scope.ts";
import { readClock } from "#lib/db/pool.ts";
import { rowsOf } from "#lib/search-index/records/lists.ts";
import { storeRows } from "#lib/search-index/sync/store.ts";

export interface RecordsFixture {
  subscriptions?: Subscription[];
  customers?: Customer[];
  products?: Product[];
}

/** Creates a seller whose search index holds these records. */
export async function createIndexedSeller(
  pool: pg.Pool,
  records: RecordsFixture = {},
  mode: Mode = "test",
) {
  const { rows } = await pool.query<{ id: string }>(
    "insert into seller (name, time_zone) values ('Phewa', 'Asia/Kathmandu') returning id",
  );
  const owner = { seller_id: rows[0]?.id ?? "", mode };
  await addIndex(pool, owner, records);
  return owner;
}

/** Adds a filled search index for another mode. */
export async function addIndex(
  pool: pg.Pool,
  owner: { seller_id: string; mode: Mode },
  records: RecordsFixture,
) {
  const { seller_id, mode } = owner;
  await pool.query(
    `insert into billing_connection (seller_id, mode, sealed_key, key_id, last4)
     values ($1, $2, '', '', '')`,
    [seller_id, mode],
  );
  await pool.query(
    "update mirror set filled_at = now(), read_at = now() where seller_id = $1 and mode = $2",
    [seller_id, mode],
  );
  await storeRecords(pool, owner, records);
}

/** Adds records to an existing search index. */
export async function storeRecords(
  pool: pg.Pool,
  owner: { seller_id: string; mode: Mode },
  records: RecordsFixture,
) {
  const { rows } = await pool.query<{ index_version: string }>(
    "select copy as index_version from mirror where seller_id = $1 and mode = $2",
    [owner.seller_id, owner.mode],
  );
  const index_version = rows[0]?.index_version ?? "";
  const asked_at = await readClock(pool);
  for (const list of ["subscriptions", "customers", "products"] as const)
    await storeRows(
      pool,
      { ...owner, index_version },
      list,
      rowsOf(list, records[list] ?? []),
      asked_at,
    );
}

let made = 0;

/** Changes of a subscription, including parts of its buyer and product. */
export interface SubscriptionChanges extends Partial<Omit<Subscription, "client" | "product">> {
  client?: Partial<Subscription["client"]>;
  product?: Partial<Subscription["product"]>;
}

/** A subscription with a new id, newer than the ones made before it. */
export function makeSubscription(changes: SubscriptionChanges = {}): Subscription {
  made += 1;
  const { client, product, ...rest } = changes;
  return {
    subscription_id: `00000000-0000-4000-8000-${String(made).padStart(12, "0")}`,
    status: "active",
    is_active: true,
    current_period_start: "2026-11-01T00:00:00Z",
    current_period_end: "2026-12-01T00:00:00Z",
    next_billing_cycle: "2026-12-01T00:00:00Z",
    created_at: new Date(Date.UTC(2026, 0, 1) + made * 1_000).toISOString(),
    ...rest,
    client: {
      phone: "9800000000",
      full_name: "Somebody Else",
      email: "else@example.com",
      address: "Pokhara",
      billing: null,
      shipping: null,
      ...client,
    },
    product: {
      product_id: "p-milk",
      name: "Milk",
      plan_name: "Daily",
      pbp_id: "pbp-1",
      label: "Monthly",
      price: "500.00",
      currency: "NPR",
      ...product,
    },
  };
}

interface PeriodChanges extends Partial<Omit<BillingPeriod, "offers">> {
  offers?: Partial<Offer>[];
}

/** The product of makeSubscription's subscriptions, with 13 % VAT. */
export function makeProduct({ offers = [], ...period }: PeriodChanges = {}): Product {
  const billing_period = {
    pbp_id: "pbp-1",
    interval_type: "month",
    interval_count: 1,
    label: "Monthly",
    price: "500.00",
    currency: "NPR",
    is_current: true,
    ...period,
    offers: offers.map((offer, at) => ({ id: `offer-${at}`, is_active: true, ...offer })),
  };
  const product = {
    product_id: "p-milk",
    name: "Milk",
    is_active: true,
    vat: { is_vat_active: true, vat_type: "exclusive", vat_percentage: 13 },
    plan: [{ plan_id: "plan-1", plan_name: "Daily", billing_periods: [billing_period] }],
  };
  const [made] = ReceivedProductPage.parse({ results: [product] }).results;
  if (!made) throw new Error("the product has no period");
  return made;
}
