import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { expectAccessible, expectNoOverflow } from "../support/accessibility.ts";
import { openBusiness, sellTo } from "../support/message-gateway.ts";
import { createPerson, signInAs } from "../support/person.ts";
import { expect, fillBuyer, payForShownSubscription, test } from "../support/seller.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";

test("billing settings are saved with the business, and a later editor of the same settings sees a conflict", async ({
  page,
  context,
}) => {
  await signInAs(page, await createPerson("Asha Gurung"));
  await visibleField(page, "Name").fill("Phewa Dairy");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/test$/);
  const home = page.url();
  await page.goto(`${home}/collection`);
  await expect(visibleText(page, "end 7 days after their billing date")).toBeVisible();
  await page.getByRole("link", { name: "Set grace period" }).click();
  await expect(visibleField(page, "Grace period (days)")).toHaveValue("7");
  await expectAccessible(page, "account settings");

  const other = await context.newPage();
  await other.goto(`${home}/settings/seller`);
  await visibleField(page, "Grace period (days)").fill("91");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(visibleText(page, "Enter a whole number from 0 to 90.")).toBeVisible();
  await visibleField(page, "Grace period (days)").fill("10");
  await visibleField(page, "Use of the API").selectOption({ label: "Reminders and payments" });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(visibleText(page, "Saved", { exact: true })).toBeVisible();
  await visibleField(page, "Name").fill("Phewa Milk");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: /Phewa Milk/ }).first()).toBeVisible();

  await visibleField(other, "Name").fill("Somebody else's name");
  await other.getByRole("button", { name: "Save" }).click();
  await expect(visibleText(other, "Somebody else changed these settings.")).toBeVisible();
  await page.reload();
  await expect(visibleField(page, "Name")).toHaveValue("Phewa Milk");
  await expect(visibleField(page, "Grace period (days)")).toHaveValue("10");
  await expect(visibleField(page, "Use of the API")).toHaveValue("reminder_and_payment");
  await page.goto(`${home}/collection`);
  await expect(visibleText(page, "end 10 days after their billing date")).toBeVisible();
});

test("the checkout has the logo, colour and contact that the business chose, also for links created before", async ({
  page,
  context,
  buyer,
}) => {
  await signInAs(page, await createPerson("Asha Gurung"));
  await visibleField(page, "Name").fill("Phewa Dairy Pvt. Ltd.");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/test$/);
  const home = page.url();
  await page.goto(`${home}/products/new`);
  await visibleField(page, "Name", { exact: true }).fill("Curd");
  await visibleField(page, /^Price/).fill("100");
  await page.getByRole("button", { name: "Add product" }).click();
  await page
    .getByRole("link", { name: /^New subscription: / })
    .first()
    .click();
  await fillBuyer(page, buyer);
  await page.getByRole("button", { name: "Create and get the link" }).click();
  const link = await page.getByRole("textbox", { name: "Checkout link" }).inputValue();

  await page.goto(`${home}/settings/seller`);
  const preview = page.getByRole("group", { name: "Preview" });
  const logo = await sharp({
    create: { width: 120, height: 40, channels: 4, background: "#0a7d4f" },
  })
    .png()
    .toBuffer();
  await page
    .getByRole("group", { name: "Logo" })
    .locator("input[type=file]")
    .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: logo });
  await expect(preview.getByRole("presentation")).toHaveCount(1);
  await visibleField(page, "Shown to buyers as").fill("फेवा दूध र दही उद्योग");
  await visibleField(page, /^Color/).fill("yellow");
  await visibleField(page, "Email for questions").fill("help");
  await visibleField(page, "Other ways to pay").fill(
    "In cash at the shop.\nAccount 0123, any bank.",
  );
  await page.getByRole("button", { name: "Save" }).click();
  await expect(visibleText(page, "Enter a color such as #1f5fbf.")).toBeVisible();
  await expect(visibleText(page, "This is not an email address.")).toBeVisible();
  await visibleField(page, /^Color/).fill("#FFD400");
  await visibleField(page, "Email for questions").fill("help@phewa.example");
  await visibleField(page, "Phone for questions").fill("+977 9800000001");
  await expect(preview).toContainText("फेवा दूध र दही उद्योग");
  const button = preview.getByText("Send me a code");
  await expect(button).toHaveCSS("background-color", "rgb(255, 212, 0)");
  await expect(button).toHaveCSS("color", "rgb(0, 0, 0)");
  await expectAccessible(page, "the look of the checkout");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(visibleText(page, "Saved", { exact: true })).toBeVisible();

  const plain = await context.browser()?.newContext({ javaScriptEnabled: false });
  for (const opened of [context, plain]) {
    const checkout = await opened?.newPage();
    if (!checkout) throw new Error("no browser");
    await checkout.goto(link);
    await expect(checkout.getByText("फेवा दूध र दही उद्योग").first()).toBeVisible();
    const shown = checkout.locator("img.logo");
    await expect(shown).toBeVisible();
    await expect(checkout.getByRole("button", { name: "Send me a code" })).toHaveCSS(
      "background-color",
      "rgb(255, 212, 0)",
    );
    await expect(checkout.getByText("Account 0123, any bank.")).toBeVisible();
    await expect(checkout.getByRole("link", { name: "help@phewa.example" })).toBeVisible();
    if (opened === context) {
      expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(120);
      for (const colorScheme of ["light", "dark"] as const) {
        await checkout.emulateMedia({ colorScheme });
        await expectAccessible(checkout, `the checkout's look, ${colorScheme}`);
      }
    }
    await checkout.close();
  }
  await plain?.close();

  await page.goto(`${home}/products/new`);
  await visibleField(page, /^Price/).fill("100");
  await expect(visibleText(page, "फेवा दूध र दही उद्योग")).toBeVisible();
});

test("a business that enters its PAN issues VAT bills, which the dashboard lists and downloads", async ({
  page,
  request,
  buyer,
}) => {
  const { home } = await openBusiness(page);
  await page.goto(`${home}/settings/payments`);
  const bills = page.getByRole("region", { name: "Bills" });
  await bills.getByLabel("Issue VAT bills").check();
  await bills.getByRole("button", { name: "Save bill settings" }).click();
  await expect(bills.getByText("A VAT bill states the PAN of the business.")).toBeVisible();
  await bills.getByLabel(/^PAN/).fill("12345");
  await bills.getByLabel(/^Prefix/).fill("him");
  await bills.getByRole("button", { name: "Save bill settings" }).click();
  await expect(bills.getByText("A PAN has nine digits.")).toBeVisible();
  await bills.getByLabel(/^PAN/).fill("301234567");
  await bills.getByLabel("Send buyers each bill").check();
  await expect(bills.getByText("No channel is set up")).toBeVisible();
  await bills.getByLabel("Send buyers each bill").uncheck();
  await expectAccessible(page, "settings of bills");
  await bills.getByRole("button", { name: "Save bill settings" }).click();
  await expect(bills.getByText("Saved", { exact: true })).toBeVisible();
  await page.reload();
  await expect(bills.getByLabel(/^PAN/)).toHaveValue("301234567");
  await expect(bills.getByLabel(/^Prefix/)).toHaveValue("HIM");
  await page.goto(`${home}/settings/audit-log`);
  await expect(visibleText(page, "Changed the settings of bills").first()).toBeVisible();

  const payments = await page.context().newPage();
  await payments.goto(`${home}/payments`);
  await expect(visibleText(payments, "No payments yet")).toBeVisible();
  await sellTo(page, home, buyer);
  await payForShownSubscription(page, request);
  // The first row of an empty list appears without a press of the button.
  const paid = payments.getByRole("table", { name: "Payments" }).getByRole("row");
  await expect(paid).toHaveCount(2, { timeout: 90_000 });
  const began = page.waitForEvent("download");
  await page.getByRole("link", { name: "Bill (PDF)" }).first().click();
  const bill = await began;
  expect(bill.suggestedFilename()).toContain("HIM-B-");
  expect((await readFile(await bill.path())).subarray(0, 8).toString()).toBe("%PDF-1.7");

  await payments.getByRole("main").getByRole("link", { name: "Bills", exact: true }).click();
  await expect(payments.getByRole("heading", { name: "Bills", level: 1 })).toBeVisible();
  const rows = payments.getByRole("table", { name: "Bills" }).getByRole("row");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText(buyer.full_name);
  await expect(rows.nth(1)).toContainText(/HIM-B-.*VAT bill/);
  await expect(rows.nth(1).locator("time small")).toContainText(/\d{4}/);
  await expectAccessible(payments, "bills");
  await visibleField(payments, "Number").fill("no-such-number");
  await payments.getByRole("button", { name: "Apply" }).click();
  await expect(visibleText(payments, "No bill matches")).toBeVisible();
  await visibleField(payments, "Number").fill("1");
  await payments.getByRole("button", { name: "Apply" }).click();
  await expect(payments).toHaveURL(/\?q=1$/);
  await expect(rows).toHaveCount(2);
  await payments.setViewportSize({ width: 320, height: 640 });
  await expectNoOverflow(payments, "bills on a phone");
  const pdf = payments.waitForEvent("download");
  await rows
    .nth(1)
    .getByRole("link", { name: /^PDF of HIM-B-/ })
    .click();
  expect((await pdf).suggestedFilename()).toContain("HIM-B-");
  await payments.close();
});
