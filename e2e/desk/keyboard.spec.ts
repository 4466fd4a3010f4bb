import type { Page } from "@playwright/test";
import { addDays } from "#lib/format/calendar.ts";
import { dayInZone } from "#lib/format/format.ts";
import { pageHeading, commandPalette, pressKeys, tabTo } from "../support/keyboard.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";
import {
  DEMO_ACCOUNT,
  duebookUrl,
  expect,
  expectInClipboard,
  productSearch,
  test,
  type Buyer,
} from "../support/seller.ts";
import { formatDate } from "../support/messages.ts";

const ZONE = "Asia/Kathmandu";

/** Opens the palette, types, and opens the first result. */
async function jumpTo(page: Page, words: string, found: string | RegExp) {
  await pressKeys(page, "Control+k");
  await expect(commandPalette(page).getByRole("combobox")).toBeFocused();
  await page.keyboard.type(words);
  const first = commandPalette(page).getByRole("option").first();
  await expect(first).toHaveAccessibleName(found);
  await expect(first).toHaveAttribute("data-highlighted");
  await pressKeys(page, "Enter");
  await expect(commandPalette(page)).toHaveCount(0);
}

async function typeNewSubscription(page: Page, buyer: Buyer, returnUrl: string) {
  await tabTo(page, productSearch(page));
  await page.keyboard.type("fresh milk door");
  await expect(page.getByRole("option", { name: /^Fresh Milk at the Door/ })).toBeVisible();
  await pressKeys(page, "Enter");
  await tabTo(page, page.getByRole("radio", { name: /^Half a litre|^One litre/ }).first());
  await pressKeys(page, "Space");
  await tabTo(page, page.getByRole("radio", { name: /^Monthly/ }).first());
  await pressKeys(page, "Space");
  const typed: [label: string, text: string][] = [
    ["Phone", buyer.phone],
    ["Full name", buyer.full_name],
    ["Email", buyer.email],
    ["Address", buyer.address],
    ["Page after payment", returnUrl],
  ];
  for (const [label, text] of typed) {
    await tabTo(page, visibleField(page, label, { exact: true }));
    await pressKeys(page, "Control+a");
    await page.keyboard.type(text);
  }
  await pressKeys(page, "Enter");
}

test("a user signs in and creates a subscription by keyboard alone, with the focus always on an element", async ({
  page,
  context,
  shop,
  buyer,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${duebookUrl()}/sign-in`);
  await tabTo(page, visibleField(page, "Email"));
  await page.keyboard.type(DEMO_ACCOUNT.email);
  await tabTo(page, visibleField(page, "Password", { exact: true }));
  await page.keyboard.type(DEMO_ACCOUNT.password);
  await pressKeys(page, "Enter");
  await expect(pageHeading(page, "Overview")).toBeVisible();
  await expect(page.getByRole("button", { name: "Search or jump to" })).toBeEnabled();

  await jumpTo(page, "due", "Due subscriptions");
  await expect(page).toHaveURL(/\?status=due$/);
  await expect(pageHeading(page, "Subscriptions")).toBeFocused();
  const due = page.locator("[data-row] [data-row-link]");
  await expect(due.nth(1)).toBeVisible();
  await pressKeys(page, "j", "j");
  await expect(due.nth(1)).toBeFocused();
  const name = (await due.nth(1).textContent()) ?? "";
  await pressKeys(page, "Enter");
  await expect(pageHeading(page, name)).toBeFocused();
  await tabTo(page, page.getByRole("button", { name: "Copy link" }).first());
  await pressKeys(page, "Enter");
  await expectInClipboard(page, /\/pay\/[\w-]+$/);
  await pressKeys(page, "Escape");
  await expect(page).toHaveURL(/\?status=due$/);
  await expect(due.nth(1)).toBeFocused();

  await jumpTo(page, "active", "Active subscriptions");
  await expect(page).toHaveURL(/\?status=active$/);
  await expect(page.getByRole("table", { name: "Subscriptions" })).toHaveAttribute(
    "aria-busy",
    "false",
  );
  await expect(page.getByRole("row").nth(1)).toContainText("Active");
  await pressKeys(page, "j");
  await expect(page.locator("[data-row-link]").first()).toBeFocused();
  await pressKeys(page, "Enter");
  await moveDateAndUndo(page);
  await pressKeys(page, "Escape");
  await expect(page.locator("[data-row-link]").first()).toBeFocused();

  await pressKeys(page, "c");
  await expect(pageHeading(page, "New subscription")).toBeFocused();
  await typeNewSubscription(page, buyer, shop.returnUrl);
  await expect(visibleText(page, "Waiting for payment")).toBeVisible();
  const { pathname } = new URL(page.url());
  await pressKeys(page, "g", "o");
  await expect(pageHeading(page, "Overview")).toBeFocused();
  await jumpTo(page, buyer.full_name, new RegExp(buyer.full_name));
  await expect(page).toHaveURL(duebookUrl() + pathname);

  await jumpTo(page, "log out", /^Sign out/);
  await expect(page).toHaveURL(/\/sign-in/);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

/** Moves the billing date of the active subscription that the page shows, and moves it back. */
async function moveDateAndUndo(page: Page) {
  const reschedule = page
    .getByRole("group", { name: "Actions" })
    .getByRole("button", { name: "Reschedule" });
  await tabTo(page, reschedule);
  await pressKeys(page, "Enter");
  const moving = page.getByRole("dialog", { name: "Move the billing date" });
  await expect(moving.getByLabel("New billing date")).toBeFocused();
  await pressKeys(page, "Escape");
  await expect(moving).toHaveCount(0);
  await expect(reschedule).toBeFocused();
  await pressKeys(page, "Enter");
  await expect(moving.getByLabel("New billing date")).toBeFocused();
  const day = addDays(dayInZone(new Date().toISOString(), ZONE), 40);
  const [year = "", month = "", date = ""] = day.split("-");
  await page.keyboard.type(`${month}${date}${year}`);
  await pressKeys(page, "Enter");
  const notice = page.getByRole("main").getByRole("status").first();
  await expect(notice).toContainText(`The next billing date is ${formatDate(day)}.`);
  await expect(reschedule).toBeFocused();
  await tabTo(page, page.getByRole("button", { name: "Undo" }));
  await pressKeys(page, "Enter");
  await expect(notice).toContainText(`Before, it was ${formatDate(day)}.`);
  await expect(page.locator("body")).not.toBeFocused();
}
