import type pg from "pg";
import { transaction, type Database } from "../db/database.ts";
import { insertCatalogue, type CatalogueProduct } from "../products/catalogue.ts";
import { readKey, type KeyMode } from "../sellers/key.ts";
import {
  findSellerByName,
  insertSeller,
  issueKey,
  listKeys,
  revokeKey,
  type Seller,
} from "../sellers/store.ts";
import { localDate } from "../subscriptions/periods.ts";
import { createCalendar } from "./calendar.ts";
import { demonstrationCatalogue } from "./catalogue.ts";
import { branchesOf, localEditions } from "./editions.ts";
import { insertHistory, type PaidChange } from "./history-rows.ts";
import { insertInvented } from "./insert.ts";
import { uuidOf } from "./random.ts";
import { selectHiddenPeriod, selectOneTimePurchases } from "./store.ts";
import { SEED_SELLERS, type SeedSeller } from "./sellers.ts";
import { choicesOf } from "./subscriptions.ts";
import { insertSeedWebhooks, pauseSeedWebhooks } from "./webhooks.ts";

const TIME_ZONE = "Asia/Kathmandu";
const GRACE_DAYS = 7;
const DAY = 86_400_000;
const ROWS_OF_THE_OTHERS = 12;

export interface SeedOptions {
  /** How many the main seller gets. */
  subscriptions: number;
  /** Each with three products and an address for webhooks. */
  branches: number;
  now: Date;
  /** Where this service is reached, without a trailing slash. */
  publicUrl: string;
  mode: KeyMode;
  /** Without it no webhooks are registered: their secrets could not be sealed. */
  secretsKey?: Buffer | undefined;
  /** Whether the main seller has a year behind them: payments, failures, deliveries. */
  history?: boolean;
  onProgress?: (done: number) => void;
}

export interface SeededKey {
  mode: KeyMode;
  state: "active" | "inactive";
  /** Null for a key of an earlier run: it was shown then and is stored nowhere. */
  key: string | null;
  prefix: string;
}

export interface SeededSeller {
  name: string;
  mode: KeyMode;
  state: "verified" | "not_verified";
  api_usage_type: string | null;
  keys: SeededKey[];
  /** Up to a hundred, newest first. */
  one_time_purchases: string[];
  /** A billing period that is not on offer. */
  hidden_pbp_id: string | null;
  /** What was invented of its past by this very run, the first thing first. */
  history: PaidChange[];
}

/**
 * The demonstration sellers with their catalogues, buyers and subscriptions: the same on every
 * machine, but for dates, which lie around today. Seeded already, the main seller only gets a
 * further key, which then comes first.
 */
export async function seedDemonstration(
  pool: pg.Pool,
  options: SeedOptions,
): Promise<SeededSeller[]> {
  const sellers = await transaction(pool, async (database) => {
    // Two seeds at once must not both find nothing there.
    await database.query("select pg_advisory_xact_lock(7340022)");
    const sellers: SeededSeller[] = [];
    for (const [index, plan] of SEED_SELLERS.entries())
      sellers.push(await seedSeller(database, options, plan, index));
    return sellers;
  });
  if (options.subscriptions >= 10_000) await vacuum(pool);
  return sellers;
}

const VACUUM = {
  text: "vacuum (analyze) seller, customer, subscription, subscription_tally",
  query_timeout: 60 * 60_000,
};

/** Many new rows need their statistics and visibility at once, not at the next autovacuum. */
async function vacuum(pool: pg.Pool) {
  const connection = await pool.connect();
  try {
    await connection.query("set statement_timeout = 0");
    await connection.query(VACUUM);
  } finally {
    connection.release(true);
  }
}

async function seedSeller(
  database: Database,
  options: SeedOptions,
  plan: SeedSeller,
  index: number,
): Promise<SeededSeller> {
  const known = await findSellerByName(database, plan.name);
  const { seller, history } = known
    ? { seller: known, history: [] }
    : await insertWhole(database, options, plan, index);
  const fresh = known
    ? index === 0
      ? [await issue(database, options, seller, { mode: "own", isActive: true })]
      : []
    : await issueAll(database, options, seller, plan);
  const earlier = (await listKeys(database, seller.seller_id))
    .filter(({ prefix }) => !fresh.some((key) => key.prefix === prefix))
    .map(({ mode, is_active, prefix }): SeededKey => ({
      mode,
      prefix,
      key: null,
      state: is_active ? "active" : "inactive",
    }));
  return {
    name: seller.name,
    mode: options.mode,
    api_usage_type: seller.api_usage_type,
    state: seller.kyc_verified ? "verified" : "not_verified",
    keys: [...fresh, ...earlier],
    one_time_purchases: await selectOneTimePurchases(database, seller.seller_id),
    hidden_pbp_id: await selectHiddenPeriod(database, seller.seller_id),
    history,
  };
}

async function insertWhole(
  database: Database,
  { now, publicUrl, subscriptions, secretsKey, onProgress, ...options }: SeedOptions,
  { name, kyc_verified, api_usage_type, prefix, products }: SeedSeller,
  index: number,
): Promise<{ seller: Seller; history: PaidChange[] }> {
  const seller = await insertSeller(database, {
    name,
    kyc_verified,
    api_usage_type,
    time_zone: TIME_ZONE,
    grace_days: GRACE_DAYS,
    created_at: new Date(+now - 700 * DAY),
  });
  const today = localDate(now, TIME_ZONE);
  const media = `${publicUrl}/media/products`;
  const own = demonstrationCatalogue(today, media, prefix).filter(
    (product) => products === null || products.includes(product.name),
  );
  const branches = branchesOf(options.branches);
  const local = products === null ? localEditions(branches, media, prefix) : [];
  nameProducts([...own, ...local], prefix);
  // The local editions are older, so a list begins with the products made by hand.
  await insertCatalogue(database, seller.seller_id, local, new Date(+now - 500 * DAY));
  await insertCatalogue(database, seller.seller_id, own, new Date(+now - 400 * DAY));

  const count = index === 0 ? subscriptions : ROWS_OF_THE_OTHERS;
  const invented = {
    prefix,
    ...choicesOf(own, local),
    calendar: createCalendar(today, TIME_ZONE),
    now,
    graceDays: GRACE_DAYS,
    people: Math.max(20, Math.ceil(count * 0.6)),
  };
  const sellerId = seller.seller_id;
  await insertInvented(
    {
      database,
      sellerId,
      returnUrl: "https://phewa.example/thanks",
      onProgress: index === 0 && onProgress ? onProgress : () => {},
    },
    invented,
    count,
  );
  if (index > 0) return { seller, history: [] };
  if (secretsKey)
    await insertSeedWebhooks(database, {
      sellerId,
      secretsKey,
      branches,
      createdAt: new Date(+now - 300 * DAY),
    });
  if (!options.history) return { seller, history: [] };
  const owner = { sellerId, timeZone: TIME_ZONE, secretsKey };
  const history = await insertHistory(database, owner, invented, count);
  await pauseSeedWebhooks(database, sellerId);
  return { seller, history };
}

function nameProducts(products: CatalogueProduct[], prefix: string) {
  for (const product of products) {
    product.product_id = uuidOf(`product ${prefix}${product.name}`);
    for (const plan of product.plans)
      plan.plan_id = uuidOf(`plan ${prefix}${product.name} ${plan.plan_name}`);
  }
}

async function issueAll(
  database: Database,
  options: SeedOptions,
  seller: Seller,
  { keys }: SeedSeller,
): Promise<SeededKey[]> {
  const issued: SeededKey[] = [];
  for (const key of keys) issued.push(await issue(database, options, seller, key));
  return issued;
}

async function issue(
  database: Database,
  { mode, now }: SeedOptions,
  { seller_id }: Seller,
  plan: SeedSeller["keys"][number],
): Promise<SeededKey> {
  const other = mode === "test" ? "live" : "test";
  const keyMode = plan.mode === "own" ? mode : other;
  const key = await issueKey(database, { seller_id, mode: keyMode, created_at: now });
  const prefix = readKey(key)?.prefix ?? "";
  if (!plan.isActive) await revokeKey(database, prefix);
  return { mode: keyMode, state: plan.isActive ? "active" : "inactive", key, prefix };
}
