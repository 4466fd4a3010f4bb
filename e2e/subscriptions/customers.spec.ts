import type { Page } from "@playwright/test";
import type { SubscriptionsOf } from "#lib/customers/queries.ts";
import { duebookUrl, expect, expectInClipboard, signIn, test } from "../support/seller.ts";
import { openOwnSeller } from "../support/own-seller.ts";
import { visibleText } from "../support/visible-text.ts";
import { expectAccessible, PHONE_VIEWPORT } from "../support/accessibility.ts";

/**
 * The text above the subscriptions: from the search index, or from the API's newest while the index
 * is filled.
 */
const FOUND = /^(The search index is being filled: .*|\d+ subscriptions?\.)/;
const NARROW = { width: 320, height: 700 };

const rowsOf = (page: Page) => page.getByRole("table", { name: "Customers" }).getByRole("row");
const searchOf = (page: Page) => page.getByRole("searchbox", { name: "Search customers" });

async function openList(page: Page) {
  await signIn(page);
  await page.getByRole("navigation", { name: "Main" }).getByText("Customers").click();
  await expect(page.getByRole("heading", { name: "Customers", level: 1 })).toBeVisible();
  await expect(rowsOf(page).nth(20)).toBeVisible();
}

test("a customer is found by any spelling of name or phone, and contacted from the customer's page", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page);
  await openList(page);
  await expectAccessible(page, "list");
  await page.getByRole("link", { name: "Next", exact: true }).click();
  await expect(page).toHaveURL(/\/customers\?page=2$/);
  await expect(visibleText(page, /^21–40 of \d+$/)).toBeVisible();
  await page.goBack();
  await expect(visibleText(page, /^1–20 of \d+$/)).toBeVisible();

  await searchOf(page).fill("nobody at all");
  // While the index is being filled, the list ignores the search.
  await expect(visibleText(page, "No customer matches")).toBeVisible({ timeout: 40_000 });
  await expectAccessible(page, "nothing found");
  await page.getByRole("button", { name: "Show all" }).click();
  await searchOf(page).fill("KIRAN adhi");
  await expect(rowsOf(page)).toHaveCount(2);
  await searchOf(page).fill("+977 ९८०-००००-०३६");
  await expect(rowsOf(page)).toHaveCount(2);
  await expect(visibleText(page, /^1 customer found\./)).toBeVisible();
  // Buyer data is never in a URL.
  await expect(page).toHaveURL(/\/customers$/);
  await rowsOf(page).nth(1).getByRole("link").click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Kiran Adhikari");
  await page.getByRole("button", { name: "Copy phone" }).click();
  await expectInClipboard(page, "9800000036");
  const ways = page.getByRole("list", { name: "Contact" });
  for (const [name, href] of [
    ["Call", "tel:+9779800000036"],
    ["WhatsApp", "https://wa.me/9779800000036"],
    ["Viber", "viber://chat?number=%2B9779800000036"],
    ["SMS", "sms:+9779800000036"],
    ["Email", "mailto:kiran.adhikari36%40example.com"],
  ] as const)
    await expect(ways.getByRole("link", { name })).toHaveAttribute("href", href);
  await expect(visibleText(page, FOUND)).toBeVisible();
  await expect(
    page.getByRole("link", { name: "New subscription for this customer" }),
  ).toHaveAttribute("href", /\/subscriptions\/new\?customer=\d+$/);
  await expectAccessible(page, "page");

  // Opens one of the customer's subscriptions and goes back.
  await page
    .getByRole("list", { name: "Their subscriptions" })
    .getByRole("link")
    .first()
    .click();
  await expect(page).toHaveURL(/\/subscriptions\/[\w-]+$/);
  await page.getByRole("link", { name: "View customer" }).click();
  await expect(page).toHaveURL(/\/customers\/\d+$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Kiran Adhikari");
  await page.getByRole("link", { name: "Customers" }).last().click();
  await expect(searchOf(page)).toHaveValue("+977 ९८०-००००-०३६");
});

test("on a phone each customer is a card, and the customer's page fits a very long name", async ({
  page,
}) => {
  await openList(page);
  await page.setViewportSize(PHONE_VIEWPORT);
  await expectAccessible(page, "list on a phone");
  await searchOf(page).fill("Shree Pashupati Mahadev Multipurpose Cooperative");
  await page
    .getByRole("cell")
    .getByRole("link", { name: /Upper Bhaktapur/ })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Upper Bhaktapur");
  await expect(visibleText(page, FOUND)).toBeVisible();
  await expectAccessible(page, "page on a phone");
  await page.setViewportSize(NARROW);
  await expectAccessible(page, "page on a narrow phone");
  await page.goBack();
  await expect(rowsOf(page).nth(1)).toBeVisible();
  await expectAccessible(page, "search on a narrow phone");
});

test("a customer's further subscriptions are loaded on request, and a failed load can be retried", async ({
  page,
}) => {
  await openList(page);
  const pages: number[] = [];
  let isBroken = false;
  await page.route("**/api/*/test/customers/*/subscriptions*", async (route) => {
    if (isBroken) return route.fulfill({ status: 429, json: TOO_MANY });
    const number = Number(new URL(route.request().url()).searchParams.get("page") ?? "1");
    pages.push(number);
    const found: SubscriptionsOf = {
      ...INDEXED,
      results: [{ ...SUBSCRIPTION, subscription_id: number === 1 ? "a" : "b" }],
      has_next: number === 1,
    };
    return route.fulfill({ json: found });
  });
  await rowsOf(page).nth(1).getByRole("link").click();
  await expect(visibleText(page, /^2 subscriptions\./)).toBeVisible();
  const rows = page.getByRole("list", { name: "Their subscriptions" }).getByRole("listitem");
  await expect(rows).toHaveCount(1);

  isBroken = true;
  await page.getByRole("button", { name: "Show more" }).click();
  const failure = page.getByRole("main").getByRole("alert");
  await expect(failure).toContainText("Too many requests to the billing service.");
  await expectAccessible(page, "a further page that failed");
  isBroken = false;
  await failure.getByRole("button", { name: "Try again" }).click();
  await expect(rows).toHaveCount(2);
  await expect(
    visibleText(page, "Active: NPR 0.30 with list prices Monthly (2)"),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Show more" })).toHaveCount(0);
  expect(pages).toContain(2);
  const buyer = page.getByRole("region", { name: "From their latest subscription" });
  await expect(buyer).toContainText("012345678");
  await expectAccessible(page, "buyer details");
});

test("while the search index is filling, a customer's page says that only the newest subscriptions are searched", async ({
  page,
}) => {
  await openList(page);
  const absence = { state: "filling", read: 40, total: 120 } as const;
  const found: SubscriptionsOf = {
    ...INDEXED,
    count: 0,
    source: { ...INDEXED.source, kind: "api" },
    absence,
  };
  await page.route("**/api/*/test/customers/*/subscriptions*", (route) =>
    route.fulfill({ json: found }),
  );
  await rowsOf(page).nth(1).getByRole("link").click();
  await expect(
    visibleText(
      page,
      "The search index is being filled: 40 of 120 records so far. Until it is ready, only the newest subscriptions are searched for their phone.",
    ),
  ).toBeVisible();
  await expect(visibleText(page, "No subscription with this phone was found.")).toBeVisible();
  await expectAccessible(page, "while the index is filled");
});

test("a page of the customer list that cannot be read shows the error and recovers", async ({
  page,
}) => {
  let isBroken = true;
  const recovered = Promise.withResolvers<void>();
  let isHeld = false;
  await page.route("**/api/*/test/customers?page=2", async (route) => {
    if (isHeld) await recovered.promise;
    await (isBroken ? route.fulfill({ status: 503, json: UNAVAILABLE }) : route.continue());
  });
  await openList(page);
  await page.getByRole("link", { name: "Next", exact: true }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText(
    "The billing service cannot be reached.",
  );
  isHeld = true;
  await page.waitForRequest("**/api/*/test/customers?page=2");
  await expectAccessible(page, "failure, while it is tried again");
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  isBroken = false;
  recovered.resolve();
  await expect(visibleText(page, /^21–40 of \d+$/)).toBeVisible();
  await page.goto(`${duebookUrl()}/customers?page=999`);
  await expect(visibleText(page, "There is no page 999")).toBeVisible();
  await page.getByRole("link", { name: "Go to page 1" }).click();
  await expect(visibleText(page, /^1–20 of \d+$/)).toBeVisible();
  await page.goto(page.url().replace(/customers.*/, "customers/987654321"));
  await expect(visibleText(page, "Not found.")).toBeVisible();
});

test("an empty customer list explains how customers are added, and shows a viewer no button to create one", async ({
  page,
}) => {
  await openOwnSeller(page, "/customers", "viewer");
  await expect(visibleText(page, "No customers yet")).toBeVisible();
  await expect(page.getByRole("link", { name: /New/ })).toHaveCount(0);
  await expectAccessible(page, "no customers");
});

const UNAVAILABLE = { kind: "unavailable", outcome_unknown: false };
/** A failure whose retry delay is longer than the test, so that nothing is refetched. */
const TOO_MANY = { kind: "rate_limited", retry_after: 600 };

const INDEXED: SubscriptionsOf = {
  results: [],
  count: 2,
  is_capped: false,
  has_next: false,
  is_near: false,
  source: { kind: "index", as_of: "2026-11-01T00:00:00Z", age_s: 0 },
  absence: null,
};

const SUBSCRIPTION: SubscriptionsOf["results"][number] = {
  subscription_id: "a",
  status: "active",
  is_active: true,
  client: {
    phone: "9800000036",
    full_name: "सरस्वती Rai-Maharjan",
    email: "saraswati@example.com",
    address: "Jhamsikhel, Lalitpur",
    billing: {
      business_name: "Rai Traders",
      email: "accounts@example.com",
      address: "Jhamsikhel",
      pan_vat: "012345678",
    },
    shipping: null,
  },
  product: {
    product_id: "p",
    name: "Fresh Milk at the Door",
    plan_name: "One litre",
    pbp_id: "pbp",
    label: "Monthly",
    price: "0.15",
    currency: "NPR",
  },
  current_period_start: "2026-11-01T00:00:00Z",
  current_period_end: "2026-12-01T00:00:00Z",
  next_billing_cycle: "2026-12-01T00:00:00Z",
  created_at: "2026-11-01T00:00:00Z",
};
