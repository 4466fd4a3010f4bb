import type { Page } from "@playwright/test";
import { readQrCode } from "#tools/testing/read-qr-code.ts";
import { expectAccessible, expectNoOverflow } from "../support/accessibility.ts";
import { pageHeading } from "../support/keyboard.ts";
import { openBusiness, openOnPhone } from "../support/message-gateway.ts";
import { expect, test, type Buyer } from "../support/seller.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";

const sharedLinks = (page: Page) => page.getByRole("region", { name: "Shared links" });

/** Adds a product and switches the shared link of its period on. @returns its address */
async function shareProduct(page: Page, home: string): Promise<string> {
  await page.goto(`${home}/products/new`);
  await visibleField(page, "Name").fill("Buffalo milk, 1 litre");
  await visibleField(page, /^Price/).fill("1200");
  await page.getByRole("button", { name: "Add product" }).click();
  await sharedLinks(page)
    .getByRole("button", { name: /^Switch on/ })
    .click();
  return sharedLinks(page)
    .getByRole("textbox", { name: /^Address/ })
    .inputValue();
}

async function fillIn(phone: Page, { full_name, phone: number, email, address }: Buyer) {
  const fields = phone.getByRole("textbox");
  for (const [place, text] of [full_name, number, email, address].entries())
    await fields.nth(place).fill(text);
}

test("a new buyer orders by a poster's link, pays, and gets a receipt, on a phone without JavaScript", async ({
  page,
  browser,
  buyer,
}) => {
  const { home } = await openBusiness(page);
  const address = await shareProduct(page, home);
  await expectAccessible(page, "a product with a shared link");
  await sharedLinks(page)
    .getByRole("button", { name: /^Poster/ })
    .click();
  const poster = page.getByRole("dialog", { name: /^Poster/ });
  const sheet = poster.getByRole("img", { name: /Buffalo milk.*NPR 1,200.00/ });
  await expect(sheet).toBeVisible();
  expect(await readQrCode(await sheet.screenshot())).toBe(address);
  await expectAccessible(page, "a poster");
  const [picture] = await Promise.all([
    page.waitForEvent("download"),
    poster.getByRole("button", { name: "Save as PNG" }).click(),
  ]);
  expect(picture.suggestedFilename()).toBe("poster.png");
  const scanned = await readQrCode(await picture.path());
  await page.keyboard.press("Escape");
  await sharedLinks(page)
    .getByRole("button", { name: /^Button for your site/ })
    .click();
  const code = page.getByRole("dialog", { name: /^Button for your site/ });
  await expect(code).toContainText(`<a href="${address}"`);
  await page.keyboard.press("Escape");

  const phone = await openOnPhone(browser, `${scanned}?lang=ne`);
  await expectNoOverflow(phone, "an order in Nepali");
  await phone.goto(scanned);
  await fillIn(phone, { ...buyer, phone: "12" });
  await phone.getByRole("button", { name: "Continue" }).click();
  await expect(phone.getByRole("textbox", { name: "Phone number" })).toBeFocused();
  await expect(visibleText(phone, "This is not a phone number.")).toBeVisible();
  await expect(phone.getByRole("textbox", { name: "Name" })).toHaveValue(buyer.full_name);
  await phone.getByRole("textbox", { name: "Phone number" }).fill(buyer.phone);
  await phone.getByRole("button", { name: "Continue" }).click();
  await expectNoOverflow(phone, "the code of an order");
  await visibleField(phone, "One-time code").fill("000000");
  await phone.getByRole("button", { name: "Confirm and go to the payment" }).click();
  await expect(phone.getByRole("alert")).toContainText("Wrong code");
  await visibleField(phone, "One-time code").fill(
    await phone.locator(".sandbox strong").innerText(),
  );
  await phone.getByRole("button", { name: "Confirm and go to the payment" }).click();
  await expect(visibleText(phone, /no other code is needed/)).toBeVisible();
  await phone.getByRole("button", { name: "Continue" }).click();
  await phone.getByRole("button", { name: "Approve" }).click();
  await expect(visibleText(phone, "Payment received")).toBeVisible();
  const receipt = phone.getByRole("link", { name: /\(PDF\)/ });
  const bill = new URL((await receipt.getAttribute("href")) ?? "", phone.url());
  const file = await phone.context().request.get(bill.href);
  expect(file.headers()["content-type"]).toBe("application/pdf");
  const [, id] = /\/pay\/([\w-]+)/.exec(phone.url()) ?? [];
  await phone.context().close();

  await page.reload();
  await expect(sharedLinks(page)).toContainText("1 order, 1 paid");
  await sharedLinks(page).getByText("Newest orders").click();
  await expectAccessible(page, "the orders of a shared link");
  await sharedLinks(page).getByRole("link", { name: buyer.full_name }).click();
  await expect(page).toHaveURL(`${home}/subscriptions/${id}`);
  await page.getByRole("button", { name: /^Show all, with messages/ }).click();
  await expect(visibleText(page, "The buyer ordered it at the shared link")).toBeVisible();
});

test("a shared link sells nothing while it is switched off or after its address was replaced", async ({
  page,
  browser,
  buyer,
}) => {
  const { home } = await openBusiness(page);
  const address = await shareProduct(page, home);
  await sharedLinks(page)
    .getByRole("button", { name: /^Switch off/ })
    .click();
  await expect(sharedLinks(page)).toContainText("Switched off");
  const phone = await openOnPhone(browser, address);
  await expect(pageHeading(phone, "Phewa Dairy")).toBeVisible();
  await expect(visibleText(phone, "Nothing can be ordered here at the moment.")).toBeVisible();
  const open = await browser.newContext();
  const wide = await open.newPage();
  await wide.goto(address);
  await expectAccessible(wide, "a link that was switched off");
  await sharedLinks(page)
    .getByRole("button", { name: /^Switch on/ })
    .click();
  await expect(sharedLinks(page).getByRole("textbox")).toHaveValue(address);
  await sharedLinks(page)
    .getByRole("button", { name: /^New address/ })
    .click();
  const dialog = page.getByRole("dialog", { name: "Give this link a new address?" });
  await dialog.getByRole("button", { name: "New address" }).click();
  await expect(dialog).toBeHidden();
  await expect(sharedLinks(page).getByRole("textbox")).not.toHaveValue(address);
  await phone.goto(address);
  await expect(visibleText(phone, /^Nothing is for sale at this address/)).toBeVisible();
  await phone.goto(await sharedLinks(page).getByRole("textbox").inputValue());
  await expect(phone.getByRole("button", { name: "Continue" })).toBeVisible();
  await phone.context().close();
  await wide.goto(await sharedLinks(page).getByRole("textbox").inputValue());
  await expectAccessible(wide, "an order");
  await wide.getByRole("textbox", { name: "Name" }).fill(buyer.full_name);
  await wide.getByRole("button", { name: "Continue" }).click();
  await expectAccessible(wide, "an order with what is missing");
  await fillIn(wide, buyer);
  await wide.getByRole("button", { name: "Continue" }).click();
  await expect(visibleField(wide, "One-time code")).toBeFocused();
  await expectAccessible(wide, "the code of an order");
  await open.close();
});
