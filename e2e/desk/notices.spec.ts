import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { withClient } from "#scripts/database/client.ts";
import { openDatabases } from "#scripts/process/settings.ts";
import { startMailbox } from "#tools/testing/servers/mailbox.ts";
import { readVapid, startPushService } from "#tools/testing/servers/push-service.ts";
import { freePorts, startCommand } from "../support/command.ts";
import { DEMO_ACCOUNT, expect, isConsoleError, signIn, test } from "../support/seller.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";

// This test starts the whole product.
test.describe.configure({ timeout: 300_000 });

/** Stands in for the browser's push service, which this machine does not reach. */
async function subscribeAt(
  page: Page,
  keys: { endpoint: string; p256dh: string; auth: string },
) {
  await page.addInitScript(({ endpoint, p256dh, auth }) => {
    const subscription = {
      endpoint,
      toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
      unsubscribe: async () => true,
    };
    let own: object | null = null;
    Object.assign(PushManager.prototype, {
      subscribe: async () => (own = subscription),
      getSubscription: async () => own,
    });
  }, keys);
}

test("a member gets notices by mail and push, unsubscribes from a mail without signing in, and can install the dashboard", async ({
  browser,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "duebook-notices-"));
  const dataDirectory = join(folder, ".data");
  const [port = 0, servicePort = 0] = await freePorts(2);
  const [mailbox, service] = [await startMailbox(), await startPushService()];
  const product = startCommand("up.ts", {
    PORT: String(port),
    SERVICE_PORT: String(servicePort),
    DATA_DIR: dataDirectory,
    DEMONSTRATION: "plain",
    ...mailbox.settings,
  });
  const url = `http://localhost:${port}`;
  try {
    await product.printed("Duebook is ready.");
    const context = await browser.newContext({ permissions: ["notifications"] });
    const page = await context.newPage();
    await subscribeAt(page, service.subscribe());
    const problems: string[] = [];
    page.on("console", (line) => {
      if (isConsoleError(line)) problems.push(line.text());
    });
    await signIn(page, url, DEMO_ACCOUNT.password);
    const home = /\/\w{10}\/test/.exec(page.url())?.[0] ?? "";

    await page.goto(`${url}${home}/settings/notifications`);
    await page.getByRole("button", { name: "Add this browser" }).click();
    await expect(visibleText(page, "This browser", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Send me a test" }).click();
    await expect(visibleText(page, "One browser was reached.")).toBeVisible();
    await expect(visibleText(page, "The mail server accepted the email.")).toBeVisible();
    expect(service.received.map(({ message }) => message)).toEqual([
      {
        title: "A test from Duebook",
        body: "Notifications arrive here.",
        url: `${home}/settings/notifications`,
        tag: "test",
      },
    ]);
    expect(readVapid(service.received[0]?.headers.authorization).claims.aud).toBe(
      service.origin,
    );

    await visibleField(page, "Morning list: Email").check();
    await visibleField(page, "Morning list: Browser").check();
    const zone = noonZone();
    const thisMinute = Temporal.Now.plainTimeISO(zone).toString({ smallestUnit: "minute" });
    await visibleField(page, "Time of the morning list").fill(thisMinute);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(visibleText(page, "Saved", { exact: true })).toBeVisible();
    const { urls, server } = await openDatabases(dataDirectory, ["dashboard"]);
    await withClient(urls.dashboard, async (client) => {
      await client.query("update seller set time_zone = $1", [zone]);
      await client.query("update notice_choice set since = since - interval '2 days'");
    });
    await server?.close();
    const morning = () => mailbox.received.find(({ text }) => text.includes("Today at"))?.text;
    await expect.poll(morning, { timeout: 90_000 }).toBeDefined();
    const [, due = "", list = ""] = /^Due: (\d+)\r\n(\S+)/m.exec(morning() ?? "") ?? [];
    await page.goto(list);
    await expect(
      page.getByRole("link", { name: new RegExp(`^Due\\s*${due}$`) }),
    ).toHaveAttribute("aria-current", "page");
    await expect.poll(() => service.received.length).toBe(2);

    const stranger = await browser.newContext({ javaScriptEnabled: false });
    const visitor = await stranger.newPage();
    const [stop = ""] = /^http:\/\/[^/]+\/unsubscribe\/\S+$/m.exec(morning() ?? "") ?? [];
    await visitor.goto(stop);
    await visitor.getByRole("button", { name: "Stop it" }).click();
    await expect(visitor.getByRole("heading", { name: "Stopped" })).toBeVisible();
    await stranger.close();
    await page.goto(`${url}${home}/settings/notifications`);
    await expect(visibleField(page, "Morning list: Email")).not.toBeChecked();
    await expect(visibleField(page, "Morning list: Browser")).toBeChecked();
    const oneClick = stop.replace("/unsubscribe/", "/api/unsubscribe/");
    const posted = await fetch(oneClick, {
      method: "POST",
      body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    });
    expect(posted.status).toBe(204);
    const forged = await fetch(oneClick.slice(0, -2), { method: "POST" });
    expect(forged.status).toBe(404);

    const devTools = await context.newCDPSession(page);
    const manifest = await devTools.send("Page.getAppManifest");
    expect(manifest.errors).toEqual([]);
    expect(JSON.parse(manifest.data ?? "{}")).toMatchObject({ display: "standalone" });
    const { installabilityErrors } = await devTools.send("Page.getInstallabilityErrors");
    // The browser of a test is a private window, in which nothing can be installed.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual(
      [],
    );
    const kept = await page.evaluate(async () => {
      const names = await caches.keys();
      const all = await Promise.all(
        names.map(async (name) => (await caches.open(name)).keys()),
      );
      return all.flat().map((request) => new URL(request.url).pathname);
    });
    expect(kept).toEqual(["/offline.html"]);
    expect(problems).toEqual([]);
    await context.setOffline(true);
    await page.goto(`${url}${home}/subscriptions`);
    await expect(page.getByRole("heading", { name: "You are offline" })).toBeVisible();
    await context.setOffline(false);
    await page.getByRole("link", { name: /Try again/ }).click();
    await expect(page.getByRole("heading", { name: "Subscriptions" })).toBeVisible();
    await context.close();
  } finally {
    await product.stop();
    await Promise.all([mailbox.close(), service.close()]);
    await rm(folder, { recursive: true, force: true });
  }
});

/** A time zone in which it is about noon, so that the morning's day does not end during the test. */
function noonZone(): string {
  const ahead = 12 - new Date().getUTCHours();
  return `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}
