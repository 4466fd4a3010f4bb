import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import type { ProductCatalogue } from "#lib/products/queries.ts";
import {
  actionOutcomeOf,
  callActionByName,
  cookiesOf,
  sendRequest,
} from "../support/intruder.ts";
import { openOwnSeller, sellHoney, type OwnSeller } from "../support/own-seller.ts";
import { addMember, createPerson } from "../support/person.ts";
import { pressKeys, tabTo } from "../support/keyboard.ts";
import { visibleText } from "../support/visible-text.ts";
import { openPageAs } from "../support/session.ts";
import {
  expect,
  payForShownSubscription,
  signIn,
  test,
  type Buyer,
} from "../support/seller.ts";
import {
  expectNoOverflow,
  expectAccessible,
  PHONE_VIEWPORT,
} from "../support/accessibility.ts";

const NARROW = { width: 320, height: 700 };

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** Opens the reports once they have these figures: an open page reads them again each minute only. */
async function openReports(page: Page, home: string, figures: [Locator, ...string[]][]) {
  await expect(async () => {
    await page.goto(`${home}/reports`);
    for (const [place, ...texts] of figures)
      for (const text of texts) await expect(place).toContainText(text, { timeout: 10_000 });
  }).toPass();
}

/** Creates a subscription in the dashboard, and leaves the page at it. */
async function subscribe(page: Page, own: OwnSeller, client: Buyer, return_url: string) {
  const { seller, home } = own;
  const cookie = await cookiesOf(page.context());
  const answer = await sendRequest(`/api/${seller}/test/products/catalogue`, { cookie });
  const { products } = (await answer.json()) as ProductCatalogue;
  const pbp_id = products[0]?.plan[0]?.billing_periods[0]?.pbp_id;
  const input = { pbp_id, return_url, client };
  const made = await callActionByName(
    "createSubscriptionAction",
    seller,
    [{ seller, mode: "test" }, input],
    {
      cookie,
    },
  );
  if (typeof made === "number" || !made.ok)
    throw new Error(`the subscription was not created: ${JSON.stringify(made)}`);
  const { subscription_id } = made.value as { subscription_id: string };
  await page.goto(`${home}/subscriptions/${subscription_id}?created=1`);
  return subscription_id;
}

test("reports change with payments and cancellations, and link to the subscriptions and files behind them", async ({
  page,
  request,
  shop,
  buyer,
}) => {
  const own = await openOwnSeller(page, "/reports");
  await expect(visibleText(page, "No data yet")).toBeVisible({ timeout: 40_000 });
  await expectAccessible(page, "nothing to count");
  await sellHoney(own.seller);
  const id = await subscribe(page, own, buyer, shop.returnUrl);
  await payForShownSubscription(page, request);

  await openReports(page, own.home, [
    [card(page, "Collected"), "NPR 12,000.00", "NPR 238.80", "NPR 11,761.20"],
    [card(page, "Recurring revenue"), "NPR 1,000.00"],
    [card(page, "Checkouts"), "1 created", "100 % paid."],
    [card(page, "By product and plan"), "Honey"],
  ]);
  await expectAccessible(page, "figures");

  const chart = card(page, "Subscriptions over time").getByRole("application");
  await tabTo(page, chart);
  const said = card(page, "Subscriptions over time").getByRole("status");
  await pressKeys(page, "ArrowLeft");
  await expect(said).toHaveText(/Active: .*, Due: .*, Ending: /);
  const before = await said.textContent();
  await pressKeys(page, "ArrowRight");
  await expect(said).not.toHaveText(before ?? "");

  await card(page, "Owed today").getByText("Table", { exact: true }).click();
  const owed = card(page, "Owed today").getByRole("table");
  await expect(owed.getByRole("row")).toHaveCount(5);

  const loading = page.waitForEvent("download");
  await card(page, "Collected").getByRole("link", { name: "CSV of Collected" }).click();
  const file = await (await loading).path();
  expect(await readFile(file, "utf8")).toContain("11761.20");

  await card(page, "Recurring revenue").getByRole("cell").getByRole("link").first().click();
  await expect(page).toHaveURL(/\/subscriptions\?/);
  await expect(page.locator("[data-row]").filter({ visible: true })).toHaveCount(1);

  const cookie = await cookiesOf(page.context());
  const scope = { seller: own.seller, mode: "test" };
  const cancelled = await callActionByName(
    "cancelSubscriptionAction",
    own.seller,
    [scope, { subscription_id: id }],
    { cookie },
  );
  expect(actionOutcomeOf(cancelled)).toBe("ok");
  const states = card(page, "Recurring revenue").getByRole("row", { name: /^Ending/ });
  await openReports(page, own.home, [[states, "NPR 1,000.00"]]);

  await page.setViewportSize(PHONE_VIEWPORT);
  await expectAccessible(page, "figures on a phone");
  await page.setViewportSize(NARROW);
  await expectNoOverflow(page, "figures on a narrow phone");
});

test("the demonstration's reports are filtered by period and product, and opened by keyboard", async ({
  page,
}) => {
  await signIn(page);
  await expect(page.getByRole("button", { name: "Search or jump to" })).toBeEnabled();
  await pressKeys(page, "g", "f");
  await expect(page.getByRole("heading", { name: "Reports", level: 1 })).toBeVisible();
  await expect(card(page, "Owed today").getByRole("application")).toBeVisible({
    timeout: 40_000,
  });
  await page.getByRole("link", { name: "90 days" }).click();
  await expect(page).toHaveURL(/\/reports\?from=[\d-]+&to=[\d-]+$/);
  await page.getByRole("button", { name: "Filter" }).click();
  const dialog = page.getByRole("dialog", { name: "Filter" });
  await dialog.getByLabel("Product").selectOption({ label: "Fresh Milk at the Door" });
  await expectAccessible(page, "choosing");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/&product=Fresh\+Milk\+at\+the\+Door$/);
  await expect(visibleText(page, "Only Fresh Milk at the Door.")).toBeVisible();
  const plans = card(page, "By product and plan");
  await expect(plans).toContainText("Fresh Milk at the Door");
  await expect(plans.getByRole("rowheader").filter({ hasNotText: "Fresh Milk" })).toHaveCount(
    0,
  );
  await page.getByRole("main").getByRole("link", { name: "Show all" }).click();
  await expect(visibleText(page, "Only Fresh Milk at the Door.")).toHaveCount(0);
});

test("a report that fails to load can be retried, and the other reports stay shown", async ({
  page,
}) => {
  let isBroken = true;
  const broken = { kind: "unavailable", outcome_unknown: false };
  await page.route("**/api/*/test/reports/owed?*", (route) =>
    isBroken ? route.fulfill({ status: 503, json: broken }) : route.continue(),
  );
  await signIn(page);
  const [, seller = ""] = new URL(page.url()).pathname.split("/");
  await page.goto(new URL(`/${seller}/test/reports`, page.url()).href);
  await expect(card(page, "Owed today").getByRole("application")).toBeVisible({
    timeout: 40_000,
  });
  await page.getByRole("link", { name: "12 months" }).click();
  const again = card(page, "Owed today").getByRole("button", { name: "Try again" });
  await expect(again).toBeVisible();
  await expect(card(page, "Collected")).toContainText("NPR");
  isBroken = false;
  await again.click();
  await expect(again).toBeHidden();
});

test("a support member has no link to reports, and an admin has a link", async ({ page }) => {
  const { seller, home } = await openOwnSeller(page, "", "support");
  const navigation = page.getByRole("navigation", { name: "Main" });
  await expect(navigation.getByRole("link", { name: "Products" })).toBeVisible();
  await expect(navigation.getByRole("link", { name: "Reports" })).toHaveCount(0);
  const admin = await createPerson("Mina Lama");
  await addMember(admin, seller, "admin");
  await openPageAs(page, admin, home);
  await expect(navigation.getByRole("link", { name: "Reports" })).toBeVisible();
});
