import { setTimeout as delay } from "node:timers/promises";
import { compareWithLedgers, waitUntilSettled } from "../../../service/testing/kill/run.ts";
import { sellSubscription, type TopologyRun } from "./topology-run.ts";

const ANNOUNCEMENT_TIMEOUT = 5_000;

/** Checks after the load that no acknowledged write is missing, doubled or invented. */
export async function checkAfterLoad(run: TopologyRun): Promise<string[]> {
  const { topology, pools, serviceClient, shop, inbox, streams, book } = run;
  const problems: string[] = [];
  const told = await timeAnnouncement(run);
  if (told === null) problems.push("a stream did not announce a payment within 5 s");

  const { rowCount: waiting } = await pools.service.query(
    "update delivery set next_at = '-infinity' where state = 'pending' and next_at > now()",
  );
  const worker = topology.processNamed("service-worker-1");
  await waitUntilSettled(
    {
      programs: [{ role: "worker" as const }],
      ready: async () => {},
      replace: async () => {
        await worker.end();
        await worker.start();
      },
    },
    pools.service,
    [shop],
  );
  problems.push(
    ...(await compareWithLedgers(serviceClient, [shop], inbox)),
    ...(await compare(run)),
  );

  const { ledger } = shop;
  const places = streams.map(
    ({ servers }) => new Set(servers.map((one) => one.split(", ").at(-1))),
  );
  console.log(`${ledger.acknowledged + book.created.size + book.paid.size} writes acknowledged, ${ledger.repeated} repeated with their key, ${ledger.unknown} unknown
${book.created.size} subscriptions and ${book.paid.size} payments acknowledged for the dashboard's seller; ${inbox.arrivals} deliveries at the shop's
${waiting} deliveries waited for a retry
streams: ${streams.length}, each seen at ${places.map(({ size }) => size).join(", ")} dashboards; connected ${streams.map(({ servers }) => servers.length).join(", ")} times, longest without one ${Math.max(...streams.map(({ longestGap }) => longestGap / 1_000)).toFixed(1)} s, ${streams.reduce((all, { refused }) => all + refused, 0)} refused; a payment announced after ${told?.toFixed(0) ?? "-"} ms`);
  if (places.some(({ size }) => size < 2))
    problems.push("a stream never came back at the other dashboard");
  return problems;
}

/** Makes a payment. @returns milliseconds until every stream announced it; null after five seconds */
async function timeAnnouncement(run: TopologyRun): Promise<number | null> {
  const id = await sellSubscription(run, 1_000_000);
  const begun = performance.now();
  while (performance.now() - begun < ANNOUNCEMENT_TIMEOUT) {
    if (id && run.streams.every(({ told }) => told.has(id))) return performance.now() - begun;
    await delay(10);
  }
  return null;
}

/** Compares the service's events with the deliveries and payments that the dashboards stored. */
async function compare({ pools, api, owner, book }: TopologyRun): Promise<string[]> {
  const { seller_id } = api.seller;
  const { rows: events } = await pools.service.query<{
    event_id: string;
    event: string;
    id: string;
  }>("select event_id, event, subscription_id as id from event where seller_id = $1", [
    seller_id,
  ]);
  const { rows: stored } = await pools.service.query<{ id: string }>(
    "select subscription_id as id from subscription where seller_id = $1",
    [seller_id],
  );
  const { rows: received } = await pools.dashboard.query<{ id: string }>(
    `select delivery_id as id from received_delivery
      where seller_id = $1 and mode = $2 and verdict = 'verified'`,
    [owner.seller_id, owner.mode],
  );
  const { rows: verified } = await pools.dashboard.query<{ id: string }>(
    "select subscription_id as id from proof where seller_id = $1 and mode = $2",
    [owner.seller_id, owner.mode],
  );
  const arrived = new Set(received.map(({ id }) => id));
  const known = new Set(stored.map(({ id }) => id));
  const payments = events.filter(({ event }) => event === "checkout.succeeded");
  const paid = new Set(payments.map(({ id }) => id));
  const missing = events.filter(({ event_id }) => !arrived.has(event_id)).length;
  console.log(
    `${events.length} events of the dashboard's seller, ${arrived.size} received and verified; ${payments.length} payments, ${verified.length} at the dashboards`,
  );
  return [
    ...(missing > 0 ? [`${missing} events never reached the dashboards`] : []),
    ...(arrived.size > events.length
      ? ["the dashboards received events that never happened"]
      : []),
    ...(verified.length === payments.length
      ? []
      : [`${payments.length} payments, but ${verified.length} at the dashboards`]),
    ...[...book.created]
      .filter((id) => !known.has(id))
      .map((id) => `${id} was acknowledged, but does not exist`),
    ...[...book.paid]
      .filter((id) => !paid.has(id))
      .map((id) => `${id} was reported as paid, but is not`),
  ];
}
