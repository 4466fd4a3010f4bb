import { randomInt } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test as base, expect, type APIRequestContext, type Page } from "@playwright/test";

export const DEMO = { email: "demo@duebook.example", password: "duebook-demo" };

const required = (name: string) => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the global setup has not run`);
  return value;
};
export const duebookUrl = () => required("DUEBOOK_URL");
export const billingUrl = () => required("BILLING_URL");

export async function signIn(page: Page, url = duebookUrl()) {
  await page.goto(`${url}/sign-in`);
  await page.getByLabel("Email").fill(DEMO.email);
  await page.getByLabel("Password").fill(DEMO.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Subscriptions", level: 1 })).toBeVisible();
}

export interface Shop {
  /** Where the checkout sends buyers back to. */
  returnUrl: string;
}

/**
 * `page` fails its test on any error in the browser's console; `shop` is the seller's own site;
 * `buyer` is somebody whom no other test has seen.
 */
export const test = base.extend<{
  quietConsole: undefined;
  shop: Shop;
  buyer: { phone: string; full_name: string; email: string; address: string };
}>({
  quietConsole: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => {
        // A refused request is what some journeys are about; the page must say it in words.
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
          errors.push(message.text());
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

interface Buyer {
  phone: string;
  full_name: string;
  email: string;
  address: string;
}

/** Fills the form for a monthly litre of milk, without sending it. */
export async function fillNewSubscription(page: Page, buyer: Buyer, returnUrl: string) {
  await expect(page.getByRole("button", { name: "Create and get the link" })).toBeEnabled();
  await page.getByLabel("Product").selectOption({ label: "Fresh Milk at the Door" });
  await page.getByRole("radio", { name: /^One litre/ }).check();
  await page.getByRole("radio", { name: /^Monthly/ }).check();
  await page.getByLabel("Phone").fill(buyer.phone);
  await page.getByLabel("Full name").fill(buyer.full_name);
  await page.getByLabel("Email").fill(buyer.email);
  await page.getByLabel("Address", { exact: true }).fill(buyer.address);
  await page.getByLabel("Return address").fill(returnUrl);
}

/** Pays at a checkout link by its forms alone, for journeys that are about what follows. */
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
  // The wallet answers a little later; the page asks it each time it is looked at.
  await expect
    .poll(async () => (await request.get(waiting.url())).text())
    .toContain("Payment received");
}

export { expect };
