import type { Page } from "@playwright/test";
import { labelOfSetting } from "#lib/format/provider-settings.ts";
import { startPaymentSimulators } from "#tools/simulators/start-payment-simulators.ts";
import { expectNoOverflow, expectNoViolations } from "../support/accessibility.ts";
import {
  beginAt,
  chooseAt,
  decide,
  openBusiness,
  openPayments,
  sellTo,
  setUpProvider,
} from "../support/message-gateway.ts";
import { expect, test } from "../support/seller.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";

const WAITING = /Waiting for /;
const UNPAID = /nothing was charged/;

/** How each provider leads to its page, and the text for a buyer who was declined there. */
const PROVIDERS = [
  { provider: "connectips", name: "connectIPS", by: "form", declined: UNPAID },
  { provider: "fonepay", name: "Fonepay", by: "redirect", declined: WAITING },
  { provider: "fonepay_qr", name: "Fonepay QR", by: "code", declined: WAITING },
  { provider: "stripe", name: "Card", by: "redirect", declined: WAITING },
] as const;

test("a buyer is declined, leaves and finally pays with each provider, on a phone without JavaScript", async ({
  page,
  browser,
  buyer,
}) => {
  // This test visits each of four providers three times.
  test.slow();
  const simulators = await startPaymentSimulators();
  try {
    const { home, password } = await openBusiness(page);
    await page.goto(`${home}/settings/payments`);
    for (const { provider, name } of PROVIDERS) {
      const { environment: _, ...settings } = simulators.providers[provider].settings;
      const fields = Object.entries(settings).map(([setting, value]) => [
        labelOfSetting(setting),
        String(value),
      ]);
      await setUpProvider(page, name, { password, fields: Object.fromEntries(fields) });
    }
    const connectIps = page.getByRole("region", { name: "connectIPS", exact: true });
    const shown = await connectIps.innerText();
    const address = /https?:\/\/\S+\/pay-return\/[\w-]{36}/.exec(shown)?.[0] ?? "";
    simulators.setConnectIpsReturns({ success: address, failure: address });
    // A price without six digits in paisa, which the search for secrets would take for a code.
    const link = await sellTo(page, home, buyer, "Curd, 1 kg", "950");

    let phone: Page | null = null;
    for (const { provider, name, by, declined } of PROVIDERS) {
      const { book } = simulators.providers[provider];

      /** Goes on to the provider's page, or to the code that a bank's app reads. */
      const arrive = async (buyers: Page) => {
        if (by === "form")
          await buyers.getByRole("button", { name: `Continue to ${name}` }).click();
        if (by === "code") {
          await expect(buyers.getByRole("img", { name: "QR code to pay with" })).toBeVisible();
          await expectNoOverflow(buyers, "a code on a phone");
        } else await expect(buyers.getByRole("heading", { name: /^Simulated/ })).toBeVisible();
      };
      const answer = async (buyers: Page, outcome: "approve" | "decline") => {
        await arrive(buyers);
        if (by !== "code") return decide(buyers, outcome);
        // The app of the bank is outside the browser.
        book.decide([...book.payments.keys()].at(-1) ?? "", outcome);
        // After a payment, the page with the code redirects by itself.
        if (outcome === "decline")
          await buyers.getByRole("link", { name: "I have paid" }).click();
      };

      if (phone === null) phone = await beginAt(browser, link, name);
      else {
        // The next provider takes the next period, at the same link.
        await phone.goto(`${link}?early=1`);
        await chooseAt(phone, name);
      }
      await answer(phone, "decline");
      await expect(visibleText(phone, declined).first()).toBeVisible();
      await expectNoOverflow(phone, `declined by ${name}`);
      const isEarly = provider !== "connectips";
      const again = `${link}?choose=1${isEarly ? "&early=1" : ""}`;

      await phone.goto(again);
      await chooseAt(phone, name);
      await arrive(phone);
      // The buyer leaves, and opens the link again.
      await phone.goto(again);
      await chooseAt(phone, name);
      await answer(phone, "approve");
      await expect(visibleText(phone, /Payment received/)).toBeVisible({ timeout: 45_000 });
      await expect(visibleText(phone, name, { exact: true })).toBeVisible();
    }
    await phone?.context().close();
    const rows = page.getByRole("table", { name: "Payments" }).getByRole("row");
    await openPayments(page, home, rows.nth(PROVIDERS.length));
    await expect(rows).toHaveCount(PROVIDERS.length + 1);
  } finally {
    await simulators.close();
  }
});

test("a buyer corrects their details on a small phone without JavaScript, and the seller sees the correction", async ({
  page,
  browser,
  buyer,
}) => {
  const { home } = await openBusiness(page);
  const link = await sellTo(page, home, buyer);
  const context = await browser.newContext({
    viewport: { width: 320, height: 640 },
    javaScriptEnabled: false,
  });
  const phone = await context.newPage();
  await phone.goto(`${link}?lang=ne`);
  await phone.getByRole("link", { name: "विवरण सच्याउनुहोस्" }).click();
  await expectNoOverflow(phone, "details offered in Nepali");
  await phone.getByRole("link", { name: "English" }).click();
  await phone.getByRole("button", { name: "Send me a code" }).click();
  const code = await phone.locator(".sandbox strong").innerText();
  await phone.getByLabel(/One-time code/).fill(code);
  await phone.getByLabel("Name").fill("Asmita Rai Thapa");
  await phone.getByLabel("Email").fill("asmita@nowhere");
  await phone.getByRole("button", { name: "Save" }).click();
  await expect(phone.getByRole("alert")).toContainText("Nothing is saved yet");
  await expect(phone.getByLabel("Email")).toHaveAccessibleDescription(/whole email address/);
  await expect(phone.getByLabel("Name")).toHaveValue("Asmita Rai Thapa");
  await expectNoOverflow(phone, "details with an error");
  expect(await phone.content()).not.toContain(buyer.email);
  await phone.getByLabel("Email").fill("asmita.thapa@example.com");
  await phone.getByRole("button", { name: "Save" }).click();
  await expect(phone.getByRole("status")).toContainText("Your details are corrected");
  expect(phone.url()).not.toContain("asmita");
  await phone.getByRole("link", { name: "Back to the payment" }).click();
  await expect(phone.getByRole("button", { name: "Send me a code" })).toBeVisible();
  await context.close();

  await page.reload();
  await expect(visibleText(page, "asmita.thapa@example.com").first()).toBeVisible();
  await page.getByRole("button", { name: /^Show all, with messages/ }).click();
  const row = page
    .getByRole("listitem")
    .filter({ hasText: "The buyer corrected their details" });
  await expect(row).toContainText("confirmed with a one-time code");
  await expect(row.getByRole("insertion").last()).toHaveText("asmita.thapa@example.com");
  await page.goto(`${home}/customers`);
  await expect(visibleText(page, "Asmita Rai Thapa").first()).toBeVisible();
  const open = await browser.newContext();
  const wide = await open.newPage();
  await wide.goto(`${link}/details`);
  await expectNoViolations(wide, "details offered");
  await wide.getByRole("button", { name: "Send me a code" }).click();
  await expect(visibleField(wide, /One-time code/)).toBeVisible();
  await expectNoViolations(wide, "details to correct");
  await open.close();
});
