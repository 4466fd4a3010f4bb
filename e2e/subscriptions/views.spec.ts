import type { Page } from "@playwright/test";
import { callActionByName, actionOutcomeOf, signInForCookies } from "../support/intruder.ts";
import { createSubscription } from "../support/subscription-fixture.ts";
import { openOwnSeller } from "../support/own-seller.ts";
import { addMember, createPerson, openBrowserOf } from "../support/person.ts";
import { pageHeading, commandPalette, pressKeys, tabTo } from "../support/keyboard.ts";
import { visibleText } from "../support/visible-text.ts";
import { duebookUrl, expect, signIn, test } from "../support/seller.ts";
import { openPageAs } from "../support/session.ts";
import { waitForIndex } from "../support/wait-for-index.ts";
import {
  expectNoOverflow,
  expectAccessible,
  PHONE_VIEWPORT,
} from "../support/accessibility.ts";

const rows = (page: Page) => page.locator("[data-row]").filter({ visible: true });
const field = (page: Page) => page.getByRole("searchbox", { name: "Search subscriptions" });
const side = (page: Page) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("list", { name: "Saved views" });
const viewMenu = (page: Page) => page.getByRole("menu", { name: "Saved views" });
/** Adds a colleague to the demonstration, whose own views no other test sees. */
async function joinDemonstration(page: Page, theirs: Page): Promise<string> {
  await signIn(page);
  const [, seller = ""] = new URL(page.url()).pathname.split("/");
  const person = await createPerson("Bina Gurung");
  await addMember(person, seller, "support");
  const list = `${duebookUrl()}/${seller}/test/subscriptions`;
  await openPageAs(theirs, person, `${list}?status=pending_checkout`);
  return list;
}

test("a list is saved as a view, whose count is shown on every page, and opens with its search text", async ({
  page,
  browser,
  shop,
  buyer,
}) => {
  const theirs = await openBrowserOf(browser);
  await theirs.clock.install();
  const list = await joinDemonstration(page, theirs);
  await field(theirs).fill(buyer.phone);
  await expect(visibleText(theirs, "No subscription matches")).toBeVisible();
  // The search text is kept while the page is open.
  await theirs.clock.fastForward("06:00");
  await saveAs(theirs, "Asha waits");
  await expect(side(theirs).getByRole("link", { name: "Asha waits 0" })).toBeVisible();
  await expect(side(theirs).getByRole("link")).toHaveAttribute("aria-current", "true");

  await createSubscription(page, buyer, shop.returnUrl);
  await waitForIndex(page, buyer.phone);
  const link = side(theirs).getByRole("link", { name: "Asha waits 1" });
  await expect(async () => {
    await theirs.clock.fastForward("00:31");
    await expect(link).toBeVisible({ timeout: 5_000 });
  }).toPass();

  // The search text is not in the URL, but is restored.
  const address = (await link.getAttribute("href")) ?? "";
  expect(address).not.toContain(buyer.phone);
  await theirs.goto(`${duebookUrl()}${address}`);
  await expect(field(theirs)).toHaveValue(buyer.phone);
  await expect(rows(theirs)).toHaveCount(1);
  await theirs.goto(`${list.replace("subscriptions", "customers")}`);
  await expect(pageHeading(theirs, "Customers")).toBeVisible();
  await side(theirs).getByRole("link").click();
  await expect(rows(theirs)).toContainText([buyer.full_name]);
  await expect(theirs.getByRole("button", { name: "View: Asha waits" })).toBeVisible();

  await theirs.getByRole("columnheader", { name: "List price" }).getByRole("link").click();
  const changed = theirs.getByRole("group", { name: /^“Asha waits” has unsaved changes/ });
  await changed.getByRole("button", { name: "Update view" }).click();
  await expect(visibleText(theirs, "“Asha waits” was updated.")).toBeVisible();
  await expect(changed).toHaveCount(0);
  await theirs.goto(list);
  await theirs.getByRole("button", { name: "Search or jump to" }).click();
  await commandPalette(theirs).getByRole("combobox").fill("asha waits");
  const entry = commandPalette(theirs).getByRole("option", { name: /^Asha waits/ });
  await expect(entry).toHaveAttribute("data-highlighted");
  await pressKeys(theirs, "Enter");
  await expect(theirs).toHaveURL(/sort=price/);
  await expect(field(theirs)).toHaveValue(buyer.phone);
  await expect(rows(theirs)).toHaveCount(1);
  await theirs.setViewportSize(PHONE_VIEWPORT);
  await theirs.getByRole("button", { name: "View: Asha waits" }).click();
  await expect(viewMenu(theirs).getByRole("menuitem", { name: /^Asha waits/ })).toBeVisible();
  await expectAccessible(theirs, "menu");
  await theirs.context().close();
});

async function chooseFromMenu(page: Page, button: string, entry: string) {
  await tabTo(page, page.getByRole("button", { name: button }));
  await pressKeys(page, "Enter");
  await viewMenu(page).getByRole("menuitem", { name: entry }).press("Enter");
}

/** Saves the list as a view, by keyboard alone. */
async function saveAs(page: Page, name: string) {
  await chooseFromMenu(page, "Views", "Save this list as a view");
  const dialog = page.getByRole("dialog", { name: "Save as a view" });
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.type(name);
  await pressKeys(page, "Enter");
  await expect(visibleText(page, `“${name}” is saved.`)).toBeVisible();
}

test("saved views are named, ordered, shared, removed and restored by keyboard alone", async ({
  page,
  browser,
}) => {
  const { seller, home } = await openOwnSeller(page, "/subscriptions?status=due&sort=price");
  await saveAs(page, "Owed");
  await page.goto(`${home}/subscriptions?status=active`);
  await saveAs(page, "Good");
  await page.goto(`${home}/subscriptions?plan=Gold`);
  await chooseFromMenu(page, "Views", "Save this list as a view");
  const dialog = page.getByRole("dialog", { name: "Save as a view" });
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("owed");
  await pressKeys(page, "Enter");
  await expect(dialog.getByRole("alert")).toContainText(
    "A view with this name already exists.",
  );
  await pressKeys(page, "Control+a");
  await page.keyboard.type("Gold");
  await pressKeys(page, "Enter");
  await expect(side(page).getByRole("link")).toHaveText([/^Owed/, /^Good/, /^Gold/]);

  await chooseFromMenu(page, "View: Gold", "All views");
  await expect(pageHeading(page, "Saved views")).toBeFocused();
  const tool = (name: string) => page.getByRole("main").getByRole("button", { name });
  await tabTo(page, tool("Rename “Owed”"));
  await pressKeys(page, "Enter");
  await expect(page.getByRole("textbox", { name: "Name of “Owed”" })).toBeFocused();
  await page.keyboard.type("Owed, dear");
  await pressKeys(page, "Enter");
  await expect(tool("Rename “Owed, dear”")).toBeFocused();
  await tabTo(page, tool("Move “Good” up"));
  await pressKeys(page, "Enter");
  await expect(
    page.getByRole("status").filter({ hasText: "“Good” is number 1 of 3 now." }),
  ).toHaveCount(1);
  await expect(side(page).getByRole("link")).toHaveText([/^Good/, /^Owed, dear/, /^Gold/]);
  await tabTo(page, tool("Share “Owed, dear” with the team"));
  await pressKeys(page, "Enter");
  await expect(visibleText(page, "“Owed, dear” is now shared with the team.")).toBeVisible();
  await expect(side(page).getByRole("link")).toHaveText([/^Good/, /^Gold/, /^Owed, dear/]);
  await expectAccessible(page, "views");
  await page.setViewportSize(PHONE_VIEWPORT);
  await expectAccessible(page, "views");
  await page.setViewportSize({ width: 1440, height: 900 });

  const theirs = await openBrowserOf(browser);
  const viewer = await createPerson("Bina Gurung");
  await addMember(viewer, seller, "viewer");
  await openPageAs(theirs, viewer, `${home}/subscriptions/views`);
  await expect(side(theirs).getByRole("link")).toHaveText([/^Owed, dear/]);
  await expect(
    visibleText(theirs, "Status: Due · Sort by: List price, ascending"),
  ).toBeVisible();
  await expect(theirs.getByRole("main").getByRole("button")).toHaveCount(0);
  const id = await rows(theirs).getAttribute("data-row");
  const scope = { seller, mode: "test" };
  const cookie = await signInForCookies(viewer);
  const tried = await callActionByName("removeViewAction", seller, [scope, { id }], { cookie });
  expect(actionOutcomeOf(tried)).toBe("forbidden");

  await tabTo(page, tool("Remove “Owed, dear”"));
  await pressKeys(page, "Enter");
  await expect(side(page).getByRole("link")).toHaveText([/^Good/, /^Gold/]);
  await theirs.reload();
  await expect(visibleText(theirs, "No view is saved yet")).toBeVisible();
  await expectNoOverflow(theirs, "none");
  const removal = page.getByRole("group").filter({ hasText: "“Owed, dear” is removed." });
  await tabTo(page, removal.getByRole("button", { name: "Undo" }));
  await pressKeys(page, "Enter");
  await expect(side(page).getByRole("link")).toHaveText([/^Good/, /^Gold/, /^Owed, dear/]);
  await theirs.reload();
  await side(theirs).getByRole("link").click();
  await expect(theirs).toHaveURL(/\/subscriptions\?status=due&sort=price$/);
  await theirs.context().close();

  await page.goto(`${home}/settings/audit-log`);
  await expect(visibleText(page, "Removed a shared view")).toBeVisible();
  await expect(visibleText(page, "Shared a view with the team")).toBeVisible();
  await expect(visibleText(page, /Owed, dear/)).toHaveCount(1);
});
