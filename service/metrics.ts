import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { createFairServer } from "#contract/process/http-server.ts";
import { deliveryMetrics } from "./deliveries/metrics.ts";
import { routeOf } from "./http/log.ts";

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
    /** Also counts deliveries, for a worker in this process. */
    observeDeliveries: () => deliveryMetrics(registry, pool, () => new Date()),
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
