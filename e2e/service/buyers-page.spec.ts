import type { Page } from "@playwright/test";
import { expectAccessible, expectNoOverflow } from "../support/accessibility.ts";
import { pageHeading, tabTo } from "../support/keyboard.ts";
import { openBusiness, payInBrowser, sellTo } from "../support/message-gateway.ts";
import { expect, test } from "../support/seller.ts";

const codeOn = (page: Page) => page.locator(".sandbox strong").innerText();

test("with a code a buyer sees their subscriptions, pays one and reads the receipt, by keyboard and on a small phone without scripts", async ({
  page,
  browser,
  buyer,
}) => {
  const { home } = await openBusiness(page);
  const link = await sellTo(page, home, buyer);
  await page.goto(`${home}/settings/seller`);
  const card = page.getByRole("region", { name: "Page for your buyers" });
  const address = await card.getByRole("textbox", { name: "Address of the page" }).inputValue();
  await card.getByRole("button", { name: "QR code" }).click();
  const dialog = page.getByRole("dialog", { name: "QR code of the page for your buyers" });
  await expect(dialog.getByRole("img")).toBeVisible();
  await page.keyboard.press("Escape");
  await expectAccessible(page, "settings with the page for buyers");

  const open = await browser.newContext();
  const wide = await open.newPage();
  await wide.goto(address);
  await expectAccessible(wide, "a number is asked for");
  await tabTo(wide, wide.getByRole("textbox", { name: "Your phone number or email" }));
  await wide.keyboard.type(buyer.email.toUpperCase());
  await wide.keyboard.press("Enter");
  await expect(wide.getByRole("textbox", { name: "One-time code" })).toBeFocused();
  await wide.keyboard.type("000000");
  await wide.keyboard.press("Enter");
  await expect(wide.getByRole("alert")).toContainText("Wrong code");
  await expectAccessible(wide, "a code is asked for");
  await wide.keyboard.type(await codeOn(wide));
  await wide.keyboard.press("Enter");
  await expect(pageHeading(wide, "Your page at Phewa Dairy")).toBeVisible();
  await tabTo(wide, wide.getByRole("link", { name: /^Pay NPR/ }));
  await wide.keyboard.press("Enter");
  await expect(wide).toHaveURL(link);
  await payInBrowser(open, link);
  await wide.goto(address);
  await expect(wide.getByRole("region", { name: "To pay" })).toContainText("Nothing is owed.");
  await expectAccessible(wide, "what is theirs");
  const receipt = wide.getByRole("link", { name: /^Receipt R-.*\(PDF\)$/ });
  const file = await open.request.get(
    new URL((await receipt.getAttribute("href")) ?? "", address).href,
  );
  expect(file.headers()["content-type"]).toBe("application/pdf");
  await wide.getByRole("button", { name: "Stop reminders" }).click();
  await expect(wide.getByRole("region", { name: "Reminders" })).toContainText(
    "no longer sends",
  );
  await wide.getByRole("button", { name: "Leave this page" }).click();
  await expect(wide.getByRole("button", { name: "Send me a code" })).toBeVisible();
  await open.close();

  const small = await browser.newContext({
    viewport: { width: 320, height: 640 },
    javaScriptEnabled: false,
  });
  const phone = await small.newPage();
  await phone.goto(`${address}?lang=ne`);
  await expectNoOverflow(phone, "a number is asked for in Nepali");
  await phone.getByRole("textbox").fill(buyer.phone);
  await phone.getByRole("button", { name: "कोड पठाउनुहोस्" }).click();
  await expectNoOverflow(phone, "a code is asked for in Nepali");
  await phone.getByRole("textbox").fill(await codeOn(phone));
  await phone.getByRole("button", { name: "मेरो पृष्ठ खोल्नुहोस्" }).click();
  await expect(phone.getByRole("region", { name: "तपाईंसँग भएको" })).toBeVisible();
  await expectNoOverflow(phone, "what is theirs in Nepali");
  await small.close();
});
