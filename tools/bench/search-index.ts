import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { migrateDashboard } from "#lib/db/migrate.ts";
import { createPool } from "#lib/db/pool.ts";
import { acquireSyncLease } from "#lib/search-index/sync/sync-lease.ts";
import type { ListName } from "#lib/billing/observe.ts";
import { LISTS_IN_FILL_ORDER } from "#lib/search-index/records/lists.ts";
import { restartIndex } from "#lib/search-index/sync/write-through.ts";
import { SYNC_SCHEDULE, runSyncSlice } from "#lib/search-index/sync/sync-job.ts";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { startPostgres } from "#scripts/database/postgres.ts";
import { vacuumAndAnalyze } from "./harness/fixture-rows.ts";
import { clientOfBench, createBenchOwner } from "./harness/index-owner.ts";
import { startBenchService, type BenchService } from "./harness/subject.ts";

const HELP = `npm run bench search-index -- [--rows N] [--rounds N] [--calls N] [--latency MS] [--json]
Fills a search index with N subscriptions (100,000), beside only fetching the same pages in the same run.
--latency holds every answer back for so long, as a network would; of both, and without a processor.`;

const { values } = readOptions({
  options: {
    rows: { type: "string", default: "100000" },
    rounds: { type: "string", default: "3" },
    calls: { type: "string", default: String(SYNC_SCHEDULE.calls) },
    latency: { type: "string", default: "0" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function whole(name: "rows" | "rounds" | "calls" | "latency", most: number, least = 1): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new CommandFailure(`--${name} takes a whole number from ${least} to ${most}.`);
}

/** Delays every answer of the service. @param latency milliseconds */
function holdAnswersBack(latency: number): void {
  if (latency === 0) return;
  const { fetch } = globalThis;
  globalThis.fetch = async (...asked) => {
    await delay(latency);
    return fetch(...asked);
  };
}

interface Bench {
  pool: pg.Pool;
  owner: KeyOwner;
  subject: BenchService;
  calls: number;
}

interface Run {
  rows: number;
  seconds: number;
}

/** Fetches every page of every list with concurrent calls, without storing anything. */
async function fetchAll({ subject, calls }: Bench): Promise<Run> {
  const begun = performance.now();
  let rows = 0;
  for (const list of LISTS_IN_FILL_ORDER) {
    const { count } = JSON.parse(await fetchPage(subject, list, 1)) as { count: number };
    const pages = Math.ceil(count / 100);
    let page = 1;
    const lane = async () => {
      while (page < pages) await fetchPage(subject, list, (page += 1));
    };
    await Promise.all(Array.from({ length: calls }, lane));
    rows += count;
  }
  return { rows, seconds: (performance.now() - begun) / 1_000 };
}

async function fetchPage(
  { port, key }: BenchService,
  list: ListName,
  page: number,
): Promise<string> {
  const url = `http://127.0.0.1:${port}/api/v1/${list}/?page=${page}&page_size=100`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  if (!answer.ok) throw new CommandFailure(`the service answered ${answer.status}.`);
  return answer.text();
}

/** Fills an empty search index as the worker does. */
async function fill(bench: Bench, rows: number): Promise<Run> {
  const { pool, owner, subject, calls } = bench;
  await restartIndex(pool, owner);
  await vacuumAndAnalyze(pool);
  const api = clientOfBench(pool, owner, subject.port);
  const begun = performance.now();
  while (!(await isFilled(bench))) {
    const claimed = await acquireSyncLease(pool, ["test"]);
    if (!claimed) throw new CommandFailure("another worker holds the lease of the index.");
    await runSyncSlice(pool, claimed, api, { ...SYNC_SCHEDULE, calls });
  }
  const seconds = (performance.now() - begun) / 1_000;
  const copied = await countRows(bench);
  if (copied !== rows) throw new CommandFailure(`${copied} rows were indexed, not ${rows}.`);
  return { rows, seconds };
}

async function isFilled({ pool, owner }: Bench): Promise<boolean> {
  const { rows } = await pool.query(
    "select 1 from mirror where seller_id = $1 and filled_at is not null",
    [owner.seller_id],
  );
  return rows.length > 0;
}

async function countRows({ pool }: Bench): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select ((select count(*) from mirror_product) + (select count(*) from mirror_customer)
             + (select count(*) from mirror_subscription))::int as count`,
  );
  return rows[0]?.count ?? 0;
}

const perSecond = ({ rows, seconds }: Run) => rows / seconds;
const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

function report(floors: Run[], fills: Run[]): string {
  const ratios = fills.map((run, at) => perSecond(run) / perSecond(floors[at] ?? run));
  const line = (name: string, runs: Run[]) =>
    `| ${name} | ${Math.round(median(runs.map(perSecond))).toLocaleString("en")} |`;
  return [
    "| | rows a second |",
    "| --- | ---: |",
    line("only fetching the same pages", floors),
    line("filling the index", fills),
    `| ratio to fetching alone (median of ${ratios.length}) | ${median(ratios).toFixed(2)} |`,
  ].join("\n");
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const [rows, rounds] = [whole("rows", 10_000_000), whole("rounds", 100)];
  const calls = whole("calls", 16);
  holdAnswersBack(whole("latency", 10_000, 0));
  const directory = await mkdtemp(join(tmpdir(), "duebook-bench-"));
  const postgres = await startPostgres(directory);
  let subject: BenchService | undefined;
  let pool: pg.Pool | undefined;
  try {
    for (const name of ["service", "dashboard"]) await postgres.ensureDatabase(name);
    subject = await startBenchService(postgres.url("service"), rows);
    await migrateDashboard(postgres.url("dashboard"));
    pool = createPool(postgres.url("dashboard"), { isDurable: false });
    const bench = { pool, subject, calls, owner: await createBenchOwner(pool, subject.key) };
    const [floors, fills]: [Run[], Run[]] = [[], []];
    // The measurements alternate, because other load on the machine changes from minute to minute.
    for (let round = 0; round < rounds; round += 1) {
      const floor = await fetchAll(bench);
      floors.push(floor);
      fills.push(await fill(bench, floor.rows));
    }
    console.log(values.json ? JSON.stringify({ floors, fills }) : report(floors, fills));
  } finally {
    await subject?.close();
    await pool?.end();
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
});
