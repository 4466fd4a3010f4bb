import type { Page } from "@playwright/test";
import { duebookUrl, expect, expectInClipboard, signIn, test } from "../support/seller.ts";
import { openOwnSeller } from "../support/own-seller.ts";
import { visibleText } from "../support/visible-text.ts";
import { expectAccessible, PHONE_VIEWPORT } from "../support/accessibility.ts";

const NARROW = { width: 320, height: 700 };

const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function openOverview(page: Page) {
  await signIn(page);
  await page.getByRole("navigation", { name: "Main" }).getByText("Overview").click();
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  await expect(panel(page, "Due now").getByRole("listitem").first()).toBeVisible();
}

test("the overview shows due, ending and unpaid subscriptions, and each panel links to its list", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openOverview(page);
  await expectAccessible(page, "overview");
  await panel(page, "Due now").getByRole("listitem").first().getByRole("link").click();
  await expect(visibleText(page, /Overdue since/)).toBeVisible();
  await page.goBack();

  const soon = panel(page, "Coming up");
  await expect(soon.getByRole("listitem").first()).toContainText(/Bills|Ends/);
  await soon.getByRole("link", { name: "Ending" }).click();
  await expect(page).toHaveURL(/\?status=pending_cancellation$/);
  await page.goBack();

  for (const name of ["Due now", "Waiting for first payment"]) {
    const row = panel(page, name).getByRole("listitem").first();
    const record = (await row.getByRole("link").getAttribute("href")) ?? "";
    await row.getByRole("button", { name: /^Copy link for / }).click();
    await expectInClipboard(page, new RegExp(`/pay/${record.split("/").at(-1)}$`));
  }
  await expect(page).toHaveURL(/\/test$/);

  await panel(page, "Due now").getByRole("link", { name: "See all in Due now" }).click();
  await expect(page).toHaveURL(/\/subscriptions\?status=due$/);
  await page.goBack();
  await page
    .getByRole("main")
    .getByRole("link", { name: /^Total/ })
    .click();
  await expect(visibleText(page, /^1–20 of/)).toBeVisible();
});

test("on a phone the bottom menu opens the pages that the bar does not show, also by keyboard", async ({
  page,
}) => {
  await page.setViewportSize(PHONE_VIEWPORT);
  await openOverview(page);
  await expectAccessible(page, "overview on a phone");
  const foot = page.getByRole("navigation", { name: "Main" });
  await expect(foot.getByRole("link")).toHaveText([
    "Overview",
    "To collect",
    "Subscriptions",
    "New subscription",
  ]);
  await foot.getByRole("link", { name: "New subscription" }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const menu = page.getByRole("menu", { name: "More" });
  const products = menu.getByRole("menuitem", { name: "Products" });
  const customers = menu.getByRole("menuitem", { name: "Customers" });
  await expect(customers).toBeFocused();
  await expect(menu.getByRole("menuitem")).toHaveText([
    "Customers",
    "Products",
    "Payments",
    "Reports",
    "Sandbox",
    "Settings",
    "Switch to live mode",
  ]);
  await expectAccessible(page, "menu");
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(foot.getByRole("button", { name: "More" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(customers).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(products).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Products", level: 1 })).toBeVisible();
  await expect(menu).toBeHidden();
  await expect(foot.getByRole("button", { name: "More" })).toHaveAttribute(
    "aria-current",
    "true",
  );
  await page.setViewportSize(NARROW);
  await page.goto(duebookUrl());
  await expect(panel(page, "Due now").getByRole("listitem").first()).toBeVisible();
  await expectAccessible(page, "overview on a narrow phone");
});

test("a panel that cannot refresh shows the age of its data, leaves other panels alone, and recovers on retry", async ({
  page,
}) => {
  await page.clock.install();
  let isBroken = false;
  await page.route("**/api/*/test/overview/due", (route) =>
    isBroken
      ? route.fulfill({ status: 503, json: { kind: "unavailable", outcome_unknown: false } })
      : route.continue(),
  );
  await openOverview(page);
  isBroken = true;
  await page.clock.fastForward("01:05");
  const due = panel(page, "Due now");
  await page.clock.fastForward("00:05");
  await expect(due.getByText("Showing data from")).toBeVisible();
  await expect(due.getByRole("listitem").first()).toBeVisible();
  await expect(visibleText(page, "Showing data from")).toHaveCount(1);
  await expectAccessible(page, "a stale part");
  // The panel also retries by itself, which must not remove the button under the pointer.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);
  const asked = page.waitForRequest("**/overview/due");
  await due.getByRole("button", { name: "Try again" }).click();
  await asked;
  isBroken = false;
  await page.clock.resume();
  await expect(visibleText(page, "Showing data from")).toHaveCount(0);
});

test("a new seller sees the next setup steps instead of empty panels", async ({ page }) => {
  await openOwnSeller(page, "");
  await expect(visibleText(page, "Get ready to take payments")).toBeVisible();
  await expect(visibleText(page, "No subscriptions yet")).toBeVisible();
  await expect(panel(page, "Due now")).toHaveCount(0);
  await expectAccessible(page, "new seller");
});

test("on a phone a viewer finds customers in the bottom bar and no link to create a subscription", async ({
  page,
}) => {
  await page.setViewportSize(PHONE_VIEWPORT);
  await openOwnSeller(page, "/customers", "viewer");
  await expect(page.getByRole("heading", { name: "Customers", level: 1 })).toBeVisible();
  const foot = page.getByRole("navigation", { name: "Main" });
  await expect(foot.getByRole("link")).toHaveText([
    "Overview",
    "To collect",
    "Subscriptions",
    "Customers",
  ]);
  await expect(foot.getByRole("link", { name: "Customers" })).toHaveAttribute(
    "aria-current",
    "page",
  );
});
