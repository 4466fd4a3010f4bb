import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { pathWithoutIds, getObserver, setGauges } from "#lib/trace.ts";
import { readIndexAges } from "#lib/search-index/query/index-status.ts";
import { createMetrics, serveMetrics } from "../../service/metrics.ts";
import { useTestService } from "../../service/testing/use-service.ts";
import { createDashboardMetrics, routeFinder, startMetrics } from "./dashboard-metrics.ts";
import { ROOT } from "../process/settings.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";

useDashboardDatabase();
const service = useTestService();

const routeOf = routeFinder([
  { page: "/sign-in", regex: "^/sign\\-in(?:/)?$" },
  {
    page: "/[seller]/[mode]/customers/[id]",
    regex: "^/([^/]+?)/([^/]+?)/customers/([^/]+?)(?:/)?$",
  },
]);

async function connectIndex(error: string | null) {
  const { rows } = await pool.query<{ id: string }>(
    "insert into seller (name, time_zone) values ('Phewa', 'UTC') returning id",
  );
  const seller_id = rows[0]?.id;
  await pool.query(
    `insert into billing_connection (seller_id, mode, sealed_key, key_id, last4)
     values ($1, 'test', '\\x00', '', '0000')`,
    [seller_id],
  );
  await pool.query(
    `insert into mirror (seller_id, mode, filled_at, read_at, error)
     values ($1, 'test', now(), now() - interval '90 seconds', $2)
     on conflict (seller_id, mode) do update set filled_at = excluded.filled_at,
       read_at = excluded.read_at, error = excluded.error`,
    [seller_id, error],
  );
}

test("metrics count API calls, webhook verdicts, search indexes and connections, without ids in labels", async () => {
  const metrics = createDashboardMetrics(routeOf);
  await connectIndex(null);
  await connectIndex("unavailable");
  setGauges({ pool: () => pool, streams: () => 3, indexAges: () => readIndexAges(pool) });
  const endpoint = pathWithoutIds("api/v1/subscriptions/5f0c7c1e/cancel");
  getObserver()?.apiCall({ method: "POST", endpoint, outcome: "ok", seconds: 0.02 });
  getObserver()?.received("forged");
  const served = await serveMetrics(metrics, { port: 0, host: "127.0.0.1" });
  const answer = await fetch(`http://127.0.0.1:${served.port}/metrics`);
  const lines = (await answer.text()).split("\n");
  await served.close();
  expect(lines).toEqual(
    expect.arrayContaining([
      'billing_api_call_duration_seconds_count{method="POST",endpoint="api/v1/subscriptions/{id}/cancel",outcome="ok"} 1',
      'received_deliveries_total{verdict="forged"} 1',
      'mirror_copies{state="ready"} 1',
      'mirror_copies{state="troubled"} 1',
      "live_streams 3",
      'dashboard_database_connections{state="waiting"} 0',
    ]),
  );
  const age = lines.find((line) =>
    line.startsWith('mirror_oldest_copy_seconds{state="ready"}'),
  );
  expect(Number(age?.split(" ").at(-1))).toBeGreaterThanOrEqual(90);
});

test("a request is counted under the route that answers it, or under none", () => {
  expect(routeOf("/0123456789/test/customers/41")).toBe("/[seller]/[mode]/customers/[id]");
  expect(routeOf("/sign-in")).toBe("/sign-in");
  expect(routeOf("/.env")).toBe("none");
});

const HISTOGRAM = ["_bucket", "_count", "_sum"];
const WORDS = new Set(["by", "le", "and", "or", "on", "without", "ignoring"]);

/** The names of metrics in a query: all words except functions, labels and keywords. */
function namesIn(query: string): string[] {
  const bare = query
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, " ")
    .replaceAll(/\b(by|without)\s*\([^)]*\)/g, " ");
  return [...bare.matchAll(/\b[a-z][a-z0-9_]*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !WORDS.has(name));
}

async function knownNames(): Promise<Set<string>> {
  const metrics = createMetrics(service.pool);
  metrics.observeDeliveries();
  const registries = [metrics.registry, createDashboardMetrics(routeOf).registry];
  const all = (await Promise.all(registries.map((one) => one.getMetricsAsJSON()))).flat();
  return new Set(all.flatMap(({ name }) => [name, ...HISTOGRAM.map((end) => name + end)]));
}

const dashboardFile = readFileSync(join(ROOT, "deploy/grafana-dashboard.json"), "utf8");
const rulesFile = readFileSync(join(ROOT, "deploy/alerts.yml"), "utf8");
const runbook = readFileSync(join(ROOT, "docs/runbook.md"), "utf8");

test("the Grafana dashboard, the alerts and the runbook use only metrics that exist", async () => {
  const { panels } = JSON.parse(dashboardFile) as {
    panels: { targets: { expr: string }[] }[];
  };
  const asked = [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...[...rulesFile.matchAll(/expr: (.+)/g)].map(([, expr = ""]) => expr),
    ...[...runbook.matchAll(/```promql\n([^]*?)```/g)].flatMap(([, lines = ""]) =>
      lines.trim().split("\n"),
    ),
  ];
  expect(asked.length).toBeGreaterThan(20);
  const known = await knownNames();
  const names = asked.flatMap(namesIn);
  expect(names.length).toBeGreaterThanOrEqual(asked.length);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

test("every alert has a description", () => {
  const count = (pattern: RegExp) => [...rulesFile.matchAll(pattern)].length;
  expect(count(/description: "[^"]{30,}"/g)).toBe(count(/- alert: /g));
});

test("metrics are off by default, and need a token if others can reach the installation", async () => {
  await expect(startMetrics("0.0.0.0")).resolves.toBeNull();
  vi.stubEnv("DASHBOARD_METRICS_PORT", "9464");
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(startMetrics("0.0.0.0")).rejects.toThrow(/^METRICS_TOKEN: set it/);
});
