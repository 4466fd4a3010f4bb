import { once } from "node:events";
import { createServer } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts, startCommand, type RunningCommand } from "../support/command.ts";
import { visibleText } from "../support/visible-text.ts";
import { expect, signIn, test } from "../support/seller.ts";

// These tests start the whole product, one of them five times.
test.describe.configure({ timeout: 300_000 });

let folder: string;
let environment: Record<string, string>;
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "duebook-commands-"));
  const [port = 0, servicePort = 0] = await freePorts(2);
  environment = {
    PORT: String(port),
    SERVICE_PORT: String(servicePort),
    DATA_DIR: join(folder, ".data"),
  };
});
test.afterEach(() => rm(folder, { recursive: true, force: true }));

/** Expects a start that fails with one line and no stack trace. */
async function expectOneLine(command: RunningCommand, words: RegExp) {
  expect(await command.exited).not.toBe(0);
  expect(command.output()).toMatch(words);
  expect(command.output()).not.toMatch(/\n\s+at /);
}

const answersAt = (variable: string) =>
  fetch(`http://127.0.0.1:${environment[variable]}/healthz`).then(
    (answer) => answer.status,
    () => null,
  );

test("npm run up keeps the data and seeds nothing again after a clean exit, a crashed program and a kill", async ({
  page,
}) => {
  // Five starts took more than three minutes on a busy machine.
  test.slow();
  const url = `http://localhost:${environment["PORT"]}`;
  const first = startCommand("up.ts", environment);
  await first.printed("Duebook is ready.");
  expect(first.output()).toContain("Adding the demonstration data");
  await signIn(page, url);
  const before = await page
    .getByRole("main")
    .getByText(/^1–20 of/)
    .filter({ visible: true })
    .innerText();
  // An open page would report its failed requests.
  await page.goto("about:blank");
  expect(await first.stop("SIGINT")).toBe(0);

  const second = startCommand("up.ts", environment);
  await second.printed("Duebook is ready.");
  expect(second.output()).not.toContain("Adding the demonstration data");
  await page.goto(`${url}/subscriptions`);
  await expect(visibleText(page, /^1–20 of/)).toHaveText(before);
  await page.goto("about:blank");
  expect(await second.stop("SIGTERM")).toBe(0);

  const third = startCommand("up.ts", environment);
  await third.printed("Duebook is ready.");
  third.killChild("scripts/dashboard.ts");
  expect(await third.exited).not.toBe(0);
  expect(third.output()).toContain("the dashboard ended by itself");
  expect(await answersAt("SERVICE_PORT")).toBeNull();

  const fourth = startCommand("up.ts", environment);
  await fourth.printed("Duebook is ready.");
  await fourth.stop("SIGKILL");
  // The programs end with the command, so their ports are free again.
  for (const variable of ["PORT", "SERVICE_PORT"])
    await expect.poll(() => answersAt(variable)).toBeNull();
  const last = startCommand("up.ts", environment);
  await last.printed("Duebook is ready.");
  expect(last.output()).not.toContain("Adding the demonstration data");
  expect(await last.stop()).toBe(0);
});

test("the development start serves pages without a previous build", async ({ page }) => {
  // The development server compiles each page when it is requested.
  test.slow();
  const dev = startCommand("up.ts", environment, ["--watch"]);
  await dev.printed("Duebook is ready.");
  await page.goto(`http://localhost:${environment["PORT"]}/sign-in`, { timeout: 300_000 });
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  // The page keeps a connection for reloads, and would report its end.
  await page.goto("about:blank");
  expect(await dev.stop()).toBe(0);
});

test("a port that is taken is reported in one line without a stack trace", async () => {
  const first = startCommand("service.ts", environment);
  await first.printed("is ready");
  await expectOneLine(startCommand("up.ts", environment), /port \d+ is taken.*SERVICE_PORT/);
  expect(await first.stop()).toBe(0);
});

test("a metrics port that is taken ends the start with one line and leaves no process", async () => {
  const [metricsPort = 0] = await freePorts(1);
  const taken = createServer().listen(metricsPort, "127.0.0.1");
  await once(taken, "listening");
  const start = startCommand("up.ts", {
    ...environment,
    DEMONSTRATION: "off",
    DASHBOARD_METRICS_PORT: String(metricsPort),
  });
  expect(await start.exited).toBe(1);
  expect(start.output()).toMatch(/cannot serve metrics on port \d+ \(DASHBOARD_METRICS_PORT\)/);
  expect(start.output()).toContain("the dashboard ended before it was ready");
  expect(start.output()).not.toMatch(/\n\s+at /);
  for (const variable of ["PORT", "SERVICE_PORT"]) expect(await answersAt(variable)).toBeNull();
  taken.close();
});

test("a data directory that cannot be written is reported in one line without a stack trace", async () => {
  await expectOneLine(
    startCommand("up.ts", { ...environment, DATA_DIR: "/dev/null/data" }),
    /cannot write|cannot keep data/,
  );
});

test("a database that cannot be used is reported in one line without a stack trace", async () => {
  const nowhere = "postgresql://nobody:nothing@127.0.0.1:1/none";
  await expectOneLine(
    startCommand("up.ts", {
      ...environment,
      DATABASE_URL: `${nowhere}_either`,
      SERVICE_DATABASE_URL: nowhere,
    }),
    /DATABASE_URL cannot be used/,
  );
});
