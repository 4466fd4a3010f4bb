import type { Page } from "@playwright/test";
import { readQrCode } from "#tools/testing/read-qr-code.ts";
import { addDays } from "#lib/format/calendar.ts";
import { calendarDay } from "#lib/format/format.ts";
import { tabTo } from "../support/keyboard.ts";
import { createSubscription } from "../support/subscription-fixture.ts";
import { visibleText } from "../support/visible-text.ts";
import { duebookUrl, expect, payForShownSubscription, test } from "../support/seller.ts";
import { expectAccessible, PHONE_VIEWPORT } from "../support/accessibility.ts";
import { formatDate } from "../support/messages.ts";

const ZONE = "Asia/Kathmandu";

/** Reads the current record from the service. */
async function readRecord(page: Page) {
  const [, scope, id] =
    /^(.*)\/subscriptions\/([\w-]+)/.exec(new URL(page.url()).pathname) ?? [];
  const response = await page.request.get(`${duebookUrl()}/api${scope}/subscriptions/${id}`);
  const { subscription } = (await response.json()) as {
    subscription: { status: string; next_billing_cycle: string };
  };
  return {
    status: subscription.status,
    day: calendarDay(subscription.next_billing_cycle, ZONE),
  };
}

const action = (page: Page, name: string) =>
  page.getByRole("group", { name: "Actions" }).getByRole("button", { name });
const notice = (page: Page) => page.getByRole("main").getByRole("status");

test("a subscription is cancelled and resumed, and rescheduled by keyboard and moved back, also on a phone", async ({
  page,
  request,
  shop,
  buyer,
}) => {
  await createSubscription(page, buyer, shop.returnUrl);
  await payForShownSubscription(page, request);
  const before = await readRecord(page);
  const day = before.day ?? "";
  expect(before.status).toBe("active");

  await action(page, "Cancel").click();
  const cancelling = page.getByRole("dialog", { name: "Cancel this subscription?" });
  await expect(cancelling).toContainText(`Its last day is ${formatDate(day)}`);
  await expect(cancelling).toContainText("Nothing is refunded.");
  await expectAccessible(page, "cancel");
  await cancelling.getByRole("button", { name: "Cancel subscription" }).click();
  await expect(notice(page).first()).toContainText("The cancellation is scheduled.");
  await expect(visibleText(page, `Ends on ${formatDate(day)}`).first()).toBeVisible();
  expect(await readRecord(page)).toEqual({ status: "pending_cancellation", day });
  // Moves the focus away: if the dialog returned it late, the button's reason would cover the
  // outcome.
  await action(page, "Cancel").blur();
  await action(page, "Cancel").focus();
  await expect(page.getByRole("tooltip")).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(notice(page).first()).toContainText("It is active again.");
  expect(await readRecord(page)).toEqual(before);

  const later = addDays(day, 10);
  await tabTo(page, action(page, "Reschedule"));
  await page.keyboard.press("Enter");
  const moving = page.getByRole("dialog", { name: "Move the billing date" });
  await expect(moving.getByLabel("New billing date")).toBeFocused();
  await expectAccessible(page, "reschedule");
  const [year = "", month = "", date = ""] = later.split("-");
  await page.keyboard.type(`${month}${date}${year}`);
  await expect(moving).toContainText("10 days given to the buyer");
  await page.keyboard.press("Enter");
  await expect(notice(page).first()).toContainText(
    `The next billing date is ${formatDate(later)}.`,
  );
  expect(await readRecord(page)).toEqual({ status: "active", day: later });
  await tabTo(page, page.getByRole("button", { name: "Undo" }));
  await page.keyboard.press("Enter");
  await expect(notice(page).first()).toContainText(
    `The next billing date is ${formatDate(day)}.`,
  );
  expect(await readRecord(page)).toEqual(before);

  await page.setViewportSize(PHONE_VIEWPORT);
  await action(page, "Cancel").click();
  await cancelling.getByRole("button", { name: "Cancel subscription" }).click();
  await expect(visibleText(page, "Pending cancellation").first()).toBeVisible();
  await action(page, "Wants to stay").click();
  await expect(notice(page).first()).toContainText("It is active again.");
  expect(await readRecord(page)).toEqual(before);
  await page.getByRole("button", { name: "Show all, with messages and deliveries" }).click();
  await expect(visibleText(page, "Moved a billing date").first()).toBeVisible();
  await expectAccessible(page, "the page on a phone, with its whole history");
});

const customerLink = (page: Page) => page.getByRole("link", { name: "View customer" });

/** Opens the shown record from its customer's page. @returns a function that lets its page load */
async function openLoadingRecord(page: Page) {
  const record = new URL(page.url()).pathname;
  await customerLink(page).click();
  const [prefetched, mayLoad] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(
    ({ pathname }) => pathname === record,
    async (route) => {
      const isPrefetch = "next-router-prefetch" in route.request().headers();
      if (!isPrefetch) await mayLoad.promise;
      await route.fulfill({ response: await route.fetch() });
      if (isPrefetch) prefetched.resolve();
    },
  );
  const row = page.getByRole("main").locator(`a[href="${record}"]`);
  await row.hover();
  await prefetched.promise;
  await row.click();
  await expect(visibleText(page, "Waiting for payment")).toBeVisible();
  return mayLoad.resolve;
}

const wholeHistory = (page: Page) =>
  page.getByRole("button", { name: /^Show all, with messages/ });

test("a record is shown while its page still loads, and its buttons work once the page is loaded", async ({
  page,
  shop,
  buyer,
}) => {
  await createSubscription(page, buyer, shop.returnUrl);
  const load = await openLoadingRecord(page);
  await expect(wholeHistory(page)).toBeDisabled();
  load();
  await wholeHistory(page).click();
  await expect(wholeHistory(page)).toHaveCount(0);
});

test("a link that is held down while its page loads opens when it is released", async ({
  page,
  shop,
  buyer,
}) => {
  await createSubscription(page, buyer, shop.returnUrl);
  const load = await openLoadingRecord(page);
  await customerLink(page).hover();
  await page.mouse.down();
  load();
  await expect(wholeHistory(page)).toBeEnabled();
  await page.mouse.up();
  await expect(page).toHaveURL(/\/customers\//);
});

test("a lost answer and a refused change are reported, and the page then shows the current record", async ({
  page,
  context,
  request,
  shop,
  buyer,
}) => {
  await createSubscription(page, buyer, shop.returnUrl);
  await payForShownSubscription(page, request);
  await action(page, "Reschedule").click();
  const moving = page.getByRole("dialog", { name: "Move the billing date" });
  await moving.getByLabel("New billing date").fill("2020-01-01");
  await moving.getByRole("button", { name: "Move the date" }).click();
  await expect(moving).toContainText("Choose today or a later day.");

  await moving.getByRole("button", { name: "+1 month" }).click();
  const sent: string[] = [];
  await page.route(page.url(), async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    sent.push(route.request().url());
    return route.abort();
  });
  await moving.getByRole("button", { name: "Move the date" }).click();
  await expect(notice(page).first()).toContainText("the change has not gone through");
  expect(sent).toHaveLength(1);
  await page.unroute(page.url());
  await action(page, "Reschedule").click();

  const colleague = await context.newPage();
  await colleague.goto(page.url());
  await action(colleague, "Cancel").click();
  await colleague
    .getByRole("dialog")
    .getByRole("button", { name: "Cancel subscription" })
    .click();
  await expect(notice(colleague).first()).toContainText("The cancellation is scheduled.");
  await colleague.close();

  await moving.getByRole("button", { name: "+1 week" }).click();
  await moving.getByRole("button", { name: "Move the date" }).click();
  await expect(moving.getByRole("alert")).toContainText("Nothing was changed.");
  await moving.getByRole("button", { name: "Keep current date" }).click();
  await expect(visibleText(page, "Pending cancellation").first()).toBeVisible();
});

test("a link is sent by app or shown as a QR code, and a disabled button says why it is disabled", async ({
  page,
  shop,
  buyer,
}) => {
  await createSubscription(page, buyer, shop.returnUrl);
  const link = await page.getByRole("textbox", { name: "Checkout link" }).inputValue();

  await tabTo(page, action(page, "Cancel"));
  await expect(page.getByRole("tooltip")).toContainText("after the first payment");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.getByRole("button", { name: "Send" }).click();
  const sending = page.getByRole("dialog", { name: "Send the link" });
  const message = sending.getByLabel("Message");
  await expect(message).toHaveValue(new RegExp(`${buyer.full_name}[^]*NPR[^]*${link}`));
  await expectAccessible(page, "send");
  await message.fill("No link");
  await expect(sending).toContainText("The link is no longer in the message.");
  await message.fill(`दूध & ${link}`);
  for (const [name, start] of [
    ["WhatsApp", `https://wa.me/977${buyer.phone}?text=`],
    ["Viber", "viber://forward?text="],
    ["SMS", `sms:${buyer.phone}?&body=`],
    ["Email", `mailto:${encodeURIComponent(buyer.email)}?subject=`],
  ] as const) {
    const href = await sending.getByRole("link", { name }).getAttribute("href");
    expect(href?.startsWith(start), href ?? name).toBe(true);
    expect(decodeURIComponent(href ?? "")).toContain(`दूध & ${link}`);
  }
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "QR code" }).click();
  const code = page.getByRole("dialog", { name: "QR code of the link" });
  await expect(code.getByRole("img")).toBeVisible();
  await expectAccessible(page, "code");
  const download = page.waitForEvent("download");
  await code.getByRole("button", { name: "Save as PNG" }).click();
  const picture = await download;
  expect(picture.suggestedFilename()).toMatch(/^checkout-[\w-]+\.png$/);
  expect(await readQrCode(await picture.path())).toBe(link);
  expect(await readQrCode(await code.getByRole("img").screenshot())).toBe(link);
});
