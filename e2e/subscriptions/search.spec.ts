import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { createSubscription } from "../support/subscription-fixture.ts";
import { readWorkbook } from "#tools/testing/read-workbook.ts";
import { expectInteractive, pressKeys, tabTo } from "../support/keyboard.ts";
import { visibleText } from "../support/visible-text.ts";
import { duebookUrl, expect, signIn, test } from "../support/seller.ts";
import { waitForIndex } from "../support/wait-for-index.ts";
import { expectAccessible } from "../support/accessibility.ts";

const rows = (page: Page) => page.locator("[data-row]").filter({ visible: true });
const field = (page: Page) => page.getByRole("searchbox", { name: "Search subscriptions" });
const head = (page: Page, name: string) => page.getByRole("columnheader", { name });

test("a buyer is found by any spelling of phone number and name", async ({
  page,
  shop,
  buyer,
}) => {
  await createSubscription(page, buyer, shop.returnUrl);
  await waitForIndex(page, buyer.phone);
  await page.goto(`${duebookUrl()}/subscriptions`);
  const { phone } = buyer;
  const apart = `${phone.slice(0, 3)} ${phone.slice(3, 6)}-${phone.slice(6)}`;
  for (const typed of [
    `+977 ${apart}`,
    `Sarasvatee maharjan ${phone}`,
    buyer.email.toUpperCase(),
    `sarswoti ${phone}`,
  ]) {
    // Cleared first, because the previous search's row would satisfy this check too.
    await field(page).clear();
    await expect(rows(page)).not.toHaveCount(1);
    await field(page).fill(typed);
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page).first()).toContainText(buyer.full_name);
  }
  await expect(visibleText(page, /^No exact match\. Similar names:/)).toBeVisible();
  // The search text is never in the URL, and is still there after going back.
  await expect(page).toHaveURL(/\/subscriptions$/);
  await rows(page).first().getByRole("link", { name: buyer.full_name }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(buyer.full_name);
  await page.goBack();
  await expect(field(page)).toHaveValue(`sarswoti ${phone}`);
  await expect(rows(page)).toHaveCount(1);
});

test("the subscription list is filtered by search text and by form, and sorted, by keyboard alone", async ({
  page,
}) => {
  await signIn(page);
  await waitForIndex(page, "litre");
  await expectInteractive(page, page.getByRole("button", { name: "Views" }));
  await pressKeys(page, "/");
  await expect(field(page)).toBeFocused();
  await page.keyboard.type("colour:red");
  await pressKeys(page, "Enter");
  await expect(visibleText(page, /^Unknown filter “colour:red”\./)).toBeVisible();
  // A filter applies exactly as typed, despite other filters in the URL.
  await field(page).fill("status:due");
  const tabs = page.getByRole("navigation", { name: "Filter by status" });
  const due = tabs.getByRole("link", { name: /^Due/ });
  await expect(due).toHaveAttribute("aria-current", "page");
  await expect(page.locator("[data-row]").filter({ hasNotText: "Due" })).toHaveCount(0);
  await expect(page).toHaveURL(/\/subscriptions$/);
  await tabs.getByRole("link", { name: /^Active/ }).click();
  await expect(field(page)).toHaveValue("");
  await expect(page).toHaveURL(/\?status=active&kind=recurring$/);
  await page.goBack();
  await expect(tabs.getByRole("link", { name: /^All/ })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await field(page).fill('status:due plan:"one litre" price:>1');
  await pressKeys(page, "Enter");
  await expect(page).toHaveURL(/\?status=due&plan=one\+litre&price_over=1$/);
  await expect(field(page)).toHaveValue("");
  await expect(visibleText(page, /subscriptions? found\. As of/)).toBeVisible();
  await expect(rows(page).first()).toContainText("Due");
  await expectAccessible(page, "chips");

  await tabTo(page, page.getByRole("link", { name: "Remove the filter Price: more than 1" }));
  await pressKeys(page, "Enter");
  await expect(page).toHaveURL(/\?status=due&plan=one\+litre$/);
  await tabTo(page, head(page, "Next billing").getByRole("link"));
  await pressKeys(page, "Enter");
  await expect(head(page, "Next billing")).toHaveAttribute("aria-sort", "ascending");
  await pressKeys(page, "Enter");
  await expect(head(page, "Next billing")).toHaveAttribute("aria-sort", "descending");
  await expect(page).toHaveURL(/&sort=-next_billing$/);

  await page.getByRole("button", { name: /^Filter/ }).click();
  const dialog = page.getByRole("dialog", { name: "Filter" });
  await dialog.getByLabel("Plan").selectOption({ label: "Every plan" });
  await dialog.getByLabel("Product").selectOption({ label: "Fresh Milk at the Door" });
  await expectAccessible(page, "filter");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await expect(
    page.getByRole("link", { name: "Remove the filter Product: Fresh Milk at the Door" }),
  ).toBeVisible();
  await expect(rows(page).first()).toContainText("Fresh Milk at the Door");
  await field(page).fill("nobody at all");
  await expect(visibleText(page, "No subscription matches")).toBeVisible();
  await page.getByRole("button", { name: "Show all" }).click();
  await expect(page).toHaveURL(/\/subscriptions$/);
});

test("a search without results keeps its text and its explanation after the reader leaves the list and goes back", async ({
  page,
}) => {
  await signIn(page);
  await field(page).fill("colour:red");
  await pressKeys(page, "Enter");
  const said = visibleText(page, /^Unknown filter “colour:red”\./);
  await expect(said).toBeVisible();
  await page.getByRole("navigation").getByRole("link", { name: "Products" }).click();
  await expect(page.getByRole("heading", { name: "Products", level: 1 })).toBeVisible();
  await expect(said).toHaveCount(0);
  await page.getByRole("navigation").getByRole("link", { name: "Subscriptions" }).click();
  await expectInteractive(page, page.getByRole("button", { name: "Columns" }));
  await expect(field(page)).toHaveValue("colour:red");
  await expect(said).toBeVisible();
  await field(page).press("End");
  await page.keyboard.type(" milk");
  await expect(said).toBeHidden();
  await expect(field(page)).toHaveValue("colour:red milk");
});

test("a searched list is exported as CSV and Excel files, and the audit log records the exports", async ({
  page,
  shop,
  buyer,
}) => {
  await createSubscription(page, buyer, shop.returnUrl);
  await waitForIndex(page, buyer.phone);
  await page.goto(`${duebookUrl()}/subscriptions`);
  await field(page).fill(buyer.phone);
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Export" }).click();
  const menu = page.getByRole("menu");
  await expect(menu.getByRole("group", { name: /^1 row\. As of / })).toBeVisible();
  await expectAccessible(page, "export");

  const csv = page.waitForEvent("download");
  await menu.getByRole("menuitem", { name: "CSV Visible columns" }).click();
  const download = await csv;
  expect(download.suggestedFilename()).toMatch(/^duebook-subscriptions-test-[\d-]{10}\.csv$/);
  const lines = (await readFile(await download.path(), "utf8")).split("\r\n");
  expect(lines).toEqual([
    "\uFEFFBuyer,Phone,Product,Plan,Period,List price,To pay,Source of amount to pay,Currency,Status,Next billing,Created",
    expect.stringContaining(buyer.full_name),
    "",
  ]);

  // The menu closes when the download is complete.
  await expect(menu).toBeHidden();
  await page.getByRole("button", { name: "Export" }).click();
  const xlsx = page.waitForEvent("download");
  await menu.getByRole("menuitem", { name: "Excel (XLSX) All columns" }).click();
  const [sheet] = readWorkbook(await readFile(await (await xlsx).path()));
  expect(sheet).toHaveLength(2);
  expect(Object.values(sheet?.[1] ?? {}).map(({ value }) => value)).toEqual(
    expect.arrayContaining([buyer.full_name, buyer.email, "pending_checkout"]),
  );

  await page.goto(`${duebookUrl()}/settings/audit-log`);
  const act = page
    .getByRole("list", { name: "Audit log" })
    .getByRole("listitem")
    .filter({ hasText: "Exported subscriptions" })
    .first();
  await act.locator("summary").click();
  await expect(act).toContainText("Rows");
  await expect(act).not.toContainText(buyer.phone);
});
