import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { freePorts } from "../support/command.ts";
import { startOwnProduct } from "../support/own-product.ts";
import { visibleText } from "../support/visible-text.ts";
import { expect, fillNewSubscription, signIn, test } from "../support/seller.ts";

interface Exported {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  program: string;
}

interface Body {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue: string } }[] };
    scopeSpans: { spans: Omit<Exported, "program">[] }[];
  }[];
}

/** Starts a trace collector. @returns its URL, and the spans and bodies that it receives */
async function startCollector() {
  const spans: Exported[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      bodies.push(text);
      for (const { resource, scopeSpans } of (JSON.parse(text) as Body).resourceSpans) {
        const name = resource.attributes.find(({ key }) => key === "service.name");
        const program = name?.value.stringValue ?? "";
        for (const one of scopeSpans.flatMap((scope) => scope.spans))
          spans.push({ ...one, program });
      }
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    close: () => server.close(),
  };
}

/** The names from a span up to its first ancestor that was exported by neither program. */
function ancestryOf(spans: Exported[], span: Exported): string[] {
  const parent = spans.find((one) => one.spanId === span.parentSpanId);
  return [`${span.program}: ${span.name}`, ...(parent ? ancestryOf(spans, parent) : [])];
}

test("one trace leads from a click to the service's SQL without personal data, and metrics count the requests", async ({
  page,
  buyer,
  shop,
}) => {
  const collector = await startCollector();
  const [servicePort, dashboardMetrics, serviceMetrics] = await freePorts(3);
  const own = await startOwnProduct({
    SERVICE_PORT: String(servicePort),
    DASHBOARD_METRICS_PORT: String(dashboardMetrics),
    SERVICE_METRICS_PORT: String(serviceMetrics),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: "200",
  });
  const sent: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(request.headers()["traceparent"]);
  });
  try {
    await signIn(page, own.url);
    await page.goto(`${own.url}/subscriptions/new`);
    await fillNewSubscription(page, buyer, shop.returnUrl);
    await page.getByRole("button", { name: "Create and get the link" }).click();
    await expect(page.getByRole("textbox", { name: "Checkout link" })).toBeVisible();
    await expect(visibleText(page, buyer.full_name).first()).toBeVisible();

    const emitted = () => collector.spans.find(({ name }) => name === "insert customer");
    await expect.poll(() => emitted() !== undefined, { timeout: 15_000 }).toBe(true);
    const trace = () => collector.spans.filter(({ traceId }) => traceId === emitted()?.traceId);
    await expect
      .poll(() => trace().map(({ name }) => name))
      .toContain("action subscription.create");
    await expect
      .poll(() => ancestryOf(trace(), emitted() as Exported).join("\n"))
      .toMatch(
        /^duebook-service: insert customer\n(duebook-service: .*\n)*duebook-service: POST \/api\/v1\/subscriptions\/\nduebook-dashboard: POST api\/v1\/subscriptions\n(duebook-dashboard: .*\n)*duebook-dashboard: action subscription\.create\n(duebook-dashboard: .*\n?)*$/,
      );
    const names = new Set(trace().map(({ name }) => name));
    for (const name of ["require seller", "open key", "parse", "select session"])
      expect.soft([...names]).toContain(name);
    // The click itself is not exported: the browser's request is the parent of the first span.
    expect(sent.some((one) => one?.includes(emitted()?.traceId ?? "none"))).toBe(true);

    const all = collector.bodies.join("\n");
    for (const private_ of [buyer.phone, buyer.full_name, buyer.email, buyer.address, "dbk_"])
      expect(all.includes(private_), private_.slice(0, 4)).toBe(false);
    expect(all).not.toMatch(/demo@duebook|whsec_|[0-9a-f]{8}-[0-9a-f]{4}-4/);

    // Refusals are logged by ids and contain nothing of the URL.
    const refused = await page.request.get(`${own.url}/api/0a1b2c3d4e/test/products`);
    expect(refused.status()).toBe(404);
    await page.request.get(new URL("/api/0a1b2c3d4e/test/products", own.url).href, {
      headers: { "sec-fetch-site": "cross-site" },
    });
    // The log line can appear after the answer.
    const told = (event: string) =>
      own
        .output()
        .split("\n")
        .find((line) => line.includes(`"event":"${event}"`));
    await expect.poll(() => told("origin.refused")).toBeDefined();
    await expect
      .poll(() => told("access.refused"))
      .toMatch(/"level":"warn".*"request":"\w{32}".*"account":"[\w-]{36}"/);
    expect(own.output()).not.toContain("0a1b2c3d4e");

    const metricsAt = async (port = 0) =>
      (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const desk = await metricsAt(dashboardMetrics);
    expect(desk).toContain('route="/[seller]/[mode]/subscriptions/new"');
    expect(desk).toMatch(
      /billing_api_call_duration_seconds_count\{method="POST",endpoint="api\/v1\/subscriptions",outcome="ok"\} 1/,
    );
    expect(desk).toMatch(/mirror_copies\{state="\w+"\} 1/);
    expect(desk).toMatch(/dashboard_database_connections\{state="idle"\} \d/);
    expect(await metricsAt(serviceMetrics)).toContain('route="/api/v1/subscriptions/"');
  } finally {
    await own.stop();
    collector.close();
  }
});
