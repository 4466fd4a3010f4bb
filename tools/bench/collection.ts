import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import {
  readQueueCounts,
  readQueue,
  type QueueParameters,
} from "#lib/collection/queue-store.ts";
import { parseQueueSearch } from "#lib/collection/search.ts";
import { inLongTransaction } from "#lib/db/pool.ts";
import { sumEverything } from "#lib/search-index/sync/daily-sums.ts";
import { positiveOption, readOptions, runCommand } from "#scripts/process/command.ts";
import { markdown } from "../markdown.ts";
import {
  generateIndex,
  inNewDatabase,
  ROWS_TIMEOUT_MS,
  vacuumAndAnalyze,
} from "./harness/fixture-rows.ts";

const HELP = `npm run bench collection -- [--rows N] [--others N] [--rounds N]
Reads the collection queue over a search index of N subscriptions (100,000), half of them in collection,
beside counting the indexed rows by status in the same round.
--others N  subscriptions of 1,999 other sellers beside them`;

const { values } = readOptions({
  options: {
    rows: { type: "string", default: "100000" },
    others: { type: "string" },
    rounds: { type: "string", default: "9" },
    help: { type: "boolean", default: false },
  },
});

async function bench() {
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  const [rows, rounds] = [
    positiveOption("rows", values.rows),
    positiveOption("rounds", values.rounds),
  ];
  const others = values.others === undefined ? 0 : positiveOption("others", values.others);
  await inNewDatabase(async (pool) => {
    const owner = await generateIndex(pool, { rows, others });
    await spread(pool, owner);
    return measure(pool, owner, rounds);
  });
}

/**
 * Makes half of the subscriptions due, new or due soon, and divides them among sixty billing periods;
 * a quarter of these got a reminder in the last month.
 */
async function spread(pool: pg.Pool, { seller_id, mode }: KeyOwner) {
  await inLongTransaction(pool, ROWS_TIMEOUT_MS, async (client) => {
    await client.query(
      `update mirror_subscription set
         status = (array['due', 'due', 'pending_checkout', 'active'])[1 + abs(hashtext(id)) / 2 % 4],
         pbp_id = 'pbp-' || price::text, product_id = 'p-1', product_name = 'Product 1', plan_name = 'Gold',
         current_period_start = null, current_period_end = null,
         created_at = now() - interval '1 hour' * (abs(hashtext(id)) % 600),
         next_billing_cycle = now() + interval '1 hour' * (abs(hashtext(id)) % 300 - 200)
        where seller_id = $1 and mode = $2 and abs(hashtext(id)) % 2 = 0`,
      [seller_id, mode],
    );
    await client.query(
      `insert into contact (seller_id, mode, subscription_id, person_id, person_name, kind, channel, cycle, at)
       select $1, $2, id, gen_random_uuid(), 'Asha', 'reminder', 'whatsapp', next_billing_cycle,
              now() - abs(hashtext(id)) / 8 % 30 * interval '1 day'
         from mirror_subscription
        where seller_id = $1 and mode = $2 and abs(hashtext(id)) % 8 = 0`,
      [seller_id, mode],
    );
  });
  await sumEverything(pool, { seller_id, mode }, "Asia/Kathmandu");
  await vacuumAndAnalyze(pool);
}

async function measure(pool: pg.Pool, owner: KeyOwner, rounds: number): Promise<string> {
  const asked: QueueParameters = {
    search: parseQueueSearch({}),
    words: "",
    person_id: "00000000-0000-4000-8000-000000000000",
    time_zone: "Asia/Kathmandu",
    now: new Date().toISOString(),
    grace: 7,
  };
  const first = await readQueue(pool, owner, asked, { after: null, limit: 5_000 });
  const far = first.at(-1)?.place ?? null;
  const due = { ...asked, search: parseQueueSearch({ group: "due" }) };
  const ways: Record<string, () => Promise<unknown>> = {
    "rows by status (what it is compared with)": () =>
      pool.query(
        "select status, count(*) from mirror_subscription where seller_id = $1 and mode = $2 group by 1",
        [owner.seller_id, owner.mode],
      ),
    "the first 50": () => readQueue(pool, owner, asked, { after: null, limit: 50 }),
    "50 behind the 5,000th": () => readQueue(pool, owner, asked, { after: far, limit: 50 }),
    "the first 50 that are due": () => readQueue(pool, owner, due, { after: null, limit: 50 }),
    "the first 50 of a name": () =>
      readQueue(pool, owner, { ...asked, words: "asha" }, { after: null, limit: 50 }),
    "counts and money of everything": () => readQueueCounts(pool, owner, asked),
  };
  const times = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1)
    for (const [name, run] of Object.entries(ways)) {
      const start = performance.now();
      await run();
      times.set(name, [...(times.get(name) ?? []), performance.now() - start]);
    }
  const rows = [...times].map(([name, all]) => {
    const sorted = all.toSorted((one, other) => one - other);
    const shown = (at: number) => `${(sorted[at] ?? 0).toFixed(0)} ms`;
    return [name, shown(Math.floor(sorted.length / 2)), shown(sorted.length - 1)];
  });
  return `${markdown([["read", "median", "slowest"], ...rows])}\n`;
}

await runCommand(bench);
