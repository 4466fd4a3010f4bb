import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { migrateDashboard } from "#lib/db/migrate.ts";
import { createPool } from "#lib/db/pool.ts";
import type { SyncApi } from "#lib/search-index/records/lists.ts";
import { SYNC_SCHEDULE } from "#lib/search-index/sync/sync-job.ts";
import { startSyncWorker } from "#lib/search-index/sync/worker.ts";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { startPostgres } from "#scripts/database/postgres.ts";
import { callAtRate } from "./harness/at-rate.ts";
import { clientOfBench, createBenchOwner } from "./harness/index-owner.ts";
import { startBenchService, type BenchService } from "./harness/subject.ts";

const HELP = `npm run bench changes -- [--rows N] [--rate N] [--seconds N] [--follow-only]
Changes subscriptions at a constant rate (100 a second, for 15 seconds) while the search index of N subscriptions (100,000)
follows the service's feed; then the same while it walks through all lists every half minute (else every hour).`;

const { values } = readOptions({
  options: {
    rows: { type: "string", default: "100000" },
    rate: { type: "string", default: "100" },
    seconds: { type: "string", default: "15" },
    "follow-only": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function whole(name: "rows" | "rate" | "seconds", most: number): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new CommandFailure(`--${name} takes a whole number from 1 to ${most}.`);
}

interface Bench {
  pool: pg.Pool;
  owner: KeyOwner;
  subject: BenchService;
}

/** Runs a worker while something is done; all calls to the service are counted. */
async function withWorker<Result>(
  { pool, owner, subject }: Bench,
  listenUrl: string,
  isFollowing: boolean,
  work: (calls: () => number) => Promise<Result>,
): Promise<Result> {
  let calls = 0;
  const client = clientOfBench(pool, owner, subject.port);
  const counted = () => {
    calls += 1;
    return client;
  };
  const api: SyncApi = {
    listProducts: (page) => counted().listProducts(page),
    listCustomers: (page) => counted().listCustomers(page),
    listSubscriptions: (page) => counted().listSubscriptions(page),
    getCustomer: (id) => counted().getCustomer(id),
    getSubscription: (id) => counted().getSubscription(id),
    readChanges: async (search) => (isFollowing ? counted().readChanges(search) : null),
    listPayments: (before) => counted().listPayments(before),
    listHistory: (after) => counted().listHistory(after),
  };
  const schedule = { ...SYNC_SCHEDULE, ...(!isFollowing && { roundEvery: 30 }) };
  const worker = startSyncWorker({
    pool,
    listenUrl,
    modes: ["test"],
    apiOf: () => api,
    pace: schedule,
  });
  try {
    return await work(() => calls);
  } finally {
    await worker.close();
  }
}

async function untilTrue(pool: pg.Pool, condition: string, values_: unknown[]): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ is_true: boolean }>(
      `select (${condition}) as is_true`,
      values_,
    );
    if (rows[0]?.is_true) return;
    await delay(100);
  }
}

/**
 * Cancels subscriptions.
 * @returns the milliseconds from each answer until the index had the new status, and the seconds of
 *   the whole
 */
async function measure({ pool, owner, subject }: Bench, ids: string[], rate: number) {
  const answered = new Map<string, number>();
  const begun = performance.now();
  await callAtRate({ rate, seconds: ids.length / rate }, async (at) => {
    const id = ids[at] ?? "";
    const url = `http://127.0.0.1:${subject.port}/api/v1/subscriptions/${id}/cancel/`;
    const answer = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${subject.key}`,
        "content-type": "application/json",
      },
    });
    if (!answer.ok) throw new CommandFailure(`the service answered ${answer.status}.`);
    answered.set(id, Date.now());
  });
  const place = [owner.seller_id, ids];
  const seen = `select count(*) = cardinality($2::text[]) from mirror_subscription
    where seller_id = $1 and id = any ($2) and status = 'pending_cancellation'`;
  await untilTrue(pool, seen, place);
  // A full sync writes the same row again, so the history says when the index first saw the status. An
  // index that follows the feed has the service's history instead, and writes each row once.
  const { rows } = await pool.query<{ id: string; seen_at: number }>(
    `select id, (extract(epoch from coalesce(
              case when m.told_since is null then (
                select min(c.seen_at) from mirror_change c where c.seller_id = $1
                   and c.subscription_id = s.id and c.new_status = 'pending_cancellation') end,
              s.read_at)) * 1000)::float8 as seen_at
       from mirror_subscription s join mirror m using (seller_id, mode)
      where seller_id = $1 and id = any ($2)`,
    place,
  );
  const delays = rows.map(({ id, seen_at }) => seen_at - (answered.get(id) ?? 0));
  return { delays, seconds: (performance.now() - begun) / 1_000 };
}

const percentile = (times: number[], part: number) =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * part) - 1] ?? Number.NaN;

type Measured = Awaited<ReturnType<typeof measure>> & { calls: number };

const line = (name: string, { delays, seconds, calls }: Measured) =>
  `| ${name} | ${[0.5, 0.95, 1].map((part) => Math.round(percentile(delays, part)).toLocaleString("en")).join(" | ")} | ${(calls / seconds).toFixed(1)} |`;

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const rows = whole("rows", 10_000_000);
  const [rate, seconds] = [whole("rate", 1_000), whole("seconds", 600)];
  const directory = await mkdtemp(join(tmpdir(), "duebook-bench-"));
  const postgres = await startPostgres(directory);
  let subject: BenchService | undefined;
  let pool: pg.Pool | undefined;
  try {
    for (const name of ["service", "dashboard"]) await postgres.ensureDatabase(name);
    subject = await startBenchService(postgres.url("service"), rows);
    const url = postgres.url("dashboard");
    await migrateDashboard(url);
    pool = createPool(url, { isDurable: false });
    const bench = { pool, subject, owner: await createBenchOwner(pool, subject.key) };
    const { running } = subject;
    const count = Math.min(rate * seconds, Math.floor(running.length / 2));
    const ways = values["follow-only"] ? [true] : [true, false];
    const results: string[] = [];
    for (const [at, isFollowing] of ways.entries()) {
      const measured = await withWorker(bench, url, isFollowing, async (calls) => {
        await untilTrue(
          bench.pool,
          "exists (select from mirror_sums where seller_id = $1 and is_ready)",
          [bench.owner.seller_id],
        );
        const before = calls();
        const ids = running.slice(at * count, (at + 1) * count);
        return { ...(await measure(bench, ids, rate)), calls: calls() - before };
      });
      results.push(
        line(isFollowing ? "following the feed" : "walking every half minute", measured),
      );
      await bench.pool
        .query(`update mirror set feed_cursor = null, followed_from = null, told_since = null,
           history_after = null`);
    }
    console.log(
      [
        `| ${count.toLocaleString("en")} changes, ${rate} a second | p50, ms | p95, ms | longest, ms | calls of the API a second |`,
        "| --- | ---: | ---: | ---: | ---: |",
        ...results,
      ].join("\n"),
    );
  } finally {
    await subject?.close();
    await pool?.end();
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
});
