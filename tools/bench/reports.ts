import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { inLongTransaction } from "#lib/db/pool.ts";
import { readReportOf } from "#lib/reports/read-report.ts";
import { REPORTS, parseReportSearch } from "#lib/reports/search.ts";
import { sumEverything } from "#lib/search-index/sync/daily-sums.ts";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { markdown } from "../markdown.ts";
import {
  createIndexedSeller,
  makeSubscription,
  storeRecords,
} from "../testing/fixtures/records-fixture.ts";
import { inNewDatabase, ROWS_TIMEOUT_MS, vacuumAndAnalyze } from "./harness/fixture-rows.ts";

const HELP = `npm run bench reports -- [--rows N] [--changes N] [--rounds N]
Reads every report over N indexed subscriptions (100,000) and their observed changes (300,000), for 30
days and for a year, from their daily sums, beside counting the indexed rows by status in the same round.`;

const { values } = readOptions({
  options: {
    rows: { type: "string", default: "100000" },
    changes: { type: "string", default: "300000" },
    rounds: { type: "string", default: "5" },
    help: { type: "boolean", default: false },
  },
});

const NOW = new Date();
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS).toISOString();

async function bench() {
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  const [rows, changes, rounds] = [values.rows, values.changes, values.rounds].map(Number);
  if (!rows || !changes || !rounds)
    throw new CommandFailure("--rows, --changes and --rounds take numbers above 0.");
  await inNewDatabase(async (pool) => {
    const owner = await createIndexedSeller(pool);
    await fill(pool, owner, rows, changes);
    return measure(pool, owner, rounds);
  });
}

async function fill(pool: pg.Pool, owner: KeyOwner, rows: number, changes: number) {
  const periods = ["month", "week", "year"].map((interval_type, at) => ({
    pbp_id: `pbp-${at}`,
    interval_type,
    interval_count: 1,
    label: interval_type,
    price: "500.00",
    currency: "NPR",
    is_current: true,
    is_limited: false,
    is_archived: false,
    offers: [],
  }));
  await storeRecords(pool, owner, {
    products: Array.from({ length: 12 }, (_, at) => ({
      product_id: `p-${at}`,
      name: `Product ${at}`,
      description: "",
      type: "simple" as const,
      is_active: true,
      terms_and_conditions: "",
      features_and_benefits: "",
      vat: { is_vat_active: false, vat_type: "inclusive" as const, vat_percentage: 0 },
      product_image: [],
      plan: [{ plan_id: "1", plan_name: "Gold", description: "", billing_periods: periods }],
      total_subscribers: "0",
      created_at: daysAgo(900),
      updated_at: daysAgo(900),
    })),
  });
  await storeRecords(pool, owner, { subscriptions: [makeSubscription()] });
  const whose = [owner.seller_id, owner.mode];
  await inLongTransaction(pool, ROWS_TIMEOUT_MS, async (client) => {
    await client.query(ROWS, [...whose, rows]);
    await client.query(
      `update mirror set filled_at = now() - interval '360 days'
        where seller_id = $1 and mode = $2`,
      whose,
    );
    await client.query(CHANGES, [...whose, Math.round(changes / rows)]);
    await client.query(PAYMENTS, whose);
  });
  await sumEverything(pool, owner, "Asia/Kathmandu");
  await vacuumAndAnalyze(pool);
}

/**
 * SQL that inserts generated subscriptions over two years: twelve products and four periods, three
 * of them listed.
 */
const ROWS = `
  insert into mirror_subscription
  select (jsonb_populate_record(s, jsonb_build_object(
    'id', 'sub-' || n,
    'status', (array['active','active','active','due','pending_checkout','inactive'])[n * 5 % 6 + 1],
    'product_id', 'p-' || n % 12, 'product_name', 'Product ' || n % 12, 'plan_name', 'Gold',
    'pbp_id', 'pbp-' || n % 4,
    'price', 100 + n % 60 * 50,
    'created_at', now() - n * 31 % 700 * interval '1 day',
    'current_period_start', now() - n % 30 * interval '1 day',
    'next_billing_cycle', now() + (n % 60 - 30 * (n % 3 / 2)) * interval '1 day'))).*
  from mirror_subscription s, generate_series(1, $3::integer) as n
 where s.seller_id = $1 and s.mode = $2`;

/**
 * SQL that inserts changes as the trigger writes them, one per subscription and quarter back from
 * today: payments, missed billing dates, and the ends of inactive subscriptions.
 */
const CHANGES = `
  insert into mirror_change (seller_id, mode, subscription_id, seen_at, born_at, old_status, new_status,
    old_period_start, new_period_start, old_next_billing, new_next_billing,
    old_price, new_price, old_currency, new_currency, old_pbp_id, new_pbp_id)
  select seller_id, mode, id, now() - (n * 91 - abs(hashtext(id)) % 90) * interval '1 day',
         least(created_at, first_seen_at),
         (array['pending_checkout','active','due'])[n % 3 + 1],
         case when is_end then 'inactive' else (array['active','due','active'])[n % 3 + 1] end,
         current_period_start - n * interval '30 days',
         current_period_start - case when is_end then n else n - n % 2 end * interval '30 days',
         next_billing_cycle - n * interval '30 days',
         next_billing_cycle - (n - n % 2) * interval '30 days',
         price, price, currency, currency, pbp_id, pbp_id
    from mirror_subscription, generate_series(1, $3::integer) as n,
         lateral (select n = 1 and status = 'inactive' as is_end) as ends
   where seller_id = $1 and mode = $2`;

/** SQL that inserts the payments that these changes show. */
const PAYMENTS = `
  insert into proof (seller_id, mode, subscription_id, at, product_name, amount, currency, fee, net,
                     known_by, is_list_price)
  select seller_id, mode, subscription_id, seen_at, 'Product', new_price, new_currency,
         round(new_price * 0.0199, 2), round(new_price, 2) - round(new_price * 0.0199, 2), 'record', true
    from mirror_change
   where seller_id = $1 and mode = $2 and shows_payment`;

async function measure(pool: pg.Pool, owner: KeyOwner, rounds: number): Promise<string> {
  const asked = [30, 365].flatMap((days) => REPORTS.map((name) => ({ name, days })));
  const times = asked.map((): number[] => []);
  const floors: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const floor = await timed(() =>
      pool.query(
        `select status, count(*) from mirror_subscription
          where seller_id = $1 and mode = $2 group by 1`,
        [owner.seller_id, owner.mode],
      ),
    );
    // The first round is not counted, because it loads the database's caches.
    if (round > 0) floors.push(floor);
    for (const [at, { name, days }] of asked.entries()) {
      const search = parseReportSearch({ from: daysAgo(days - 1).slice(0, 10) });
      const question = { search, time_zone: "Asia/Kathmandu", now: NOW.toISOString() };
      const time = await timed(() => readReportOf(pool, owner, name, question));
      if (round > 0) times[at]?.push(time);
    }
  }
  const floor = middle(floors);
  const lines = asked.map(({ name, days }, at) => {
    const time = middle(times[at] ?? []);
    return [name, `${days} days`, time.toFixed(0), (time / floor).toFixed(1)];
  });
  return `${markdown([["report", "period", "ms", "to the count"], ...lines])}

For comparison, counting the indexed rows by status: ${floor.toFixed(0)} ms (aim: each report under 300 ms).
`;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await run();
  return performance.now() - begun;
}

const middle = (times: number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) / 2)] ?? 0;

await runCommand(bench);
