import type { Page } from "@playwright/test";
import { addMember, createPerson, openBrowserOf } from "../support/person.ts";
import { openPageAs } from "../support/session.ts";
import { holdScripts, visibleField, visibleText } from "../support/visible-text.ts";
import { commandPalette } from "../support/keyboard.ts";
import { duebookUrl, expect, fillNewSubscription, signIn, test } from "../support/seller.ts";
import { expectNoOverflow, expectAccessible } from "../support/accessibility.ts";

// Runs its tests in parallel, so that no worker is left with this file at the end of a run.
test.describe.configure({ mode: "parallel" });

test.beforeEach(async ({ page }) => signIn(page));

test("the filter and page number of the list are in the URL, and going back restores them", async ({
  page,
}) => {
  await page.getByRole("link", { name: /^Due(?!book)/ }).click();
  await expect(page).toHaveURL(/\?status=due$/);
  await expect(page.getByRole("row").nth(1)).toContainText("Due");
  await page.getByRole("link", { name: /^All/ }).click();
  await expect(page).toHaveURL(/\/subscriptions$/);
  await expect(visibleText(page, /^1–20 of/)).toBeVisible();
  await page.getByRole("link", { name: "Next", exact: true }).click();
  await expect(page).toHaveURL(/\?page=2$/);
  await expect(visibleText(page, /^21–40 of/)).toBeVisible();
  await page.goBack();
  await expect(visibleText(page, /^1–20 of/)).toBeVisible();
  await page.reload();
  await expect(visibleText(page, /^1–20 of/)).toBeVisible();
});

test("columns are chosen and ordered by keyboard, and apply in every browser of the same person", async ({
  page,
  browser,
}) => {
  const headers = (one: Page) =>
    one.getByRole("table", { name: "Subscriptions" }).getByRole("columnheader");
  const usual = [
    "Buyer",
    "Phone",
    "Product",
    "List price",
    "Status",
    "Next billing",
    "Created",
  ];
  const chosen = ["Buyer", "Phone", "Status", "Product", "List price", "Next billing"];
  const namesOf = async (one: Page) => (await headers(one).allInnerTexts()).filter(Boolean);
  await expect.poll(() => namesOf(page)).toEqual(usual);

  await page.getByRole("button", { name: "Columns" }).click();
  const dialog = page.getByRole("dialog", { name: "Columns" });
  await dialog.getByRole("button", { name: "Move Status up" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await dialog.getByRole("checkbox", { name: "Created" }).focus();
  await page.keyboard.press("Space");
  await expectAccessible(page, "columns");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => namesOf(page)).toEqual(chosen);

  const other = await openBrowserOf(browser, { viewport: { width: 1440, height: 900 } });
  await signIn(other);
  await expect.poll(() => namesOf(other)).toEqual(chosen);
  await other.context().close();

  await page.getByRole("button", { name: "Columns" }).click();
  await dialog.getByRole("button", { name: "Reset" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => namesOf(page)).toEqual(usual);
});

test("a row of the list opens the subscription's page, and Ctrl-click opens it in a new tab", async ({
  page,
  context,
}) => {
  const row = page.getByRole("table", { name: "Subscriptions" }).getByRole("row").nth(1);
  await expect(row.locator('a[href^="tel:"]:visible')).toHaveAttribute("href", /^tel:\+?\d+$/);
  // Forced, because the click reaches the link that spans the row.
  const opened = context.waitForEvent("page");
  await row
    .getByRole("cell")
    .nth(3)
    .click({ modifiers: ["ControlOrMeta"], force: true });
  const tab = await opened;
  // Polled, because Playwright can attach to a new tab after its load, for which toHaveURL would wait.
  await expect.poll(() => tab.url()).toMatch(/\/subscriptions\/[0-9a-f-]{36}$/);
  await expect(page).toHaveURL(/\/subscriptions$/);
  await row.getByRole("cell").nth(3).click({ force: true });
  await expect(page).toHaveURL(/\/subscriptions\/[0-9a-f-]{36}$/);
});

test("a subscription opens over the list without loading a page, and closing it leaves the list unchanged", async ({
  page,
}) => {
  await page.goto(`${duebookUrl()}/subscriptions?page=2`);
  await expect(page.locator("[data-keys=ready]")).toBeAttached();
  const ofPages: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest() || "rsc" in request.headers())
      ofPages.push(request.url());
  });
  const rows = page.getByRole("table", { name: "Subscriptions" }).locator("a[data-row-link]");
  const name = (await rows.nth(17).textContent()) ?? "";
  await rows.nth(17).click();
  const heading = page.getByRole("heading", { level: 1, name });
  await expect(heading).toBeFocused();
  await expect(page).toHaveURL(/\/subscriptions\/[0-9a-f-]{36}$/);
  await expect(page).toHaveTitle(/^Subscription · /);
  await expect(page.getByRole("region", { name: "History" })).toBeVisible();
  await page.goBack();
  await expect(rows.nth(17)).toBeFocused();
  await expect(rows.nth(17)).toBeInViewport();
  await expect(page).toHaveTitle(/^Subscriptions · /);
  await expect(page).toHaveURL(/\?page=2$/);
  await page.goForward();
  await expect(heading).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(rows.nth(17)).toBeFocused();
  expect(ofPages).toEqual([]);

  await test.step("going back from another page shows the subscription's own page, and going back again the list", async () => {
    await page.goBack();
    await expect(heading).toBeFocused();
    await page.goto(`${duebookUrl()}/customers`);
    await page.goBack();
    await expect(heading).toBeVisible();
    await page.goBack();
    await expect(visibleText(page, /^21–40 of/)).toBeVisible();
  });
});

test("a subscription whose texts cannot be loaded shows an error, and can be retried", async ({
  browser,
}) => {
  // Another browser, because the failure is in its console.
  const page = await openBrowserOf(browser);
  await signIn(page);
  await expect(page.locator("[data-keys=ready]")).toBeAttached();
  await page.route(/\/api\/words\?.*record/, (route) => route.abort());
  const row = page
    .getByRole("table", { name: "Subscriptions" })
    .locator("a[data-row-link]")
    .first();
  const name = (await row.textContent()) ?? "";
  await row.click();
  const again = page.getByRole("button", { name: "Try again" });
  await expect(again).toBeVisible();
  await page.unrouteAll();
  await expect(async () => {
    if (await again.isVisible()) await again.click({ timeout: 2_000 });
    await expect(page.getByRole("group", { name: "Actions" })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await page.context().close();
});

test("going back from a subscription opened over the list shows the list, even after a change of language", async ({
  page,
  browser,
}) => {
  const person = await createPerson("Prakash Rai");
  const [, seller = ""] = new URL(page.url()).pathname.split("/");
  await addMember(person, seller, "viewer");
  const other = await openBrowserOf(browser);
  await openPageAs(other, person, page.url());
  const row = other.locator("main a[data-row-link]").first();
  const name = (await row.textContent()) ?? "";
  await expect(other.locator("[data-keys=ready]")).toBeAttached();
  await row.click();
  await expect(other.getByRole("heading", { level: 1, name })).toBeFocused();
  await other.keyboard.press("ControlOrMeta+k");
  await commandPalette(other).getByRole("combobox").fill("नेपाली");
  await other.getByRole("option", { name: "Switch to नेपाली" }).click();
  await expect(other.locator("html")).toHaveAttribute("lang", "ne");
  await other.goBack();
  await expect(row).toBeVisible();
  await other.context().close();
});

test("a page number beyond the last page shows a message and a link to the first page", async ({
  page,
}) => {
  await page.goto(`${duebookUrl()}/subscriptions?page=9999`);
  await page.getByRole("link", { name: /first page|page 1/i }).click();
  await expect(visibleText(page, /^1–20 of/)).toBeVisible();
});

test("missing or invalid input is reported at its field, and typed text is kept", async ({
  page,
  shop,
  buyer,
}) => {
  await page.goto(`${duebookUrl()}/subscriptions/new`);
  await fillNewSubscription(
    page,
    { ...buyer, phone: "12", email: "nowhere" },
    "not an address",
  );
  await page.getByRole("button", { name: "Create and get the link" }).click();
  await expect(visibleField(page, "Phone")).toHaveAttribute("aria-invalid", "true");
  await expect(visibleField(page, "Email")).toHaveAttribute("aria-invalid", "true");
  await expect(visibleField(page, "Page after payment")).toHaveAttribute(
    "aria-invalid",
    "true",
  );
  await expect(visibleField(page, "Full name")).toHaveValue(buyer.full_name);

  await visibleField(page, "Phone").fill(buyer.phone);
  await visibleField(page, "Email").fill(buyer.email);
  await visibleField(page, "Page after payment").fill(shop.returnUrl);
  await page.getByRole("button", { name: "Create and get the link" }).dblclick();
  await expect(visibleText(page, "Waiting for payment")).toBeVisible();
});

test("a button pressed before hydration opens its menu after hydration", async ({ page }) => {
  const list = page.url();
  const loadScripts = await holdScripts(page);
  await page.goto(list, { waitUntil: "commit" });
  await expect(visibleText(page, /^1–20 of/)).toBeVisible();
  const views = page.getByRole("button", { name: "Views" });
  await expect(views).toBeDisabled();
  await views.click({ force: true });
  loadScripts();
  await expect(page.getByRole("menuitem", { name: "All views" })).toBeVisible();
});

test("text typed into the search field before hydration is kept and searched for", async ({
  page,
}) => {
  const list = page.url();
  const loadScripts = await holdScripts(page);
  await page.goto(list, { waitUntil: "commit" });
  await expect(visibleText(page, /^1–20 of/)).toBeVisible();
  const search = page.getByRole("searchbox", { name: "Search subscriptions" });
  await search.fill("nobody at");
  loadScripts();
  await expect(visibleText(page, "No subscription matches")).toBeVisible();
  await page.keyboard.type(" all");
  await expect(search).toHaveValue("nobody at all");
});

test("text typed into the form before hydration is kept", async ({ page, buyer }) => {
  const loadScripts = await holdScripts(page);
  await page.goto(`${duebookUrl()}/subscriptions/new`, { waitUntil: "commit" });
  await visibleField(page, "Product").selectOption({ label: "Fresh Milk at the Door" });
  await visibleField(page, "Phone").fill(buyer.phone);
  loadScripts();
  await page.getByRole("radio", { name: /^One litre/ }).check();
  await expect(visibleField(page, "Phone")).toHaveValue(buyer.phone);
  await page.getByRole("button", { name: "Create and get the link" }).click();
  await expect(visibleField(page, "Full name")).toHaveAttribute("aria-invalid", "true");
  await expect(visibleField(page, "Phone")).not.toHaveAttribute("aria-invalid", "true");
});

for (const width of [1440, 768, 390])
  test(`the main pages are accessible at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    const records = page.locator('main table a[href*="/subscriptions/"]');
    const record = await records.first().getAttribute("href");
    for (const [name, path] of [
      ["overview", "/"],
      ["list", "/subscriptions"],
      ["due", "/subscriptions?status=due"],
      ["new", "/subscriptions/new"],
      ["record", record ?? ""],
    ] as const) {
      await page.goto(`${duebookUrl()}${path}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      // A button is faded until its page is interactive.
      await expect(page.locator("button:disabled")).toHaveCount(0);
      // Between these widths only positions change.
      if (width === 768) await expectNoOverflow(page, name);
      else await expectAccessible(page, name);
    }
  });
