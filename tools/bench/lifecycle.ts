import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { markdown } from "../markdown.ts";
import { startPostgres } from "#scripts/database/postgres.ts";
import { openPool } from "../../service/db/database.ts";
import { migrateService } from "../../service/db/migrate.ts";
import { healthP99, healthRatios, startHealth } from "./harness/health.ts";
import {
  sweepOnce,
  type SweepKind,
  type SweepCommand,
  type SweepResult,
} from "./lifecycle/lifecycle-processes.ts";
import {
  CHANGES_PER_DAY,
  fillRows,
  LIFECYCLE_CLOCK_START,
} from "./lifecycle/lifecycle-rows.ts";
import { summarizeTimes } from "./harness/load.ts";
import { startService } from "./harness/subject.ts";

const HELP = `npm run bench lifecycle -- [--large N] [--json]
Times the sweeps of subscriptions and of checkouts over N (a million) subscriptions: with nothing to
do, through a day minute by minute, and with 10,000 at once for one and for two workers.`;
const SMALL = 1_000;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const IDLE_ROUNDS = 300;
const SELLERS_AHEAD = 100;
const REST_MS = 3_000;
const KINDS: SweepKind[] = ["subscriptions", "checkouts"];

const { values } = readOptions({
  options: {
    large: { type: "string", default: "1000000" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

interface Sweeps {
  name: string;
  size: number;
  moved: number;
  /** The median time of a sweep in milliseconds. */
  p50: number;
  p95: number;
}

interface Backlog {
  name: string;
  workers: number;
  /** The number of subscriptions that each worker changed. */
  moved: number[];
  seconds: number;
  /** The milliseconds of each `/healthz` request of a service during the sweeps. */
  health: number[];
}

interface Subject {
  pool: pg.Pool;
  url: string;
  size: number;
}

const at = (milliseconds: number) => new Date(Date.parse(LIFECYCLE_CLOCK_START) + milliseconds);

/** Runs sweeps one after the other, each with its own time. */
async function timeSweeps(
  { pool, size }: Subject,
  name: string,
  { kind, moments }: { kind: SweepKind; moments: Date[] },
): Promise<Sweeps> {
  const times: number[] = [];
  let moved = 0;
  for (const moment of moments) {
    const started = performance.now();
    moved += await sweepOnce(pool, kind, moment);
    times.push(performance.now() - started);
  }
  const { p50, p95 } = summarizeTimes(times, 1);
  return { name: `${kind}, ${name}`, size, moved, p50, p95 };
}

/** Runs worker processes at once until nothing is due. */
async function timeBacklog(
  { url: databaseUrl }: Subject,
  { kind, now, workers }: { kind: SweepKind; now: Date; workers: number },
): Promise<Omit<Backlog, "health">> {
  const children = Array.from({ length: workers }, () =>
    fork(join(import.meta.dirname, "lifecycle/lifecycle-processes.ts")),
  );
  await Promise.all(children.map((child) => once(child, "spawn")));
  const started = performance.now();
  const moved = await Promise.all(
    children.map((child) => sweepBy(child, { databaseUrl, kind, now: now.toISOString() })),
  );
  const seconds = (performance.now() - started) / 1_000;
  for (const child of children) child.kill();
  return { name: kind, workers, moved, seconds };
}

async function sweepBy(child: ChildProcess, order: SweepCommand): Promise<number> {
  child.send(order);
  const [{ moved }] = (await once(child, "message")) as [SweepResult];
  return moved;
}

/** Turns 10,000 abandoned checkouts back into open ones that have been idle for a day. */
async function leaveCheckouts({ url }: Subject, now: Date) {
  // A new pool, because a connection that has run sweeps has planned its triggers for few rows.
  const pool = openPool(url);
  await pool.query(
    `update subscription set abandoned_at = null, checkout_activity_at = $1 where subscription_id in
       (select subscription_id from subscription
        where status = 'pending_checkout' and abandoned_at is not null limit $2)`,
    [new Date(now.getTime() - DAY), CHANGES_PER_DAY],
  );
  await pool.end();
}

const setAhead = ({ pool }: Subject, milliseconds: number) =>
  pool.query(
    "update seller set clock_offset_ms = $1 where seller_id in (select seller_id from seller limit $2)",
    [milliseconds, SELLERS_AHEAD],
  );

async function measure(small: Subject, large: Subject) {
  const sweeps: Sweeps[] = [];
  const backlogs: Backlog[] = [];
  const idle = Array<Date>(IDLE_ROUNDS).fill(at(0));
  const minutes = Array.from({ length: 24 * 60 }, (_, minute) => at((minute + 1) * MINUTE));
  for (const kind of KINDS)
    for (const subject of [small, large]) {
      await timeSweeps(subject, "to warm up", { kind, moments: idle.slice(-20) });
      sweeps.push(await timeSweeps(subject, "nothing to do", { kind, moments: idle }));
    }
  for (const kind of KINDS)
    sweeps.push(await timeSweeps(large, "each minute of a day", { kind, moments: minutes }));
  const service = await startService(large.url, {
    environment: { SERVICE_WORKER: "elsewhere" },
  });
  const healthz = startHealth();
  const { health: atRest } = await healthz.during(service.port, () => delay(REST_MS));
  const time = async (kind: SweepKind, now: Date, workers: number) => {
    const { result, health } = await healthz.during(service.port, () =>
      timeBacklog(large, { kind, now, workers }),
    );
    backlogs.push({ ...result, health });
  };
  for (const workers of [1, 2]) {
    const now = at((1 + workers) * DAY);
    await time("subscriptions", now, workers);
    await leaveCheckouts(large, now);
    await time("checkouts", now, workers);
  }
  await Promise.all([healthz.close(), service.close()]);
  // This runs last, because it changes ten days of these sellers' records.
  await setAhead(large, 10 * DAY);
  const now = at(3 * DAY);
  for (const kind of KINDS) {
    await sweepOnce(large.pool, kind, now);
    const name = `nothing to do, ${SELLERS_AHEAD} clocks ahead`;
    sweeps.push(await timeSweeps(large, name, { kind, moments: idle.map(() => now) }));
  }
  return { sweeps, backlogs, atRest };
}

function report({ sweeps, backlogs, atRest }: Awaited<ReturnType<typeof measure>>): string {
  const ratio = ([small, large]: Sweeps[]) => (large?.p50 ?? 0) / (small?.p50 ?? Number.NaN);
  const idle = (kind: SweepKind) =>
    sweeps.filter(({ name }) => name === `${kind}, nothing to do`);
  const most = (name: string, value: number, target: number) => [
    name,
    value.toFixed(2),
    `≤ ${target}`,
    value <= target ? "met" : "MISSED",
  ];
  return [
    markdown([
      ["sweep", "subscriptions", "moved", "p50 ms", "p95 ms"],
      ...sweeps.map(({ name, size, moved, p50, p95 }) => [
        name,
        size.toLocaleString("en"),
        moved.toLocaleString("en"),
        p50.toFixed(2),
        p95.toFixed(2),
      ]),
    ]),
    "",
    markdown([
      ["at once", "workers", "moved by each", "seconds", "a second", "/healthz p99 ms"],
      ...backlogs.map(({ name, workers, moved, seconds, health }) => [
        name,
        String(workers),
        moved.join(" + "),
        seconds.toFixed(1),
        (moved.reduce((sum, one) => sum + one) / seconds).toFixed(0),
        healthP99(health).toFixed(2),
      ]),
    ]),
    "",
    markdown([
      ["target", "measured", "aim", ""],
      ...KINDS.flatMap((kind) => [
        most(`${kind}, nothing to do: large / small`, ratio(idle(kind)), 2),
        most(`${kind}, nothing to do: p95 ms`, idle(kind).at(-1)?.p95 ?? Number.NaN, 20),
      ]),
      ...backlogs.map(({ name, workers, seconds }) =>
        most(`${name}, 10,000 at once, ${workers} at work: seconds`, seconds, 30),
      ),
      ...healthRatios(
        backlogs.map(({ health }) => health),
        atRest,
      ),
    ]),
  ].join("\n");
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const large = Number(values.large);
  if (!Number.isInteger(large) || large < 100_000 || large > 10_000_000)
    throw new CommandFailure("--large takes a number from 100000 to 10000000.");
  const directory = await mkdtemp(join(tmpdir(), "duebook-bench-"));
  const postgres = await startPostgres(directory);
  const subjects: Subject[] = [];
  try {
    for (const [name, size] of Object.entries({ small: SMALL, large })) {
      await postgres.ensureDatabase(name);
      const url = postgres.url(name);
      await migrateService(url);
      // No statement timeout, because filling can take longer than any.
      subjects.push({ pool: openPool(url, 0), url, size });
      const started = performance.now();
      await fillRows((subjects.at(-1) as Subject).pool, size);
      const seconds = ((performance.now() - started) / 1_000).toFixed(0);
      console.error(`${size.toLocaleString("en")} subscriptions filled in ${seconds} s`);
    }
    const found = await measure(...(subjects as [Subject, Subject]));
    console.log(values.json ? JSON.stringify(found) : report(found));
  } finally {
    await Promise.all(subjects.map(({ pool }) => pool.end()));
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
});
