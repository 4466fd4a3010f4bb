import type { Page } from "@playwright/test";
import { readQrCode } from "#tools/testing/read-qr-code.ts";
import { expectAccessible, expectNoOverflow } from "../support/accessibility.ts";
import { pageHeading, tabTo } from "../support/keyboard.ts";
import { openBusiness, payInBrowser, sellTo } from "../support/message-gateway.ts";
import { expect, test } from "../support/seller.ts";
import { visibleText } from "../support/visible-text.ts";

const codeOn = (page: Page) => page.locator(".sandbox strong").innerText();

test("with a code a buyer sees and pays their subscription and reads the receipt, by keyboard and on a small phone", async ({
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
  expect(await readQrCode(await dialog.getByRole("img").screenshot())).toBe(address);
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
  await expectAccessible(wide, "the buyer's page");
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
  await expectNoOverflow(phone, "the buyer's page in Nepali");
  await small.close();
});

test("a buyer sets a message language and asks to end a subscription; the dashboard uses the language and the reason", async ({
  page,
  browser,
  buyer,
}) => {
  const { home } = await openBusiness(page);
  const link = await sellTo(page, home, buyer);
  const record = page.url();
  await payInBrowser(page.context(), link);
  await page.goto(`${home}/settings/seller`);
  const card = page.getByRole("region", { name: "Page for your buyers" });
  const address = await card.getByRole("textbox", { name: "Address of the page" }).inputValue();

  const phone = await browser.newContext({ javaScriptEnabled: false });
  const own = await phone.newPage();
  await own.goto(address);
  await own.getByRole("textbox").fill(buyer.phone);
  await own.getByRole("button", { name: "Send me a code" }).click();
  await own.getByRole("textbox").fill(await codeOn(own));
  await own.getByRole("button", { name: "Open my page" }).click();
  const messages = own.getByRole("region", { name: "Messages to you" });
  await messages.getByRole("radio", { name: "नेपाली" }).check();
  await messages.getByRole("button", { name: "Save" }).click();
  const have = own.getByRole("region", { name: "What you have" });
  await have.locator("summary", { hasText: "Pause or stop" }).click();
  await have.getByRole("radio", { name: "No renewal any more" }).check();
  await have.getByRole("textbox", { name: "Your words, if you like" }).fill("We leave Pokhara");
  await have.getByRole("button", { name: "Ask Phewa Dairy" }).click();
  await expect(own.getByRole("button", { name: "Take it back" })).toBeVisible();
  await phone.close();

  await page.goto(record);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const sending = page.getByRole("dialog", { name: "Send the link" });
  await expect(sending.getByRole("button", { name: "नेपाली" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await page.keyboard.press("Escape");

  const asked = page.getByRole("region", { name: "Buyers ask" });
  await expect(asked).toContainText("We leave Pokhara");
  await asked.getByRole("button", { name: "Agree" }).click();
  const dialog = page.getByRole("dialog", { name: `Agree to what ${buyer.full_name} asks` });
  await expect(dialog.getByRole("textbox", { name: "In their words" })).toHaveValue(
    "We leave Pokhara",
  );
  await dialog.getByRole("combobox", { name: "Why do they leave?" }).selectOption("Moved away");
  await expectAccessible(page, "a request to stop");
  await dialog.getByRole("button", { name: "Agree" }).click();
  await expect(visibleText(page, "Agreed. The buyer reads it on their page.")).toBeVisible();
  await expect(
    visibleText(page, "Moved away: We leave Pokhara", { exact: false }),
  ).toBeVisible();
});

test("the collection page lists all requests of buyers, 50 at a time", async ({ page }) => {
  const { home } = await openBusiness(page);
  const request = (number: number) => ({
    id: `3f0c2b7e-9a41-4d6c-8e15-7b2d90c4a${String(number).padStart(3, "0")}`,
    subscription_id: "3f0c2b7e-9a41-4d6c-8e15-7b2d90c4a6f1",
    full_name: `Buyer ${number}`,
    product_name: "Buffalo milk",
    kind: "stop",
    until: null,
    words: "",
    state: "open",
    asked_at: "2026-11-20T00:00:00Z",
    ended_at: null,
    answered_by: null,
    answer: "",
  });
  const first = Array.from({ length: 50 }, (_, at) => request(at));
  await page.route(/\/api\/[^/]+\/test\/payments\/tasks/, (route) => {
    const before = new URL(route.request().url()).searchParams.get("before");
    const requests = before === null ? first : [request(50)];
    return route.fulfill({
      json:
        before === null
          ? {
              waiting: [],
              refunds: [],
              notes: [],
              to_check: 0,
              requests: { requests, before: first.at(-1)?.id },
            }
          : { requests, before: null },
    });
  });
  await page.goto(`${home}/collection`);
  const asked = page.getByRole("region", { name: "Buyers ask" });
  await expect(asked.getByRole("listitem")).toHaveCount(50);
  await asked.getByRole("button", { name: "Show older requests" }).click();
  await expect(asked.getByRole("listitem")).toHaveCount(51);
  await expect(asked.getByRole("button", { name: "Show older requests" })).toHaveCount(0);
});
