import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, Locator, Page } from "@playwright/test";
import { PHONE_VIEWPORT } from "./accessibility.ts";
import { createPerson, signInAs, type Person } from "./person.ts";
import { expect, test as base, type Buyer } from "./seller.ts";
import { visibleField, visibleText } from "./visible-text.ts";

/** The key that the gateway accepts. */
export const GATEWAY_KEY = "gateway-key-7351";

export interface Gateway {
  url: string;
  /** The accepted texts, each with the number that it was sent to. */
  taken: { to: string; text: string }[];
}

export const test = base.extend<{ gateway: Gateway }>({
  gateway: async ({}, use) => {
    const taken: Gateway["taken"] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (part: Buffer) => (body += part.toString()));
      request.on("end", () => {
        response.setHeader("content-type", "application/json");
        if (request.headers.authorization !== `Bearer ${GATEWAY_KEY}`)
          return response.writeHead(401).end('{"error":"bad key"}');
        if (request.url === "/credit") return response.end('{"credit":"412"}');
        const fields = new URLSearchParams(body);
        taken.push({ to: fields.get("to") ?? "", text: fields.get("text") ?? "" });
        response.end('{"id":"m-1"}');
      });
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    await use({ url: `http://127.0.0.1:${port}`, taken });
    server.closeAllConnections();
    server.close();
  },
});

/** Signs in a new person with a new business, for which the dashboard opens an account. */
export async function openBusiness(page: Page): Promise<Person & { home: string }> {
  const person = await createPerson("Asha Gurung");
  await signInAs(page, person);
  await expect(page).toHaveURL(/\/welcome$/);
  await visibleField(page, "Name").fill("Phewa Dairy");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/test$/);
  return { ...person, home: page.url() };
}

/** Adds a product and a subscription to it. @returns the checkout link */
export async function sellTo(
  page: Page,
  home: string,
  buyer: Buyer,
  product = "Buffalo milk, 1 litre",
  price = "1200",
): Promise<string> {
  await page.goto(`${home}/products/new`);
  await visibleField(page, "Name").fill(product);
  await visibleField(page, /^Price/).fill(price);
  await page.getByRole("button", { name: "Add product" }).click();
  await page.getByRole("link", { name: "Create a subscription" }).click();
  await expect(page.getByRole("button", { name: "Create and get the link" })).toBeEnabled();
  await visibleField(page, "Phone").fill(buyer.phone);
  await visibleField(page, "Full name").fill(buyer.full_name);
  await visibleField(page, "Email").fill(buyer.email);
  await visibleField(page, "Address", { exact: true }).fill(buyer.address);
  await page.getByRole("button", { name: "Create and get the link" }).click();
  await expect(visibleText(page, "Waiting for payment")).toBeVisible();
  return page.getByRole("textbox", { name: "Checkout link" }).inputValue();
}

/** Pays on the pages of a checkout with the code that is shown in test mode. */
export async function payInBrowser(context: BrowserContext, link: string): Promise<void> {
  const checkout = await context.newPage();
  await checkout.goto(link);
  await checkout.getByRole("button", { name: "Send me a code" }).click();
  const code = await checkout.locator(".sandbox strong").innerText();
  await checkout.getByLabel(/One-time code/).fill(code);
  await checkout.getByRole("button", { name: /^Pay NPR/ }).click();
  await checkout.getByRole("button", { name: "Approve" }).click();
  await expect(checkout.getByText("Payment received")).toBeVisible();
  await checkout.close();
}

/** Sets up an account at a provider by its form, with these fields. */
export async function setUpProvider(
  page: Page,
  name: string,
  { password, fields }: { password: string; fields: Record<string, string> },
) {
  await page.getByRole("button", { name: `Set up ${name}`, exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.locator("summary").click();
  for (const [label, text] of Object.entries(fields))
    await dialog.getByLabel(new RegExp(`^${label}\\W*(optional)?\\W*$`, "i")).fill(text);
  await dialog.getByLabel("Your password").fill(password);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
}

/** Begins a payment as a buyer does on a phone without scripts. @returns the buyer's page */
export async function beginAt(browser: Browser, link: string, method: string): Promise<Page> {
  const page = await openOnPhone(browser, link);
  await chooseAt(page, method);
  return page;
}

export async function openOnPhone(browser: Browser, link: string): Promise<Page> {
  const context = await browser.newContext({
    viewport: PHONE_VIEWPORT,
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  await page.goto(link);
  return page;
}

export async function chooseAt(page: Page, method: string) {
  await visibleField(page, method, { exact: true }).check();
  await page.getByRole("button", { name: /^(Send me a code|Continue)$/ }).click();
  const code = await page.locator(".sandbox strong").innerText();
  await visibleField(page, /One-time code/).fill(code);
  await page.getByRole("button", { name: /^Pay NPR/ }).click();
}

/** Presses a button of a simulated provider. */
export const decide = (page: Page, outcome: string) =>
  page.getByRole("button", { name: outcome, exact: true }).click();

export async function openPayments(page: Page, home: string, shown: Locator): Promise<void> {
  await page.goto(`${home}/payments`);
  await showNewPayments(page, shown);
}

/** Waits for a new payment, which a list that is not empty holds back behind a button. */
export async function showNewPayments(page: Page, shown: Locator): Promise<void> {
  const later = page.getByRole("button", { name: /new – show$/ });
  await expect(async () => {
    if (await later.isVisible()) await later.click({ timeout: 1_000 });
    await expect(shown).toBeVisible({ timeout: 1_000 });
  }).toPass();
}
