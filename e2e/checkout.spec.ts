import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, fillNewSubscription, signIn, test } from "./seller.ts";

test.use({ viewport: { width: 390, height: 844 }, javaScriptEnabled: true });

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

test("a buyer on a phone without JavaScript mistypes, is declined, and pays in the end", async ({
  page,
  browser,
  shop,
  buyer,
}) => {
  const link = await createLink(page, buyer, shop.returnUrl);
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  const checkout = await context.newPage();
  await checkout.goto(link);
  await checkout.getByRole("radio", { name: "Bank account" }).check();
  await checkout.getByRole("button", { name: "Send me a code" }).click();
  const code = await checkout.locator(".sandbox strong").innerText();

  await checkout.getByLabel(/One-time code/).fill("000000");
  await checkout.getByRole("button", { name: /^Pay NPR/ }).click();
  await expect(checkout.getByRole("alert")).toContainText("not the code");

  await checkout.getByLabel(/One-time code/).fill(code);
  await checkout.getByRole("radio", { name: /declines/ }).check();
  await checkout.getByRole("button", { name: /^Pay NPR/ }).click();
  await expect(checkout.getByRole("alert")).toContainText("declined and nothing was charged");

  await checkout.getByRole("button", { name: "Send me a code" }).click();
  await checkout.getByLabel(/One-time code/).fill(code);
  await checkout.getByRole("button", { name: /^Pay NPR/ }).click();
  await expect(checkout.getByText("Payment received")).toBeVisible();
  await checkout.waitForURL(`${shop.returnUrl}?subscription_id=*`);

  await checkout.goto(link);
  await expect(checkout.getByText("This is paid")).toBeVisible();
  await context.close();
});

test("no step of the checkout is out of reach for anyone", async ({
  page,
  browser,
  shop,
  buyer,
}) => {
  const link = await createLink(page, buyer, shop.returnUrl);
  for (const colorScheme of ["light", "dark"] as const) {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width: 320, height: 640 },
    });
    const checkout = await context.newPage();
    const inspect = async () => {
      const { violations } = await new AxeBuilder({ page: checkout }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      const overflow = await checkout.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
    };
    await checkout.goto(link);
    await inspect();
    await checkout.getByRole("button", { name: "Send me a code" }).click();
    await inspect();
    await checkout.goto(`${link.slice(0, -4)}0000`);
    await expect(checkout.getByRole("heading", { name: "No such link" })).toBeVisible();
    await inspect();
    await context.close();
  }
});
