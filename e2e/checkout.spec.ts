import AxeBuilder from "@axe-core/playwright";
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { expect, fillNewSubscription, payAt, signIn, test } from "./seller.ts";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

async function createLink(
  page: Page,
  buyer: Parameters<typeof fillNewSubscription>[1],
  to: string,
) {
  await signIn(page);
  await page.goto(page.url().replace(/\/subscriptions.*/, "/subscriptions/new"));
  await fillNewSubscription(page, buyer, to);
  await page.getByRole("button", { name: "Create and get the link" }).click();
  return page.getByLabel("Checkout link").inputValue();
}

/** A phone's browser of its own; what its console complains of (a blocked form, a policy) fails. */
async function openPhone(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ ...PHONE, ...options });
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  const checkout = await context.newPage();
  const close = async () => {
    await context.close();
    expect(complaints).toEqual([]);
  };
  return { context, checkout, close };
}

/** From the first page to the wallet's. */
async function goToProvider(checkout: Page) {
  await checkout.getByRole("button", { name: "Send me a code" }).click();
  const code = await checkout.locator(".sandbox strong").innerText();
  await checkout.getByLabel(/One-time code/).fill(code);
  await checkout.getByRole("button", { name: /^Pay NPR/ }).click();
}

const answer = (checkout: Page, name: string) => checkout.getByRole("button", { name }).click();

test("a buyer on a phone without JavaScript meets every obstacle, and pays in the end", async ({
  page,
  browser,
  shop,
  buyer,
}) => {
  const link = await createLink(page, buyer, shop.returnUrl);
  const { checkout, close } = await openPhone(browser, { javaScriptEnabled: false });
  await checkout.goto(link);
  await expect(checkout.getByText("NPR 3,150.00").first()).toBeVisible();
  expect(await checkout.content()).not.toContain(buyer.phone);
  await checkout.getByRole("radio", { name: "Bank account" }).check();
  await checkout.getByRole("button", { name: "Send me a code" }).click();

  await checkout.getByLabel(/One-time code/).fill("000000");
  await checkout.getByRole("button", { name: /^Pay NPR/ }).click();
  await expect(checkout.getByRole("alert")).toContainText("not the code");
  const code = await checkout.locator(".sandbox strong").innerText();
  await checkout.getByLabel(/One-time code/).fill(code);
  await checkout.getByRole("button", { name: /^Pay NPR/ }).click();
  await expect(checkout.getByRole("heading", { name: "Sandbox bank" })).toBeVisible();
  await answer(checkout, "Leave without answering");
  await expect(checkout.getByRole("alert")).toContainText("not confirmed");

  for (const [choice, words] of [
    ["Decline", "declined and nothing was charged"],
    ["Not enough balance", "not enough balance"],
    ["Time out", "too long"],
  ] as const) {
    await goToProvider(checkout);
    await answer(checkout, choice);
    await expect(checkout.getByText("Waiting for the wallet.")).toBeVisible();
    await expect(checkout.getByRole("alert")).toContainText(words);
  }

  await goToProvider(checkout);
  await answer(checkout, "Approve");
  await expect(checkout.getByText("Payment received")).toBeVisible();
  await checkout.waitForURL(`${shop.returnUrl}?subscription_id=*`);

  await checkout.goto(link);
  await expect(checkout.getByText("This is paid")).toBeVisible();
  await expect(checkout.getByRole("button")).toHaveCount(0);
  await close();
});

test("back, reload, a second tab and a second payment end in a sensible page and pay once", async ({
  page,
  browser,
  shop,
  buyer,
}) => {
  const link = await createLink(page, buyer, shop.returnUrl);
  const { context, checkout, close } = await openPhone(browser);
  await checkout.goto(link);
  const other = await context.newPage();
  await other.goto(link);
  await goToProvider(other);

  await goToProvider(checkout);
  await checkout.goBack();
  await checkout.getByRole("link", { name: "Go back to the wallet" }).click();
  await expect(checkout.getByRole("heading", { name: "Sandbox wallet" })).toBeVisible();
  await answer(checkout, "Approve");
  await expect(checkout.getByText("Payment received")).toBeVisible();
  await checkout.reload();
  await expect(checkout.getByText("Payment received")).toBeVisible();

  await answer(other, "Approve");
  await expect(other.getByText("this one was not needed")).toBeVisible();
  await other.goto(link);
  await expect(other.getByText("This is paid")).toBeVisible();
  await close();
});

test("a buyer pays for the next period before this one ends", async ({
  page,
  browser,
  shop,
  buyer,
}) => {
  const link = await createLink(page, buyer, shop.returnUrl);
  await payAt(page.request, link);
  const { checkout, close } = await openPhone(browser);
  await checkout.goto(link);
  const until = await checkout.getByText(/^Paid until/).innerText();
  await checkout.getByRole("link", { name: "Pay the next period early" }).click();
  await expect(checkout.getByText(/The next period:/)).toBeVisible();
  await goToProvider(checkout);
  await answer(checkout, "Approve");
  await expect(checkout.getByText("Payment received")).toBeVisible();
  await expect(checkout.getByText(/^Paid until/)).not.toHaveText(until);
  await close();
});

for (const colorScheme of ["light", "dark"] as const)
  test(`no step of the checkout is out of reach for anyone, in ${colorScheme}`, async ({
    page,
    browser,
    shop,
    buyer,
  }) => {
    const link = await createLink(page, buyer, shop.returnUrl);
    const viewport = { width: 320, height: 640 };
    const { checkout, close } = await openPhone(browser, { colorScheme, viewport });
    await walkThrough(checkout, link, () => inspect(checkout));
    await close();
  });

/** No violation that axe knows, and nothing to scroll sideways for. */
async function inspect(checkout: Page) {
  const { violations } = await new AxeBuilder({ page: checkout }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
  const overflow = await checkout.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
}

/** Every page that a buyer can meet, one after the other. */
async function walkThrough(checkout: Page, link: string, look: () => Promise<void>) {
  await checkout.goto(link);
  await look();
  await checkout.getByRole("button", { name: "Send me a code" }).click();
  await look();
  await checkout
    .getByLabel(/One-time code/)
    .fill(await checkout.locator(".sandbox strong").innerText());
  await checkout.getByRole("button", { name: /^Pay NPR/ }).click();
  await expect(checkout.getByRole("heading", { name: "Sandbox wallet" })).toBeVisible();
  await look();
  await answer(checkout, "Approve");
  await expect(checkout.getByText("Waiting for the wallet.")).toBeVisible();
  await look();
  await expect(checkout.getByText("Payment received")).toBeVisible();
  await look();
  await checkout.goto(link);
  await look();
  await checkout.goto(`${link}?ahead=1`);
  await look();
  await checkout.goto(`${link.slice(0, -4)}0000`);
  await expect(checkout.getByRole("heading", { name: "No such link" })).toBeVisible();
  await look();
}
