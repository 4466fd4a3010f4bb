import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { startPostgres } from "#scripts/database/postgres.ts";
import { openPool } from "../../service/db/database.ts";
import { migrateService } from "../../service/db/migrate.ts";
import { MAX_IN_FLIGHT } from "../../service/deliveries/lane.ts";
import { DELIVERIES_CHANNEL } from "../../service/subscriptions/emit-events.ts";
import { SellerApi } from "../../service/testing/seller-api.ts";
import { startTestService, TEST_SECRETS_KEY } from "../../service/testing/service.ts";
import { fillRows } from "./lifecycle/lifecycle-rows.ts";
import { HEALTH_TARGET, healthP99, startHealth } from "./harness/health.ts";
import { summarizeTimes } from "./harness/load.ts";
import { medianOf } from "./harness/report.ts";
import { startService } from "./harness/subject.ts";
import {
  collectArrivals,
  timeDeliveriesOfChanges,
  type Arrivals,
} from "./webhooks/webhooks-arrivals.ts";
import {
  addNeighbours,
  timeBesideNeighbours,
  type NeighbourTimes,
} from "./webhooks/webhooks-bad-endpoints.ts";
import type { WebhooksCommand } from "./webhooks/webhooks-processes.ts";

const HELP = `npm run bench webhooks -- [--rounds N] [--deliveries N] [--subscriptions N] [--json]
Times deliveries from commit to arrival, also beside endpoints that hang, reset the connection or answer
slowly, and compares one worker process with plain signed requests. --subscriptions first adds N
subscriptions of other sellers, each with a delivery that has ended.`;
const ENDPOINTS = 20;
const CHANGES = 100;
const REST_MS = 1_000;
const AIM = 0.7;
const DELAY_AIM = 1.1;
const WEBHOOKS = "/api/v1/webhooks/";
// The body is as large as a real event.
const BODY = JSON.stringify({ filler: "x".repeat(550) });

interface Round {
  /** Per second: `floor` requests of a minimal sender, `rate` deliveries. */
  floor: number;
  rate: number;
  ratio: number;
  /**
   * Microseconds of processor time: `floorCost` per request of the minimal sender, `cost` per
   * delivery.
   */
  floorCost: number;
  cost: number;
  /** Milliseconds from the commit to the arrival. */
  p50: number;
  p95: number;
  /** Times of an endpoint next to three working endpoints, and next to three failing ones. */
  beside: NeighbourTimes;
  /**
   * Milliseconds of each `/healthz` request of a service: `health` during deliveries, `atRest`
   * without load.
   */
  health: number[];
  atRest: number[];
}

const { values } = readOptions({
  options: {
    rounds: { type: "string", default: "5" },
    deliveries: { type: "string", default: "8000" },
    subscriptions: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function positive(name: "rounds" | "deliveries" | "subscriptions", most: number): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value > 0 && value <= most) return value;
  throw new CommandFailure(`--${name} takes a number up to ${most}.`);
}

const children: ChildProcess[] = [];

/** Sends an order to a process, or to a new one if none is given, and waits for its reply. */
async function order<Reply>(
  what: WebhooksCommand,
  child = startProcess(),
): Promise<{ child: ChildProcess; reply: Reply }> {
  child.send(what);
  const [reply] = (await once(child, "message")) as [Reply];
  return { child, reply };
}

function startProcess(): ChildProcess {
  const child = fork(join(import.meta.dirname, "webhooks/webhooks-processes.ts"));
  children.push(child);
  return child;
}

/** Queues deliveries at once, each of another subscription. @returns arrivals per second */
async function timeBacklog({ service, seller }: SellerApi, count: number, seen: Arrivals) {
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

/** Adds subscriptions of other sellers, each with a delivery that has ended. */
async function addOthers(databaseUrl: string, subscriptions: number) {
  const pool = openPool(databaseUrl, 0);
  await fillRows(pool, subscriptions);
  const client = await pool.connect();
  await client.query("set statement_timeout = 0");
  const { rows: sellers } = await client.query<{ seller_id: number }>(
    "select seller_id from seller",
  );
  for (const { seller_id } of sellers)
    await client.query(
      `insert into delivery (seller_id, webhook_id, event_id, event, subscription_id, body, created_at,
         state, finished_at)
       select seller_id, w.id, gen_random_uuid(), w.event, s.subscription_id, '{}', s.created_at,
         'delivered', s.created_at
       from subscription s join webhook w using (seller_id)
       where seller_id = $1 and w.event = 'subscription.status_changed'`,
      [seller_id],
    );
  await client.query("vacuum analyze delivery");
  client.release(true);
  await pool.end();
}

async function measure(databaseUrl: string, rounds: number, count: number) {
  const service = await startTestService(databaseUrl);
  const shop = await SellerApi.open(service);
  const id = await shop.createActive();
  const { child, reply } = await order<{ port: number }>({ receive: true });
  const origin = `http://127.0.0.1:${reply.port}`;
  const urls = Array.from({ length: ENDPOINTS }, (_, index) => `${origin}/${index}`);
  for (const endpoint_url of urls)
    await shop.post(WEBHOOKS, { event: "checkout.succeeded", endpoint_url });
  await shop.post(WEBHOOKS, { event: "checkout.failed", endpoint_url: origin });
  const secretsKey = TEST_SECRETS_KEY.toString("base64");
  const activate = await addNeighbours(shop, origin);
  const { child: worker } = await order({ work: { databaseUrl, secretsKey } });
  const used = async () => (await order<number>({ usage: true }, worker)).reply;
  const seen = collectArrivals(child);
  const api = await startService(databaseUrl, {
    environment: { SERVICE_WORKER: "elsewhere" },
  });
  const healthz = startHealth();

  const poster = startProcess();
  const found: Round[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const post = { urls, count, atOnce: MAX_IN_FLIGHT, body: BODY };
    const { reply: floor } = await order<{ rate: number; cost: number }>({ post }, poster);
    // Waits, because arrivals that are not yet reported belong to the plain requests.
    await delay(100);
    const before = await used();
    const { result: rate, health } = await healthz.during(api.port, () =>
      timeBacklog(shop, count, seen),
    );
    const cost = ((await used()) - before) / count;
    const times = await timeDeliveriesOfChanges(shop, id, seen, CHANGES);
    const beside = await timeBesideNeighbours(shop, id, seen, activate);
    const { health: atRest } = await healthz.during(api.port, () => delay(REST_MS));
    const { p50, p95 } = summarizeTimes(times, 1);
    // The first round is not counted, because it warms up caches.
    if (round > 0)
      found.push({
        floor: floor.rate,
        rate,
        ratio: rate / floor.rate,
        floorCost: floor.cost,
        cost,
        p50,
        p95,
        beside,
        health,
        atRest,
      });
  }
  await Promise.all([healthz.close(), api.close()]);
  await service.close();
  return found;
}

function report(rounds: Round[]): string {
  const middle = (key: Exclude<keyof Round, "beside" | "health" | "atRest">) =>
    medianOf(rounds.map((round) => round[key]));
  const ratio = middle("ratio");
  const [cost, floorCost] = [middle("cost"), middle("floorCost")];
  const beside = (kind: keyof NeighbourTimes) =>
    summarizeTimes(
      rounds.flatMap((round) => round.beside[kind]),
      1,
    ).p95;
  const [health, rest] = [
    healthP99(rounds.flatMap((round) => round.health)),
    healthP99(rounds.flatMap((round) => round.atRest)),
  ];
  const delayed = beside("bad") / beside("good");
  return [
    `commit to received     p50 ${middle("p50").toFixed(1)} ms, p95 ${middle("p95").toFixed(1)} ms`,
    `plain signed requests  ${middle("floor").toFixed(0)} a second (${ENDPOINTS} addresses, ${MAX_IN_FLIGHT} at once to each)`,
    `deliveries, a process  ${middle("rate").toFixed(0)} a second`,
    `ratio                  ${ratio.toFixed(2)}, aim ≥ ${AIM}: ${ratio >= AIM ? "met" : "MISSED"}`,
    `processor time         ${cost.toFixed(0)} µs a delivery, ${floorCost.toFixed(0)} a plain request, without PostgreSQL's: ${(floorCost / cost).toFixed(2)}`,
    `beside bad endpoints   p95 ${beside("bad").toFixed(1)} ms, beside good ones ${beside("good").toFixed(1)} ms (three each: hanging, resetting, dripping)`,
    `ratio                  ${delayed.toFixed(2)}, aim < ${DELAY_AIM}: ${delayed < DELAY_AIM ? "met" : "MISSED"}`,
    `/healthz beside them   p99 ${health.toFixed(1)} ms, beside nothing ${rest.toFixed(1)} ms: ${(health / rest).toFixed(1)} times; aim ≤ ${HEALTH_TARGET} ms: ${health <= HEALTH_TARGET ? "met" : "MISSED"}`,
  ].join("\n");
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const [rounds, count] = [positive("rounds", 100), positive("deliveries", 100_000)];
  const others = values.subscriptions ? positive("subscriptions", 10_000_000) : 0;
  const directory = await mkdtemp(join(tmpdir(), "duebook-bench-"));
  const postgres = await startPostgres(directory);
  try {
    await postgres.ensureDatabase("bench");
    const databaseUrl = postgres.url("bench");
    await migrateService(databaseUrl);
    if (others > 0) await addOthers(databaseUrl, others);
    const found = await measure(databaseUrl, rounds, count);
    console.log(values.json ? JSON.stringify(found) : report(found));
  } finally {
    for (const child of children) child.kill();
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
});
