import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext } from "@playwright/test";
import { ROOT } from "#scripts/process/settings.ts";
import { duebookUrl, expect, fillNewSubscription, signIn, test } from "../support/seller.ts";
import { productOfWorker } from "../support/product.ts";
import { visibleText } from "../support/visible-text.ts";

const API_KEY = /dbk_(?:test|live)_/;

/** Every response body from the dashboard: pages, payloads and scripts. */
function collectBodies(context: BrowserContext) {
  const bodies: Promise<{ url: string; text: string }>[] = [];
  context.on("response", (response) => {
    if (!response.url().startsWith(duebookUrl())) return;
    // The bodies of event streams do not end, so they are not read.
    if (response.headers()["content-type"]?.startsWith("text/event-stream")) return;
    // A redirect has no body; a page that was left before its answer came has none either.
    const text = response.text().catch(() => "");
    bodies.push(text.then((body) => ({ url: response.url(), text: body })));
  });
  return () => Promise.all(bodies);
}

test("a seller signs in, creates a subscription, copies its checkout link, and sees the payment arrive", async ({
  page,
  context,
  shop,
  buyer,
}) => {
  const bodies = collectBodies(context);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page);
  await page.getByRole("link", { name: "New subscription" }).first().click();
  await fillNewSubscription(page, buyer, shop.returnUrl);
  await page.getByRole("button", { name: "Create and get the link" }).click();

  await expect(visibleText(page, "Waiting for payment")).toBeVisible();
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(visibleText(page, "Copied").first()).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/\/pay\/[0-9a-f-]{36}$/);
  expect(await page.getByRole("textbox", { name: "Checkout link" }).inputValue()).toBe(link);

  const checkout = await context.newPage();
  await checkout.goto(link);
  await expect(checkout.getByText("NPR 3,150.00").first()).toBeVisible();
  expect(await checkout.content()).not.toContain(buyer.phone);
  await checkout.getByRole("radio", { name: "Mobile wallet" }).check();
  await checkout.getByRole("button", { name: "Send me a code" }).click();
  const code = await checkout.locator(".sandbox strong").innerText();
  await checkout.getByLabel(/One-time code/).fill(code);
  await checkout.getByRole("button", { name: "Pay NPR 3,150.00" }).click();
  await checkout.getByRole("button", { name: "Approve" }).click();
  await expect(checkout.getByText("Payment received")).toBeVisible();
  await checkout.waitForURL(`${shop.returnUrl}?subscription_id=*`);
  await expect(checkout.getByRole("heading", { name: "Thank you" })).toBeVisible();

  await expect(visibleText(page, "Paid. The subscription is active.")).toBeVisible();
  await page.goto(`${duebookUrl()}/subscriptions?status=active`);
  await expect(visibleText(page, buyer.phone).first()).toBeVisible();

  const seen = await bodies();
  expect(seen.length).toBeGreaterThan(10);
  expect(seen.filter(({ text }) => API_KEY.test(text)).map(({ url }) => url)).toEqual([]);
});

test("no static file of the build contains an API key or a server secret", async () => {
  const folder = join(ROOT, ".next/static");
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(5);
  const secrets = JSON.parse(
    await readFile(join(productOfWorker().dataDirectory, "secrets.json"), "utf8"),
  ) as Record<string, string>;
  for (const { parentPath, name } of files) {
    const text = await readFile(join(parentPath, name), "utf8");
    expect(API_KEY.test(text), name).toBe(false);
    for (const secret of Object.values(secrets))
      expect(text.includes(secret), name).toBe(false);
  }
});
