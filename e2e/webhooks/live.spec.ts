import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { signDelivery } from "#lib/signature.ts";
import { registerEndpoint } from "../support/receiver-fixture.ts";
import { recordSecret } from "../support/secret-search.ts";
import { createSubscription } from "../support/subscription-fixture.ts";
import { openOwnSeller } from "../support/own-seller.ts";
import { startSecondDashboard } from "../support/second-dashboard.ts";
import { openBrowserOf } from "../support/person.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";
import { duebookUrl, expect, payAt, signIn, test } from "../support/seller.ts";
import {
  expectNoOverflow,
  expectNoViolations,
  PHONE_VIEWPORT,
} from "../support/accessibility.ts";

const sign = (page: Page, link: string) => page.locator(`header [data-link=${link}]`);
const untilLive = (page: Page) => expect(sign(page, "live")).toBeAttached({ timeout: 40_000 });

/** Ignores the hidden parts of a page that streams in. */
const rowOf = (page: Page, id: string) =>
  page.locator(`[data-row="${id}"]`).filter({ visible: true });

/** Marks the page, to detect a reload. */
const mark = (page: Page) =>
  page.evaluate(() => void Object.assign(window, { isMarked: true }));
const expectMarked = async (page: Page) =>
  expect(await page.evaluate(() => Reflect.get(window, "isMarked"))).toBe(true);

test("a payment at the checkout is shown without a reload in two browsers on two dashboard processes", async ({
  page,
  browser,
  request,
  shop,
  buyer,
}) => {
  await createSubscription(page, buyer, shop.returnUrl);
  const link = await page.getByRole("textbox", { name: "Checkout link" }).inputValue();
  const [, seller = "", mode, , id = ""] = new URL(page.url()).pathname.split("/");
  await registerEndpoint(page, `${duebookUrl()}/${seller}/${mode}`);
  const second = await startSecondDashboard();
  const record = await openBrowserOf(browser);
  try {
    await signIn(record, second.url);
    await record.goto(`${second.url}/${seller}/${mode}/subscriptions/${id}`);
    await page.goto(`${duebookUrl()}/${seller}/${mode}/subscriptions`);
    const overview = await page.context().newPage();
    await overview.goto(`${duebookUrl()}/${seller}/${mode}`);
    const row = rowOf(page, id);
    await expect(row).toContainText("Pending checkout");
    await expect(visibleText(record, "Waiting for payment").first()).toBeVisible();
    // The subscription is in the list of open work, and in the list of the newest.
    const waiting = rowOf(overview, id);
    await expect(waiting).toHaveCount(2);
    for (const one of [page, record, overview]) {
      await untilLive(one);
      await mark(one);
    }
    await payAt(request, link);
    const paid = Date.now();
    await Promise.all([
      expect(row).toContainText("Active"),
      // The mark disappears after some seconds, so this check does not wait for the others.
      expect(row.locator(".changed-mark")).toBeAttached(),
      expect(visibleText(record, "Active").first()).toBeVisible(),
      expect(waiting).toHaveCount(1),
    ]);
    console.log(
      `shown everywhere ${Date.now() - paid} ms after the payment was told to the buyer`,
    );
    for (const one of [page, record, overview]) await expectMarked(one);
    await page.goto(`${duebookUrl()}/${seller}/${mode}/settings/webhooks/deliveries/received`);
    await expect(visibleText(page, /Counts as a payment\./).first()).toBeVisible();
    // A test event arrives like a delivery but is no payment.
    await page.getByRole("button", { name: "Send a test" }).click();
    await expect(visibleText(page, /Test event, correctly signed/).first()).toBeVisible();
    await page.getByRole("link", { name: "Examine its signature" }).first().click();
    await expect(visibleText(page, /Received at Duebook's endpoint on/)).toBeVisible();
    await expect(visibleField(page, "Request as received")).toHaveValue(/"reason":"example"/);
  } finally {
    await record.context().close();
    await second.stop();
  }
});

test("a webhook request without a verified payment is stored and explained, and marks nothing as paid", async ({
  page,
  request,
}) => {
  const { home } = await openOwnSeller(page, "/settings/webhooks/deliveries/received");
  const address = await page.locator("pre", { hasText: "/api/received/" }).innerText();
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  recordSecret(secret);
  await page.locator("summary", { hasText: "Secrets and signature format" }).click();
  await page.getByRole("textbox", { name: "Secret" }).fill(secret);
  await page.getByRole("button", { name: "Add secret" }).click();
  await expect(visibleText(page, "Secret added.")).toBeVisible();
  await untilLive(page);
  await mark(page);

  const about = (status: string, event = "subscription.status_changed") =>
    JSON.stringify({ event, subscription_id: "no-such-one", new_status: status });
  const send = async (body: string, id: string, { by = secret, ago = 0, as = body } = {}) => {
    const headers = await signDelivery({ id, body: as }, [by], Date.now() - ago * 1_000);
    const answer = await request.post(address.trim(), {
      // Sent as bytes, because a text would be encoded as JSON once more.
      data: Buffer.from(body),
      headers: { ...headers, "content-type": "application/json" },
    });
    return answer.status();
  };
  const paid = about("active", "checkout.succeeded");
  const other = `whsec_${randomBytes(32).toString("base64")}`;
  expect(await send(paid, "forged", { by: other })).toBe(401);
  expect(await send(paid, "changed", { as: about("due") })).toBe(401);
  expect(await send(paid, "late", { ago: 600 })).toBe(401);
  expect(await send(about("cancelled"), "newer")).toBe(204);
  expect(await send(about("due"), "older")).toBe(204);
  expect(await send(about("due"), "older")).toBe(204);
  expect(await send(about("due"), "older", { ago: 900 })).toBe(401);
  expect(await send("no JSON", `odd-${"0".repeat(80)}`)).toBe(400);
  expect((await request.post(address.trim(), { data: paid })).status()).toBe(401);

  const list = page.getByRole("list", { name: "Last received" });
  // A verified delivery is shown at once, and earlier ones with it.
  expect(await send(about("due"), "last")).toBe(204);
  await expect(list.getByRole("listitem")).toHaveCount(10);
  for (const words of [
    /No stored secret matches this signature/,
    /is valid but too old/,
    /The same delivery came before/,
    /A late copy of a delivery that was verified before/,
    /is not a JSON object/,
    /It has no signature/,
  ])
    await expect(list.getByText(words).first()).toBeVisible();
  await expect(list.getByText("Forged")).toHaveCount(3);
  await expect(list.getByText("Verified", { exact: true })).toHaveCount(3);
  await expect(list.getByText("Counts as a payment.")).toHaveCount(0);
  await expectMarked(page);
  await expectNoViolations(page, "what was received");
  await page.setViewportSize(PHONE_VIEWPORT);
  await expectNoOverflow(page, "on a phone");
  await page.goto(`${home}/subscriptions`);
  await expect(page.getByRole("link", { name: "no-such-one" })).toHaveCount(0);
});

test("a page without live updates says that it polls, still shows changes, and later reconnects", async ({
  page,
  request,
  shop,
  buyer,
}) => {
  await createSubscription(page, buyer, shop.returnUrl);
  const link = await page.getByRole("textbox", { name: "Checkout link" }).inputValue();
  const [, seller = "", mode, , id = ""] = new URL(page.url()).pathname.split("/");
  await page.context().route(/\/live\?/, (route) => route.abort());
  await page.goto(`${duebookUrl()}/${seller}/${mode}/subscriptions`);
  const row = rowOf(page, id);
  await expect(row).toContainText("Pending checkout");
  await expect(sign(page, "polling")).toBeAttached({ timeout: 60_000 });
  await mark(page);
  await payAt(request, link);
  await expect(row).toContainText("Active", { timeout: 40_000 });
  await expectMarked(page);
  await page.context().unroute(/\/live\?/);
  await expect(sign(page, "live")).toBeAttached({ timeout: 60_000 });
});
