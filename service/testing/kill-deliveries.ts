import assert from "node:assert/strict";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { transaction } from "../db/database.ts";
import { emit } from "../outbox/emit.ts";
import { Desk } from "./desk.ts";
import { Endpoint } from "./endpoint.ts";
import type { TestService } from "./service.ts";

const SUBSCRIPTIONS = 8;
const CHANGES_A_ROUND = 6;

interface Options {
  service: TestService;
  databaseUrl: string;
  rounds: number;
  /** Between 0 and 1: the moments of killing. */
  random: () => number;
}

export interface KillReport {
  events: number;
  arrivals: number;
  kills: number;
}

/**
 * Two workers deliver while a seller's records change; at random moments one of them is killed.
 * @throws where an event did not arrive, arrived changed, unsigned or out of order, or never was
 */
export async function killDeliveries(options: Options): Promise<KillReport> {
  const { service, databaseUrl, rounds, random } = options;
  const endpoint = await Endpoint.listen();
  endpoint.answer = (response) => void setTimeout(() => response.writeHead(204).end(), 3);
  const desk = await Desk.open(service);
  const { secret } = await endpoint.register(desk, "subscription.status_changed");
  const ids = await Promise.all(
    Array.from({ length: SUBSCRIPTIONS }, (_, index) =>
      desk.createActive(desk.periods.monthly, { phone: `980000000${index}` }),
    ),
  );
  const workers = [await startWorker(databaseUrl), await startWorker(databaseUrl)];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const writing = change(service, desk, ids);
      await delay(random() * 60);
      const victim = workers.shift();
      victim?.kill("SIGKILL");
      workers.push(await startWorker(databaseUrl));
      await writing;
    }
    await allDelivered(service, desk);
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
    await endpoint.close();
  }
  const events = await requireArrivals(service, desk, endpoint, secret);
  return { events, arrivals: endpoint.arrivals.length, kills: rounds };
}

async function startWorker(databaseUrl: string): Promise<ChildProcess> {
  const worker = fork(join(import.meta.dirname, "worker-process.ts"), [databaseUrl]);
  await once(worker, "message");
  return worker;
}

/** Each record there and back again; and once what is undone must not be heard of. */
async function change(service: TestService, desk: Desk, ids: string[]) {
  const turn = async (id: string) => {
    for (let count = 0; count < CHANGES_A_ROUND; count += 2) {
      await desk.cancel(id);
      await desk.resume(id);
    }
  };
  await Promise.all(ids.map(turn));
  const undone = transaction(service.pool, async (database) => {
    await emit(database, {
      seller_id: desk.seller.seller_id,
      subscription_id: ids[0] ?? "",
      events: ["subscription.status_changed"],
      old_status: "active",
      new_status: "inactive",
      reason: "undone",
      created_at: new Date(),
    });
    throw new Error("undone");
  });
  await assert.rejects(undone, /undone/);
}

async function allDelivered({ pool }: TestService, { seller }: Desk) {
  for (let tries = 0; tries < 600; tries += 1) {
    const { rowCount } = await pool.query(
      "select 1 from delivery where seller_id = $1 and state <> 'delivered' limit 1",
      [seller.seller_id],
    );
    if (rowCount === 0) return;
    await delay(50);
  }
  assert.fail("some deliveries did not arrive");
}

async function requireArrivals(
  { pool }: TestService,
  { seller }: Desk,
  endpoint: Endpoint,
  secret: string,
): Promise<number> {
  const { rows } = await pool.query<{ event_id: string; subscription_id: string }>(
    `select event_id, subscription_id from event
     where seller_id = $1 and event = 'subscription.status_changed' order by sequence`,
    [seller.seller_id],
  );
  const webhook = new Webhook(secret);
  const bodies = new Map<string, string>();
  for (const { headers, body } of endpoint.arrivals) {
    webhook.verify(body, headers);
    const id = headers["webhook-id"] ?? "";
    assert.equal(bodies.get(id) ?? body, body, "a repetition differs from what arrived first");
    bodies.set(id, body);
  }
  // As they first arrived, subscription by subscription: all of them, nothing else, in order.
  const arrived = [...bodies].map(([id, body]) => ({
    event_id: id,
    subscription_id: (JSON.parse(body) as { subscription_id: string }).subscription_id,
  }));
  const bySubscription = (some: typeof rows) =>
    Object.fromEntries(
      [...Map.groupBy(some, (row) => row.subscription_id)].map(
        ([id, own]) => [id, own.map((row) => row.event_id)] as const,
      ),
    );
  assert.equal(bodies.size, rows.length, "some events did not arrive, or others did");
  const expected = bySubscription(rows);
  for (const [id, ids] of Object.entries(bySubscription(arrived)))
    assert.ok(ids.join() === expected[id]?.join(), "the order of a subscription was not kept");
  return rows.length;
}
