import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type pg from "pg";
import { migrateDashboard } from "#lib/db/migrate.ts";
import { createPool } from "#lib/db/pool.ts";
import { searchSubscriptions } from "#lib/search/copy/data.ts";
import { parseLine } from "#lib/search/rules.ts";
import { parseFindSearch, type Sort } from "#lib/search/search.ts";
import { Failure, runCommand } from "../scripts/failure.ts";
import { markdown } from "../scripts/markdown.ts";
import { startPostgres } from "../scripts/postgres.ts";
import { makeCopy, makeSubscription, storeMade } from "../scripts/testing/made-copy.ts";

const HELP = `npm run bench:search -- [--rows N] [--rounds N]
Asks a copy of N subscriptions (100,000) what people ask, beside its newest page in the same round.`;

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "100000" },
    rounds: { type: "string", default: "10" },
    help: { type: "boolean", default: false },
  },
});

/** What is typed, and the order that is chosen. */
const QUESTIONS: [line: string, sort: Sort | null][] = [
  ["", null],
  ["s", null],
  ["saraswati", null],
  ["सरस्वती shrestha", null],
  ["laxmi thapa status:due", null],
  ["+977 981 000 7919", null],
  ["user4242@example.com", null],
  ["100004242", null],
  ["sarswoti", null],
  ["zzzzzz", null],
  ["plan:gold", null],
  ['status:due plan:gold product:"Product 3"', "price"],
  ["next:2026-11-05..2026-11-09 status:due", "next_billing"],
  ["price:>=2000", "-created"],
  ["", "-next_billing"],
  ["", "product"],
  ["", "buyer"],
  ["ram", "-price"],
];
const FIRST =
  "Aarav Asha Bishnu Binod Chandra Deepak Gita Hari Janaki Kabita Laxmi Madan Maya Nabin Om Prakash Rajesh Ram Sabina Saraswati Sita Sunita Suresh Yogesh सरस्वती राम कृष्ण";
const LAST =
  "Adhikari Acharya Basnet Bhattarai Chhetri Dahal Gurung Joshi Karki Khadka Lama Limbu Magar Maharjan Paudel Pokharel Rai Shah Sharma Shrestha Tamang Thapa Yadav श्रेष्ठ";
const STATUSES = ["active", "active", "active", "due", "pending_checkout", "inactive"] as const;

/** The same numbers at every run. */
function dice() {
  let seed = 7;
  return <Item>(items: readonly Item[]): Item => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return items[Math.floor(seed / 65_536) % items.length] as Item;
  };
}

function made(at: number, pick: ReturnType<typeof dice>) {
  const numbers = Array.from({ length: 60 }, (_, number) => number);
  const product = pick(numbers.slice(0, 12));
  const status = pick(STATUSES);
  const full_name = `${pick(FIRST.split(" "))} ${pick(LAST.split(" "))}`;
  const next = new Date(Date.UTC(2026, 10, 1 + pick(numbers))).toISOString();
  const business = { business_name: `${full_name} Traders`, email: "", address: "" };
  return makeSubscription({
    status,
    client: {
      full_name,
      phone: `98${10_000_000 + ((at * 7_919) % 89_999_999)}`,
      email: `user${at}@example.com`,
      billing: at % 10 === 0 ? { ...business, pan_vat: String(100_000_000 + at) } : null,
    },
    next_billing_cycle: status === "pending_checkout" ? null : next,
    product: {
      product_id: `p-${product}`,
      name: `Product ${product}`,
      plan_name: pick(["Gold", "Silver", "Basic"]),
      price: `${100 + pick(numbers) * 50}.00`,
    },
  });
}

async function bench() {
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  const [rows, rounds] = [Number(values.rows), Number(values.rounds)];
  if (!(rows >= 1_000 && rounds >= 1)) throw new Failure("--rows takes 1,000 and more.");
  const directory = await mkdtemp(join(tmpdir(), "duebook-bench-"));
  const server = await startPostgres(directory, { durable: false });
  await migrateDashboard(server.url("postgres"));
  const pool = createPool(server.url("postgres"));
  try {
    process.stdout.write(await measure(pool, rows, rounds));
  } finally {
    await pool.end();
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function measure(pool: pg.Pool, rows: number, rounds: number): Promise<string> {
  const owner = await makeCopy(pool);
  const pick = dice();
  for (let at = 0; at < rows; at += 1_000)
    await storeMade(pool, owner, {
      subscriptions: Array.from({ length: 1_000 }, (_, more) => made(at + more, pick)),
    });
  await pool.query("vacuum analyze");
  const times = QUESTIONS.map((): number[] => []);
  const counts = QUESTIONS.map(() => 0);
  for (let round = 0; round <= rounds; round += 1)
    for (const [at, [line, sort]] of QUESTIONS.entries()) {
      const { words, filters } = parseLine(line);
      const search = { ...parseFindSearch({}), ...filters, sort };
      const begun = performance.now();
      const found = await searchSubscriptions(pool, owner, { search, words, time_zone: "UTC" });
      // The first round warms what a running database has in its memory.
      if (round > 0) times[at]?.push(performance.now() - begun);
      counts[at] = found.state === "ready" ? found.count : 0;
    }
  const floor = percentile(times[0] ?? [], 0.5);
  const lines = QUESTIONS.map(([line, sort], at) => {
    const [middle, high] = [0.5, 0.95].map((part) => percentile(times[at] ?? [], part));
    return [
      line || "(all)",
      sort ?? "",
      String(counts[at]),
      (middle ?? 0).toFixed(1),
      (high ?? 0).toFixed(1),
      ((middle ?? 0) / floor).toFixed(1),
    ];
  });
  const all = times.flat();
  return `${markdown([["asked", "order", "found", "p50 ms", "p95 ms", "to the newest page"], ...lines])}

All together: p50 ${percentile(all, 0.5).toFixed(1)} ms, p95 ${percentile(all, 0.95).toFixed(1)} ms over ${rows} subscriptions (aim: p95 under 50 ms).
`;
}

const percentile = (times: number[], part: number) =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? 0;

await runCommand(bench);
