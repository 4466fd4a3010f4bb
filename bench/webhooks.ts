import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Failure, runCommand } from "../scripts/failure.ts";
import { startPostgres } from "../scripts/postgres.ts";
import { transaction } from "../service/db/database.ts";
import { migrateService } from "../service/db/migrate.ts";
import { IN_FLIGHT } from "../service/deliveries/lane.ts";
import { DELIVERIES_CHANNEL, emit } from "../service/outbox/emit.ts";
import { Desk } from "../service/testing/desk.ts";
import { startTestService, TEST_SECRETS_KEY } from "../service/testing/service.ts";
import { summarize } from "./load.ts";
import type { Arrived, WebhooksOrder } from "./webhooks-processes.ts";

const HELP = `npm run bench:webhooks -- [--rounds N] [--deliveries N] [--json]
Times deliveries from the commit to their arrival, and one worker process against plain signed requests.`;
const ENDPOINTS = 20;
const CHANGES = 100;
const AIM = 0.7;
const WEBHOOKS = "/api/v1/webhooks/";
// As large as a real one.
const BODY = JSON.stringify({ filler: "x".repeat(550) });

interface Round {
  /** Requests and deliveries a second. */
  floor: number;
  rate: number;
  ratio: number;
  /** Milliseconds from commit to received. */
  p50: number;
  p95: number;
}

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    deliveries: { type: "string", default: "8000" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function positive(name: "rounds" | "deliveries", most: number): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value > 0 && value <= most) return value;
  throw new Failure(`--${name} takes a number up to ${most}.`);
}

const children: ChildProcess[] = [];

/** Sends an order to a process, a new one if none is given, and waits for its answer. */
async function order<Reply>(
  what: WebhooksOrder,
  child = startProcess(),
): Promise<{ child: ChildProcess; reply: Reply }> {
  child.send(what);
  const [reply] = (await once(child, "message")) as [Reply];
  return { child, reply };
}

function startProcess(): ChildProcess {
  const child = fork(join(import.meta.dirname, "webhooks-processes.ts"));
  children.push(child);
  return child;
}

/** When each delivery arrived first, by its id. */
function collect(receiver: ChildProcess) {
  const arrivals = new Map<string, number>();
  receiver.on("message", (arrived: Arrived) => {
    for (const { id, at } of arrived) if (!arrivals.has(id)) arrivals.set(id, at);
  });
  const until = async (count: number) => {
    const limit = performance.now() + 120_000;
    while (arrivals.size < count) {
      if (performance.now() > limit)
        throw new Failure(`only ${arrivals.size} of ${count} arrived`);
      await delay(1);
    }
  };
  return { arrivals, until };
}

type Arrivals = ReturnType<typeof collect>;

/** Milliseconds from the return of the commit to the arrival, of single changes. */
async function timeChanges({ service, seller }: Desk, subscription_id: string, seen: Arrivals) {
  const times: number[] = [];
  for (let change = 0; change < CHANGES; change += 1) {
    const known = seen.arrivals.size;
    await transaction(service.pool, (database) =>
      emit(database, {
        seller_id: seller.seller_id,
        subscription_id,
        events: ["checkout.failed"],
        old_status: "active",
        new_status: "active",
        reason: "bench",
        created_at: new Date(),
      }),
    );
    const committed = performance.timeOrigin + performance.now();
    await seen.until(known + 1);
    times.push(([...seen.arrivals.values()].at(-1) ?? Number.NaN) - committed);
    await delay(Math.random() * 20);
  }
  return times;
}

/** Queues so many at once, each of a subscription of its own. @returns arrivals a second */
async function timeBacklog({ service, seller }: Desk, count: number, seen: Arrivals) {
  const known = seen.arrivals.size;
  const queued = await service.pool.query(
    `insert into delivery (seller_id, webhook_id, event_id, event, subscription_id, body, created_at)
     select seller_id, id, gen_random_uuid(), event, gen_random_uuid(), $3, now()
     from webhook, generate_series(1, $2::int / $4::int)
     where seller_id = $1 and event = 'checkout.succeeded'`,
    [seller.seller_id, count, BODY, ENDPOINTS],
  );
  const started = performance.timeOrigin + performance.now();
  await service.pool.query(`notify ${DELIVERIES_CHANNEL}`);
  await seen.until(known + (queued.rowCount ?? 0));
  const last = Math.max(...[...seen.arrivals.values()].slice(known));
  return ((queued.rowCount ?? 0) * 1_000) / (last - started);
}

async function measure(databaseUrl: string, rounds: number, count: number) {
  const service = await startTestService(databaseUrl);
  const desk = await Desk.open(service);
  const id = await desk.createActive();
  const { child, reply } = await order<{ port: number }>({ receive: true });
  const origin = `http://127.0.0.1:${reply.port}`;
  const urls = Array.from({ length: ENDPOINTS }, (_, index) => `${origin}/${index}`);
  for (const endpoint_url of urls)
    await desk.post(WEBHOOKS, { event: "checkout.succeeded", endpoint_url });
  await desk.post(WEBHOOKS, { event: "checkout.failed", endpoint_url: origin });
  const secretsKey = TEST_SECRETS_KEY.toString("base64");
  await order({ work: { databaseUrl, secretsKey } });
  const seen = collect(child);

  const poster = startProcess();
  const found: Round[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const post = { urls, count, atOnce: IN_FLIGHT, body: BODY };
    const { reply: floor } = await order<{ rate: number }>({ post }, poster);
    // What the receiver has not told yet belongs to the floor.
    await delay(100);
    const rate = await timeBacklog(desk, count, seen);
    const times = await timeChanges(desk, id, seen);
    const { p50, p95 } = summarize(times, 1);
    // The first round only warms up.
    if (round > 0) found.push({ floor: floor.rate, rate, ratio: rate / floor.rate, p50, p95 });
  }
  await service.close();
  return found;
}

function report(rounds: Round[]): string {
  const middle = (key: keyof Round) => {
    const sorted = rounds.map((round) => round[key]).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  const ratio = middle("ratio");
  return [
    `commit to received     p50 ${middle("p50").toFixed(1)} ms, p95 ${middle("p95").toFixed(1)} ms`,
    `plain signed requests  ${middle("floor").toFixed(0)} a second (${ENDPOINTS} addresses, ${IN_FLIGHT} at once to each)`,
    `deliveries, a process  ${middle("rate").toFixed(0)} a second`,
    `ratio                  ${ratio.toFixed(2)}, aim ≥ ${AIM}: ${ratio >= AIM ? "met" : "MISSED"}`,
  ].join("\n");
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const [rounds, count] = [positive("rounds", 100), positive("deliveries", 100_000)];
  const directory = await mkdtemp(join(tmpdir(), "duebook-bench-"));
  const postgres = await startPostgres(directory);
  try {
    await postgres.ensureDatabase("bench");
    const databaseUrl = postgres.url("bench");
    await migrateService(databaseUrl);
    const found = await measure(databaseUrl, rounds, count);
    console.log(values.json ? JSON.stringify(found) : report(found));
  } finally {
    for (const child of children) child.kill();
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
});
