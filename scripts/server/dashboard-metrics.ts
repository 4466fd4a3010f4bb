import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { getGauges, setObserver, type IndexAge } from "#lib/trace.ts";
import { metricsProblem } from "../../service/config.ts";
import { serveMetrics } from "../../service/metrics.ts";
import { CommandFailure, systemReasonOf } from "../process/command.ts";
import { ROOT } from "../process/settings.ts";

interface Route {
  page: string;
  regex: string;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const MOST_PATHS = 1_000;
/**
 * Paths of event streams, whose duration is not measured, because they stay open as long as a page.
 */
const STREAM = /\/live$/;

/** Finds the route of a URL, named as its folder, without ids. */
export function routeFinder(routes: readonly Route[]): (path: string) => string {
  const known = routes.map(({ page, regex }) => ({ page, regex: new RegExp(regex) }));
  const found = new Map<string, string>();
  return (path) => {
    const page = found.get(path) ?? known.find(({ regex }) => regex.test(path))?.page ?? "none";
    // Cached, because matching a hundred expressions takes a tenth of a millisecond per request.
    if (found.size < MOST_PATHS) found.set(path, page);
    return page;
  };
}

/** Metrics of the dashboard. No label names a seller, a person or a subscription. */
export function createDashboardMetrics(routeOf: (path: string) => string) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "dashboard_request_duration_seconds",
    help: "From the arrival of a request to the end of its answer; actions are POST to their page",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers,
  });
  const calls = new Histogram({
    name: "billing_api_call_duration_seconds",
    help: "Calls to the billing API, by what came of them: ok, or the kind of failure",
    labelNames: ["method", "endpoint", "outcome"],
    buckets: SECONDS,
    registers,
  });
  const received = new Counter({
    name: "received_deliveries_total",
    help: "Deliveries of webhooks that came to receivers here, by verdict",
    labelNames: ["verdict"],
    registers,
  });
  setObserver({
    apiCall: ({ method, endpoint, outcome, seconds }) =>
      calls.observe({ method, endpoint, outcome }, seconds),
    received: (verdict) => received.inc({ verdict }),
  });
  addGauges(registers);
  return {
    registry,
    observe: (request: IncomingMessage, response: ServerResponse) => {
      const [path = "/"] = (request.url ?? "/").split("?");
      const began = performance.now();
      response.once("close", () => {
        const route = routeOf(path);
        if (STREAM.test(route)) return;
        const { method = "GET" } = request;
        const seconds = (performance.now() - began) / 1_000;
        requests.observe({ method, route, status: response.statusCode }, seconds);
      });
    },
  };
}

function addGauges(registers: Registry[]) {
  new Gauge({
    name: "dashboard_database_connections",
    help: "Connections of pages to the dashboard's database, and what waits for one",
    labelNames: ["state"],
    registers,
    collect() {
      const pool = getGauges()?.pool();
      if (!pool) return;
      this.set({ state: "idle" }, pool.idleCount);
      this.set({ state: "busy" }, pool.totalCount - pool.idleCount);
      this.set({ state: "waiting" }, pool.waitingCount);
    },
  });
  new Gauge({
    name: "live_streams",
    help: "Streams of events open to browsers",
    registers,
    collect() {
      this.set(getGauges()?.streams() ?? 0);
    },
  });
  const indexGauge = (name: string, help: string, value: (one: IndexAge) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["state"],
      registers,
      async collect() {
        const ages = await getGauges()
          ?.indexAges()
          .catch(() => null);
        this.reset();
        for (const one of ages ?? []) this.set({ state: one.state }, value(one));
      },
    });
  indexGauge("mirror_copies", "Search indexes, by state", (one) => one.indexes);
  indexGauge(
    "mirror_oldest_copy_seconds",
    "Seconds since the oldest search index of that state was last read",
    (one) => one.age,
  );
}

/** Serves metrics on DASHBOARD_METRICS_PORT; null if unset. */
export async function startMetrics(host: string) {
  const port = Number(process.env["DASHBOARD_METRICS_PORT"] || 0);
  if (port === 0) return null;
  const token = process.env["METRICS_TOKEN"] || undefined;
  const problem = metricsProblem(host, token);
  if (problem) throw new CommandFailure(`METRICS_TOKEN: ${problem}.`);
  const manifest = JSON.parse(
    readFileSync(join(ROOT, ".next/routes-manifest.json"), "utf8"),
  ) as Record<"staticRoutes" | "dynamicRoutes", Route[]>;
  const metrics = createDashboardMetrics(
    routeFinder([...manifest.staticRoutes, ...manifest.dynamicRoutes]),
  );
  const server = await serveMetrics(metrics, { port, host, token }).catch((error: unknown) => {
    throw new CommandFailure(
      `cannot serve metrics on port ${port} (DASHBOARD_METRICS_PORT): ${systemReasonOf(error)}.`,
    );
  });
  return { observe: metrics.observe, close: server.close };
}
