import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts, startCommand } from "../support/command.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";
import { DEMO_ACCOUNT, expect, OWN_PASSWORD, signIn, test } from "../support/seller.ts";
import { postSignIn } from "../support/session.ts";

// These tests start the whole product several times.
test.describe.configure({ timeout: 300_000 });

let folder: string;
let url: string;
let environment: Record<string, string>;
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "duebook-published-"));
  const [port = 0, servicePort = 0] = await freePorts(2);
  url = `http://localhost:${port}`;
  environment = {
    PORT: String(port),
    SERVICE_PORT: String(servicePort),
    DATA_DIR: join(folder, ".data"),
  };
});
test.afterEach(() => rm(folder, { recursive: true, force: true }));

const LIVE = { BILLING_API_URL: "http://127.0.0.1:65533", BILLING_API_KEY: "a live key" };

/** Runs the product during the work. @returns what it printed */
async function during(settings: Record<string, string>, work: () => Promise<void>) {
  const product = startCommand("up.ts", { ...environment, ...settings });
  try {
    await product.printed("Duebook is ready.");
    await work();
  } finally {
    await product.stop();
  }
  return product.output();
}

/** @returns the session's cookies, or null if the sign-in failed */
async function enter(password: string): Promise<string | null> {
  const { cookies } = await postSignIn(DEMO_ACCOUNT.email, password, "", url);
  return cookies.some((pair) => /session=./.test(pair)) ? cookies.join("; ") : null;
}

const isIn = async (cookie: string | null) => {
  const answer = await fetch(url, { headers: { cookie: cookie ?? "" }, redirect: "manual" });
  return !answer.headers.get("location")?.includes("/sign-in");
};

test("the demonstration's published password starts no public server and no live key, and ends when another is set", async () => {
  let session: string | null = null;
  await during({}, async () => {
    session = await enter(DEMO_ACCOUNT.password);
    expect(await isIn(session)).toBe(true);
  });

  const refusals: [Record<string, string>, RegExp][] = [
    [{ HOST: "0.0.0.0" }, /others can reach this installation.*Set DEMO_PASSWORD/],
    [LIVE, /BILLING_API_KEY is a live key.*Set DEMO_PASSWORD/],
    [{ ...LIVE, DEMO_PASSWORD: DEMO_ACCOUNT.password }, /Set DEMO_PASSWORD to one of your own/],
  ];
  for (const [settings, words] of refusals) {
    const refused = startCommand("up.ts", { ...environment, ...settings });
    expect(await refused.exited).toBe(1);
    expect(refused.output()).toMatch(words);
    expect(refused.output().trim().split("\n")).toHaveLength(1);
  }

  const told = await during({ ...LIVE, DEMO_PASSWORD: OWN_PASSWORD }, async () => {
    expect(await isIn(session)).toBe(false);
    expect(await enter(DEMO_ACCOUNT.password)).toBeNull();
    expect(await isIn(await enter(OWN_PASSWORD))).toBe(true);
  });
  expect(told).not.toContain(OWN_PASSWORD);

  // The stored key and the password are unchanged.
  await during({}, async () => {
    expect(await enter(DEMO_ACCOUNT.password)).toBeNull();
    expect(await isIn(await enter(OWN_PASSWORD))).toBe(true);
  });
});

test("a member signed in with the published password cannot store a live key, and DEMONSTRATION=off disables that password", async ({
  page,
}) => {
  const sandbox = {
    BILLING_SANDBOX_API_URL: LIVE.BILLING_API_URL,
    BILLING_SANDBOX_API_KEY: "a test key",
    BILLING_API_URL: LIVE.BILLING_API_URL,
  };
  await during(sandbox, async () => {
    await signIn(page, url);
    await page.goto(page.url().replace(/\/live\/.*/, "/live/settings/connection"));
    await visibleField(page, "API key", { exact: true }).fill("sk_live_pasted");
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await expect(visibleText(page, /Everybody knows this account's password/)).toBeVisible();
    await page.goto("about:blank");
  });
  const told = await during({ ...sandbox, DEMONSTRATION: "off" }, async () => {
    expect(await enter(DEMO_ACCOUNT.password)).toBeNull();
  });
  expect(told).toContain("The demonstration of an earlier start stays");
});
