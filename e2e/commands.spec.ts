import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts, startCommand, type RunningCommand } from "./command.ts";
import { expect, signIn, test } from "./seller.ts";

// Each of these starts the whole product, some twice.
test.describe.configure({ timeout: 120_000 });

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

/** A command that cannot start says why in one line, and nothing of a stack. */
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

test("a second start keeps the data and seeds nothing", async ({ page }) => {
  const url = `http://localhost:${environment["PORT"]}`;
  const first = startCommand("up.ts", environment);
  await first.printed("Duebook is ready.");
  expect(first.output()).toContain("Adding the demonstration data");
  await signIn(page, url);
  const before = await page
    .getByRole("main")
    .getByText(/^1–20 of/)
    .innerText();
  expect(await first.stop("SIGINT")).toBe(0);

  const second = startCommand("up.ts", environment);
  await second.printed("Duebook is ready.");
  expect(second.output()).not.toContain("Adding the demonstration data");
  await page.goto(`${url}/subscriptions`);
  await expect(page.getByRole("main").getByText(/^1–20 of/)).toHaveText(before);
  expect(await second.stop("SIGTERM")).toBe(0);
});

test("the development start serves its pages without a build", async ({ page }) => {
  const dev = startCommand("up.ts", environment, ["--watch"]);
  await dev.printed("Duebook is ready.");
  await page.goto(`http://localhost:${environment["PORT"]}/sign-in`, { timeout: 90_000 });
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  // The page holds a connection open for reloads, and would complain of its end.
  await page.goto("about:blank");
  expect(await dev.stop()).toBe(0);
});

test("when one program ends the other is stopped and the exit code says so", async () => {
  const up = startCommand("up.ts", environment);
  await up.printed("Duebook is ready.");
  up.killChild("next-server");
  expect(await up.exited).not.toBe(0);
  expect(up.output()).toContain("the dashboard ended by itself");
  expect(await answersAt("SERVICE_PORT")).toBeNull();
});

test("after the supervisor was killed its programs leave, and the next start finds the data", async () => {
  const first = startCommand("up.ts", environment);
  await first.printed("Duebook is ready.");
  await first.stop("SIGKILL");
  for (const variable of ["PORT", "SERVICE_PORT"])
    await expect.poll(() => answersAt(variable)).toBeNull();
  const second = startCommand("up.ts", environment);
  await second.printed("Duebook is ready.");
  expect(second.output()).not.toContain("Adding the demonstration data");
  expect(await second.stop()).toBe(0);
});

test("a taken port is one clear line", async () => {
  const first = startCommand("service.ts", environment);
  await first.printed("is ready");
  await expectOneLine(startCommand("up.ts", environment), /port \d+ is taken.*SERVICE_PORT/);
  expect(await first.stop()).toBe(0);
});

test("a data directory that cannot be written is one clear line", async () => {
  await expectOneLine(
    startCommand("up.ts", { ...environment, DATA_DIR: "/dev/null/data" }),
    /cannot write|cannot keep data/,
  );
});

test("a database that cannot be used is one clear line", async () => {
  const nowhere = "postgresql://nobody:nothing@127.0.0.1:1/none";
  await expectOneLine(
    startCommand("up.ts", {
      ...environment,
      DATABASE_URL: nowhere,
      SERVICE_DATABASE_URL: nowhere,
    }),
    /SERVICE_DATABASE_URL cannot be used/,
  );
});
