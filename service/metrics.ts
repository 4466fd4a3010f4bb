import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { IS_ARCHIVE_FAILING } from "#contract/process/database.ts";
import { createFairServer } from "#contract/process/http-server.ts";
import { queryValue } from "./db/database.ts";
import type { DeliveryObserver } from "./deliveries/recorder.ts";
import { selectBacklog, type Backlog } from "./deliveries/store.ts";
import { routeOf } from "./http/log.ts";
import type { SendContext } from "./messages/send.ts";
import { countDueMessages } from "./messages/store.ts";

export function createMetrics(pool: pg.Pool) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "http_request_duration_seconds",
    help: "From the arrival of a request to the end of its answer",
    labelNames: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  new Gauge({
    name: "database_connections",
    help: "Connections to the database, and requests that wait for one",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      this.set({ state: "idle" }, pool.idleCount);
      this.set({ state: "busy" }, pool.totalCount - pool.idleCount);
      this.set({ state: "waiting" }, pool.waitingCount);
    },
  });
  new Gauge({
    name: "database_archive_failing",
    help: "1 while the last file of the database's WAL that was to be archived could not be",
    registers: [registry],
    async collect() {
      const ask = `select ${IS_ARCHIVE_FAILING}`;
      const isFailing = await queryValue<boolean>(pool, ask).catch(() => null);
      if (isFailing === null) this.remove();
      else this.set(Number(isFailing));
    },
  });
  const observe = (app: FastifyInstance) =>
    app.addHook("onResponse", async (request, reply) => {
      const labels = {
        method: request.method,
        route: routeOf(request),
        status: reply.statusCode,
      };
      requests.observe(labels, reply.elapsedTime / 1_000);
    });
  return {
    registry,
    observe,
    /** Adds the counts of deliveries to the metrics, for a worker in this process. */
    observeDeliveries: () => deliveryMetrics(registry, pool, () => new Date()),
    /** Adds the counts of messages to the metrics, for a worker in this process. */
    observeMessages: () => messageMetrics(registry, pool),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Collects metrics and serves them. @throws if the port is taken */
export async function startMetrics(pool: pg.Pool, options: Parameters<typeof serveMetrics>[1]) {
  const metrics = createMetrics(pool);
  return { ...metrics, close: (await serveMetrics(metrics, options)).close };
}

/** A separate server, so that the metrics need not be reachable where the API is. */
export async function serveMetrics(
  { registry }: Pick<Metrics, "registry">,
  { port, host, token }: { port: number; host: string; token?: string | undefined },
) {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const isAllowed = ({ headers }: IncomingMessage) =>
    token === undefined ||
    timingSafeEqual(digest(headers.authorization ?? ""), digest(`Bearer ${token}`));
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url !== "/metrics") return void response.writeHead(404).end();
    if (!isAllowed(request))
      return void response.writeHead(401, { "www-authenticate": "Bearer" }).end();
    registry.metrics().then(
      (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  };
  const server = createFairServer({}, answer, () => {});
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise<void>((done) => server.close(() => done())),
  };
}

const OUTCOMES = { delivered: "delivered", pending: "retried", failed: "failed" };

export function deliveryMetrics(
  register: Registry,
  pool: pg.Pool,
  now: () => Date,
): DeliveryObserver {
  const registers = [register];
  const attempts = new Histogram({
    name: "webhook_attempt_duration_seconds",
    help: "Attempts to deliver, by outcome",
    labelNames: ["outcome"],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 60],
    registers,
  });
  const waits = new Histogram({
    name: "webhook_first_attempt_delay_seconds",
    help: "From the change, by the database's clock, to the first attempt to announce it",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 60, 300, 3_600],
    registers,
  });
  const switched = new Counter({
    name: "webhook_switched_off_total",
    help: "Endpoints that were switched off because they are gone or always fail",
    labelNames: ["reason"],
    registers,
  });
  countBacklog(registers, () => selectBacklog(pool, now()));
  return {
    attempted: ({ state, duration_ms }, waited) => {
      attempts.observe({ outcome: OUTCOMES[state] }, duration_ms / 1_000);
      if (waited !== null) waits.observe(Math.max(waited, 0) / 1_000);
    },
    switchedOff: (reason) => switched.inc({ reason }),
  };
}

function messageMetrics(registry: Registry, pool: pg.Pool): SendContext["onAttempt"] {
  const registers = [registry];
  const attempts = new Counter({
    name: "message_attempts_total",
    help: "Attempts to send a message, by outcome",
    labelNames: ["kind", "provider", "result"],
    registers,
  });
  new Gauge({
    name: "messages_due",
    help: "Messages that wait although they are due",
    labelNames: ["kind"],
    registers,
    async collect() {
      const due = await countDueMessages(pool, new Date()).catch(() => []);
      this.reset();
      for (const { kind, count } of due) this.set({ kind }, count);
    },
  });
  return ({ kind, provider }, result) => attempts.inc({ kind, provider, result });
}

/** Gauges read from the database on each scrape; omitted if it does not answer. */
function countBacklog(registers: Registry[], select: () => Promise<Backlog>) {
  let look: Promise<Backlog | null> | null = null;
  // All gauges of one scrape share one query.
  const ask = () =>
    (look ??= select()
      .catch(() => null)
      .finally(() => (look = null)));
  const gauge = (name: string, help: string, states: Record<string, keyof Backlog>) =>
    new Gauge({
      name,
      help,
      labelNames: ["state"],
      registers,
      async collect() {
        const backlog = await ask();
        this.reset();
        if (!backlog) return;
        for (const [state, key] of Object.entries(states)) this.set({ state }, backlog[key]);
      },
    });
  gauge("webhook_deliveries", "Deliveries to be sent, counted up to 100,000", {
    due: "due",
    waiting: "waiting",
  });
  gauge("webhook_oldest_delivery_seconds", "For how long the oldest delivery has been due", {
    due: "oldest_due",
  });
  gauge("webhook_registrations", "Webhook endpoints; failing ones also count as active", {
    active: "active",
    failing: "failing",
    paused: "paused",
  });
}
