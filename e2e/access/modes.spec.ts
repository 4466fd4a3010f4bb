import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { freePorts, startCommand } from "../support/command.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";
import { expect, fillNewSubscription, OWN_PASSWORD, signIn, test } from "../support/seller.ts";
import { readSeed, runAdmin } from "../support/service-admin.ts";

async function replace(page: Page, key: string) {
  await page.getByRole("button", { name: "Replace" }).click();
  await visibleField(page, "API key", { exact: true }).fill(key);
  await visibleField(page, "Your password").fill(OWN_PASSWORD);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
}

/** Sends an example to a host that does not exist, and sends it again. */
async function resendLive(page: Page, home: string) {
  const event = "checkout.failed";
  await page.goto(`${home}/settings/webhooks/deliveries`);
  await expect(visibleText(page, "No deliveries yet")).toBeVisible();
  await page.goto(`${home}/settings/webhooks`);
  await page.getByRole("button", { name: "Add URL" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a URL" });
  await dialog.getByLabel("URL").fill("https://nowhere.example/hook");
  for (const box of await dialog.getByRole("checkbox").all())
    await box.setChecked((await box.getAttribute("value")) === event);
  await dialog.getByRole("button", { name: "Register" }).click();
  await expect(dialog.getByLabel(event, { exact: true })).toHaveValue(/^whsec_/);
  await dialog.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("listitem").filter({ hasText: event });
  await row.locator("summary").click();
  await row.getByRole("button", { name: "Send example" }).click();
  await row.getByRole("link", { name: "See the delivery" }).click();
  await expect(page).toHaveURL(/\/live\/settings\/webhooks\/deliveries\/\d+$/);
  const attempts = page.getByRole("list", { name: "Attempts" });
  await expect(attempts).toContainText("Attempt 1", { timeout: 40_000 });
  await page.getByRole("button", { name: "Resend", exact: true }).click();
  await expect(attempts).toContainText("Attempt 2", { timeout: 40_000 });
  await page.goto(`${home}/settings/webhooks/deliveries`);
  await expect(page.getByRole("table", { name: "Deliveries" })).toContainText(event);
}

/** Tests an installation with two billing services, one for each mode. */
test("each mode shows only its own subscriptions, and a copied link opens in the mode in which it was copied", async ({
  page,
  buyer,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "duebook-modes-"));
  const [port = 0, testPort = 0, livePort = 0] = await freePorts(3);
  const settingsOf = (mode: string, servicePort: number) => ({
    SERVICE_PORT: String(servicePort),
    SERVICE_MODE: mode,
    DATA_DIR: join(folder, mode),
  });
  const testing = settingsOf("test", testPort);
  const living = settingsOf("live", livePort);
  const services = [startCommand("service.ts", testing), startCommand("service.ts", living)];
  for (const service of services) await service.printed("is ready");
  const { key: testKey } = readSeed(await runAdmin(["seed", "--json"], testing));
  await runAdmin(["create-seller", "--name", "Live shop", "--verified"], living);
  const issue = () => runAdmin(["issue-key", "--seller", "Live shop", "--json"], living);
  const liveKey = /dbk_live_[\w-]+/.exec(await issue())?.[0] ?? "";
  const dashboard = startCommand("up.ts", {
    PORT: String(port),
    DATA_DIR: join(folder, "dashboard"),
    BILLING_SANDBOX_API_URL: `http://localhost:${testPort}`,
    BILLING_SANDBOX_API_KEY: testKey,
    BILLING_API_URL: `http://localhost:${livePort}`,
    BILLING_API_KEY: liveKey,
    DEMO_PASSWORD: OWN_PASSWORD,
  });
  await dashboard.printed("Duebook is ready.");
  const url = `http://localhost:${port}`;

  try {
    await signIn(page, url, OWN_PASSWORD);
    const toMode = (name: "Test" | "Live") => page.getByRole("link", { name, exact: true });
    const band = visibleText(page, "Test mode", { exact: true });
    await toMode("Test").click();
    await expect(band).toBeVisible();
    await expect(visibleText(page, /^1–20 of/)).toBeVisible();
    const record = page.locator('main table a[href*="/test/subscriptions/"]');
    await record.first().click();
    await expect(page).toHaveURL(/\/test\/subscriptions\/[0-9a-f-]{36}$/);
    const link = page.url();

    // A subscription of one mode does not exist in the other, so the switch leads to the list.
    await toMode("Live").click();
    await expect(page).toHaveURL(/\/live\/subscriptions$/);
    await expect(visibleText(page, "No subscriptions yet")).toBeVisible();
    await expect(band).toHaveCount(0);
    await expect(page).toHaveTitle("Subscriptions · Duebook");

    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await toMode("Test").click();
    await expect(visibleText(page, /^1–20 of/)).toBeVisible();
    expect(
      asked.filter((address) => address.includes("/api/") && address.includes("/live/")),
    ).toEqual([]);

    const copied = await page.context().newPage();
    await toMode("Live").click();
    await expect(page).toHaveURL(/\/live\//);
    await copied.goto(link);
    await expect(visibleText(copied, "Test mode", { exact: true })).toBeVisible();
    await copied.close();

    await resendLive(page, page.url().replace(/\/subscriptions.*/, ""));

    // A key of the other mode is recognised by a call to the other service.
    const keyPage = page.url().replace(/\/live\/.*/, "/live/settings/connection");
    await page.goto(keyPage);
    await replace(page, testKey);
    await expect(visibleText(page, "This is a key for test mode.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Go to test mode" })).toBeVisible();

    // Input from before the key was disabled is kept until another key works.
    await page.goto(link.replace(/subscriptions.*/, "subscriptions/new"));
    await fillNewSubscription(page, buyer, "https://shop.example/");
    await runAdmin(["revoke-key", "--key", testKey], testing);
    await page.getByRole("button", { name: "Create and get the link" }).click();
    await expect(visibleText(page, "Connect a working API key")).toBeVisible();
    const elsewhere = await page.context().newPage();
    await elsewhere.goto(keyPage.replace("/live/", "/test/"));
    await replace(elsewhere, readSeed(await runAdmin(["seed", "--json"], testing)).key);
    await expect(visibleText(elsewhere, "The key works.")).toBeVisible();
    // A closed page checks every ten seconds whether it can open.
    await expect(visibleField(page, "Full name")).toHaveValue(buyer.full_name, {
      timeout: 30_000,
    });
  } finally {
    expect(await dashboard.stop()).toBe(0);
    for (const service of services) expect(await service.stop()).toBe(0);
    await rm(folder, { recursive: true, force: true });
  }
});
