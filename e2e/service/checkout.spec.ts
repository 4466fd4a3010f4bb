import type { Browser, BrowserContextOptions, Page, Route } from "@playwright/test";
import { EN } from "../../service/checkout/texts-en.ts";
import { NE } from "../../service/checkout/texts-ne.ts";
import { createSubscription } from "../support/subscription-fixture.ts";
import { visibleText } from "../support/visible-text.ts";
import {
  billingUrl,
  expect,
  isConsoleError,
  payAt,
  test,
  type Buyer,
} from "../support/seller.ts";
import {
  expectNoOverflow,
  expectNoViolations,
  PHONE_VIEWPORT,
} from "../support/accessibility.ts";

async function createLink(page: Page, buyer: Buyer, returnUrl: string) {
  await createSubscription(page, buyer, returnUrl);
  return page.getByRole("textbox", { name: "Checkout link" }).inputValue();
}

/** Opens a separate phone browser; console errors (a blocked form, a policy) fail the test. */
async function openPhone(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: PHONE_VIEWPORT,
    hasTouch: true,
    ...options,
  });
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (isConsoleError(message)) complaints.push(message.text());
  });
  const checkout = await context.newPage();
  const close = async () => {
    await context.close();
    expect(complaints).toEqual([]);
  };
  return { context, checkout, close };
}

/** Goes from the first page to the wallet. */
async function goToProvider(checkout: Page) {
  await checkout.getByRole("button", { name: "Send me a code" }).click();
  const code = await checkout.locator(".sandbox strong").innerText();
  await checkout.getByLabel(/One-time code/).fill(code);
  await checkout.getByRole("button", { name: /^Pay NPR/ }).click();
  // Waits for the provider's page, because the test may go back from there.
  await checkout.waitForURL("**/sandbox-pay/**");
}

const answer = (checkout: Page, name: string) => checkout.getByRole("button", { name }).click();

/** Stops the last page from redirecting to the shop during the checks. */
const keepFromShop = (checkout: Page, returnUrl: string) =>
  checkout.route(`${returnUrl}*`, (route) => route.abort("aborted"));

test("a buyer on a phone without JavaScript sees each error message and finally pays", async ({
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
  await expect(checkout.getByRole("alert")).toContainText("Wrong code");
  const code = await checkout.locator(".sandbox strong").innerText();
  await checkout.getByLabel(/One-time code/).fill(code);
  await checkout.getByRole("button", { name: /^Pay NPR/ }).click();
  await expect(checkout.getByRole("heading", { name: "Sandbox bank" })).toBeVisible();
  await answer(checkout, "Abandon");
  await expect(checkout.getByRole("alert")).toContainText("not confirmed");

  for (const [choice, words] of [
    ["Decline", "declined and nothing was charged"],
    ["Not enough balance", "not enough balance"],
    ["Time out", "timed out"],
  ] as const) {
    await goToProvider(checkout);
    await answer(checkout, choice);
    await expect(checkout.getByText("Waiting for your wallet.")).toBeVisible();
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

test("a buyer who goes back, reloads, or pays in a second tab is charged for one payment only", async ({
  page,
  browser,
  shop,
  buyer,
}) => {
  const link = await createLink(page, buyer, shop.returnUrl);
  const { context, checkout, close } = await openPhone(browser);
  await keepFromShop(checkout, shop.returnUrl);
  await checkout.goto(link);
  const other = await context.newPage();
  await other.goto(link);
  await goToProvider(other);

  await goToProvider(checkout);
  await checkout.goBack();
  await checkout.getByRole("link", { name: "Go back to your wallet" }).click();
  await expect(checkout.getByRole("heading", { name: "Sandbox wallet" })).toBeVisible();
  await answer(checkout, "Approve");
  await expect(checkout.getByText("Payment received")).toBeVisible();
  await checkout.reload();
  await expect(checkout.getByText("Payment received")).toBeVisible();

  await answer(other, "Approve");
  await expect(visibleText(other, "this one was not needed")).toBeVisible();
  await other.goto(link);
  await expect(visibleText(other, "This is paid")).toBeVisible();
  await close();
});

test("a buyer pays for the next period before the current one ends", async ({
  page,
  browser,
  shop,
  buyer,
}) => {
  const link = await createLink(page, buyer, shop.returnUrl);
  await payAt(page.request, link);
  const { checkout, close } = await openPhone(browser);
  await keepFromShop(checkout, shop.returnUrl);
  await checkout.goto(link);
  const until = await checkout.getByText(/^Paid until/).innerText();
  await checkout.getByRole("link", { name: "Pay the next period now" }).click();
  await expect(checkout.getByText(/The next period:/)).toBeVisible();
  await goToProvider(checkout);
  await answer(checkout, "Approve");
  await expect(checkout.getByText("Payment received")).toBeVisible();
  await expect(checkout.getByText(/^Paid until/)).not.toHaveText(until);
  await close();
});

for (const [colorScheme, words] of [
  ["light", EN],
  ["dark", NE],
] as const)
  test(`every step of the checkout is accessible, in ${colorScheme} and ${words.name}`, async ({
    page,
    browser,
    shop,
    buyer,
  }) => {
    const link = await createLink(page, buyer, shop.returnUrl);
    const viewport = { width: 320, height: 640 };
    const { checkout, close } = await openPhone(browser, { colorScheme, viewport });
    await keepFromShop(checkout, shop.returnUrl);
    const open = async (query = "") => {
      await checkout.goto(link + query);
      // The other language is chosen once and kept through all forms.
      if (words === NE) await checkout.getByRole("link", { name: words.name }).click();
      await expect(checkout.locator("html")).toHaveAttribute(
        "lang",
        words === NE ? "ne" : "en",
      );
    };
    await payThrough(checkout, words, { open, look: () => inspect(checkout) });
    await checkout.goto(`${link.slice(0, -4)}0000`);
    await expect(checkout.getByRole("heading", { name: EN.fault.missing })).toBeVisible();
    await inspect(checkout);
    await close();
  });

test("the billing service's root URL shows a readable API description, on a desktop and on a phone", async ({
  browser,
}) => {
  const { checkout, close } = await openPhone(browser);
  await checkout.goto(billingUrl());
  await expect(
    checkout.getByRole("heading", { name: "Integrate in ten minutes" }),
  ).toBeVisible();
  for (const sample of await checkout.locator("details summary").all()) await sample.click();
  await inspect(checkout);
  await close();
});

/** Expects no axe violations and no horizontal scrolling. */
async function inspect(checkout: Page) {
  await expectNoViolations(checkout, checkout.url());
  await expectNoOverflow(checkout, checkout.url());
}

interface Journey {
  open: (query?: string) => Promise<void>;
  look: () => Promise<void>;
}

/** Visits every page that a buyer can see. */
async function payThrough(checkout: Page, words: typeof EN, { open, look }: Journey) {
  const press = (name: string) => checkout.getByRole("button", { name, exact: true }).click();
  await open();
  await look();
  await press(words.sendCode);
  await expect(checkout.locator("#code")).toBeVisible();
  await look();
  await checkout.locator("#code").fill(await checkout.locator(".sandbox strong").innerText());
  await checkout
    .locator("form", { has: checkout.locator("#code") })
    .getByRole("button")
    .click();
  await expect(
    checkout.getByRole("heading", { name: words.sandbox.title(words.wallet) }),
  ).toBeVisible();
  await look();
  await stayingThere(checkout, async () => {
    await press(words.sandbox.outcome.approve);
    await expect(
      checkout.getByText(words.waitingForText(words.your(words.wallet))),
    ).toBeVisible();
    await look();
  });
  await checkout.reload();
  await expect(checkout.getByText(words.received)).toBeVisible();
  await look();
  await open();
  await look();
  await open("?early=1");
  await look();
}

/** Stops a page that refreshes every few seconds from refreshing during the checks. */
async function stayingThere(checkout: Page, look: () => Promise<void>) {
  const stay = (route: Route) =>
    route.request().method() === "GET" && route.request().isNavigationRequest()
      ? route.abort("aborted")
      : route.continue();
  await checkout.route("**/*", stay);
  await look();
  await checkout.unroute("**/*", stay);
}
