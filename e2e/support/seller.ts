import { randomInt } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  test as base,
  expect,
  type APIRequestContext,
  type ConsoleMessage,
  type Cookie,
  type Page,
} from "@playwright/test";
import { productOfWorker } from "./product.ts";
import { waitForFullPages, visibleField, visibleText } from "./visible-text.ts";

export const DEMO_ACCOUNT = { email: "demo@duebook.example", password: "duebook-demo" };
/** The owner's password; the published one does not work while a live key is stored. */
export const OWN_PASSWORD = "words of our own";

export const duebookUrl = () => productOfWorker().url;
export const billingUrl = () => productOfWorker().billingUrl;

const sessions = new Map<string, Cookie[]>();

/** Signs in as the demonstration's owner and opens the subscriptions; later calls reuse the session. */
export async function signIn(page: Page, url = duebookUrl(), password = DEMO_ACCOUNT.password) {
  const session = sessions.get(url);
  if (session) await page.context().addCookies(session);
  else {
    await page.goto(`${url}/sign-in`);
    await visibleField(page, "Email").fill(DEMO_ACCOUNT.email);
    await visibleField(page, "Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
    sessions.set(url, await page.context().cookies(url));
  }
  await page.goto(`${url}/subscriptions`);
  await expect(page.getByRole("heading", { name: "Subscriptions", level: 1 })).toBeVisible();
}

/** Whether a console message is an error, except for failed requests, which some tests cause. */
export const isConsoleError = (message: ConsoleMessage) =>
  message.type() === "error" && !message.text().startsWith("Failed to load resource");

export interface Shop {
  /** The URL to which the checkout sends buyers afterwards. */
  returnUrl: string;
}

export interface Buyer {
  phone: string;
  full_name: string;
  email: string;
  address: string;
}

/**
 * `page` fails its test on any console error; `shop` is the seller's own site; `buyer` is a
 * person used by no other test.
 */
export const test = base.extend<{
  quietConsole: undefined;
  shop: Shop;
  buyer: Buyer;
}>({
  context: async ({ context }, use) => {
    context.on("page", waitForFullPages);
    await use(context);
  },
  quietConsole: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => {
        if (isConsoleError(message)) errors.push(message.text());
      });
      await use(undefined);
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],
  shop: async ({}, use) => {
    const server = createServer((_request, response) =>
      response.setHeader("content-type", "text/html").end("<h1>Thank you for your order</h1>"),
    ).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    await use({ returnUrl: `http://127.0.0.1:${port}/thanks` });
    server.closeAllConnections();
    server.close();
  },
  buyer: async ({}, use) => {
    const phone = `97${randomInt(10_000_000, 99_999_999)}`;
    await use({
      phone,
      full_name: "सरस्वती Rai-Maharjan",
      email: `buyer${phone}@example.com`,
      address: "Jhamsikhel, Lalitpur",
    });
  },
});

/** Waits until the clipboard has the text: it is written a moment after the click. */
export async function expectInClipboard(page: Page, text: string | RegExp) {
  const copied = expect.poll(() => page.evaluate(() => navigator.clipboard.readText()));
  await (typeof text === "string" ? copied.toBe(text) : copied.toMatch(text));
}

/** The search field for products; before hydration the browser's own list is in its place. */
export const productSearch = (page: Page) =>
  page.getByRole("combobox", { name: "Product" }).and(page.locator("input"));

/** Fills the form for a monthly litre of milk, without sending it. */
export async function fillNewSubscription(page: Page, buyer: Buyer, returnUrl: string) {
  await expect(page.getByRole("button", { name: "Create and get the link" })).toBeEnabled();
  await productSearch(page).fill("fresh milk door");
  await page.getByRole("option", { name: /^Fresh Milk at the Door/ }).click();
  await page.getByRole("radio", { name: /^One litre/ }).check();
  await page.getByRole("radio", { name: /^Monthly/ }).check();
  await fillBuyer(page, buyer);
  await visibleField(page, "Page after payment").fill(returnUrl);
}

export async function fillBuyer(page: Page, buyer: Buyer) {
  await expect(page.getByRole("button", { name: "Create and get the link" })).toBeEnabled();
  await visibleField(page, "Phone").fill(buyer.phone);
  await visibleField(page, "Full name").fill(buyer.full_name);
  await visibleField(page, "Email").fill(buyer.email);
  await visibleField(page, "Address", { exact: true }).fill(buyer.address);
}

/** Pays for the subscription of the page, and waits until the page shows it. */
export async function payForShownSubscription(page: Page, request: APIRequestContext) {
  await payAt(request, await page.getByRole("textbox", { name: "Checkout link" }).inputValue());
  await expect(visibleText(page, "Paid. The subscription is active.")).toBeVisible();
}

/** Pays at a checkout link by its forms, without a browser. */
export async function payAt(request: APIRequestContext, link: string) {
  const started = await request.post(`${link}/code`, { form: { method: "wallet" } });
  const text = await started.text();
  const valueOf = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? "";
  const code = /<strong>(\d{6})<\/strong>/.exec(text)?.[1] ?? "";
  const wallet = await request.post(`${link}/pay`, {
    form: { attempt: valueOf("attempt"), total: valueOf("total"), code },
  });
  const waiting = await request.post(wallet.url(), { form: { outcome: "approve" } });
  // The wallet answers later; each load of the page asks it.
  await expect
    .poll(async () => (await request.get(waiting.url())).text())
    .toContain("Payment received");
}

export { expect };
