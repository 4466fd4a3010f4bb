import type { Page } from "@playwright/test";
import { openOwnSeller } from "../support/own-seller.ts";
import {
  expectInteractive,
  pageHeading,
  commandPalette,
  pressKeys,
  tabTo,
} from "../support/keyboard.ts";
import { expect, signIn, test } from "../support/seller.ts";
import { expectAccessible, PHONE_VIEWPORT } from "../support/accessibility.ts";

const keyList = (page: Page) => page.getByRole("dialog", { name: "Keyboard shortcuts" });

test("single-key shortcuts work, except in a text field, in a dialog or when they are turned off", async ({
  page,
}) => {
  const { home } = await openOwnSeller(page, "/customers", "viewer");
  const search = page.getByRole("searchbox", { name: "Search customers" });
  await expect(page.getByRole("button", { name: "Search or jump to" })).toBeEnabled();
  await pressKeys(page, "/");
  await expect(search).toBeFocused();
  await page.keyboard.type("gc?x");
  await expect(search).toHaveValue("gc?x");
  await pressKeys(page, "Escape");
  await search.blur();
  // A viewer cannot create.
  await pressKeys(page, "c");
  await pressNepali(page, "ग", "KeyG");
  await pressNepali(page, "स", "KeyS");
  await expect(pageHeading(page, "Subscriptions")).toBeFocused();

  await pressKeys(page, "?");
  await expect(keyList(page)).toBeVisible();
  await expect(keyList(page).getByText("New subscription")).toHaveCount(0);
  await pressKeys(page, "g", "p");
  const single = keyList(page).getByRole("switch", { name: "Single-key shortcuts" });
  await tabTo(page, single);
  await pressKeys(page, "Space");
  await expect(single).not.toBeChecked();
  await expectAccessible(page, "keys");
  await pressKeys(page, "Escape");
  await expect(keyList(page)).toHaveCount(0);
  await expect(pageHeading(page, "Subscriptions")).toBeFocused();
  await pressKeys(page, "?", "g", "p");
  await pressKeys(page, "Control+k");
  await expect(commandPalette(page)).toBeVisible();
  await expect(keyList(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/subscriptions$/);

  await page.goto(`${home}/settings/account`);
  await page.getByRole("switch", { name: "Single-key shortcuts" }).click();
  await expect(page.getByRole("switch", { name: "Single-key shortcuts" })).toBeChecked();
  await pressKeys(page, "g", "s");
  await expect(pageHeading(page, "Subscriptions")).toBeVisible();

  // The focused button is replaced by an equal one, as when a page replaces its skeleton.
  const focused = page.getByRole("main").getByRole("button", { name: "Columns" });
  await expectInteractive(page, focused);
  await focused.focus();
  await page
    .locator("main > div")
    .evaluate((outline) => outline.replaceWith(outline.cloneNode(true)));
  await expect(focused).toBeFocused();
});

/** The events of a Devanagari keyboard. */
async function pressNepali(page: Page, key: string, code: string) {
  await page.evaluate(
    (event) =>
      document.activeElement?.dispatchEvent(
        new KeyboardEvent("keydown", { ...event, bubbles: true, cancelable: true }),
      ),
    { key, code },
  );
}

test("a palette shortcut pressed while a page is loading opens the command palette on that page", async ({
  page,
}) => {
  await openOwnSeller(page, "/customers", "viewer");
  await expect(page.getByRole("button", { name: "Search or jump to" })).toBeEnabled();
  await pressKeys(page, "Control+k");
  await expect(commandPalette(page).getByRole("combobox")).toBeFocused();
  await pressKeys(page, "Escape");
  await expect(commandPalette(page)).toHaveCount(0);
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelector("main h1")?.textContent !== "Subscriptions") return;
      observer.disconnect();
      const press = { key: "k", code: "KeyK", ctrlKey: true, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new KeyboardEvent("keydown", press));
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  await pressKeys(page, "g", "s");
  await expect(page).toHaveURL(/\/subscriptions$/);
  await expect(commandPalette(page).getByRole("combobox")).toBeFocused();
});

test("the command palette finds pages in both languages and a subscription by its link, on desktop and phone", async ({
  page,
}) => {
  await signIn(page);
  const id = (await page.locator("[data-row]").first().getAttribute("data-row")) ?? "";
  await page.getByRole("button", { name: "Search or jump to" }).click();
  const field = commandPalette(page).getByRole("combobox");
  await expect(field).toBeFocused();
  await expect(commandPalette(page).getByRole("group", { name: "Pages" })).toContainText(
    "Overview",
  );
  await expectAccessible(page, "palette");
  await field.fill("subscriptions बक्यौता");
  await expect(commandPalette(page).getByRole("option")).toHaveText(["Due subscriptions"]);
  await expect(commandPalette(page).getByRole("status")).toHaveText("1 result");
  await field.fill("no such thing");
  await expect(commandPalette(page)).toContainText("Nothing found for “no such thing”");
  await expect(commandPalette(page).getByRole("status")).toHaveText("Nothing found");
  await expectAccessible(page, "palette-nothing");
  await pressKeys(page, "Escape");
  await expect(page.getByRole("button", { name: "Search or jump to" })).toBeFocused();

  await page.setViewportSize(PHONE_VIEWPORT);
  await page.getByRole("button", { name: "Search or jump to" }).click();
  await expect(field).toBeFocused();
  await expectAccessible(page, "palette on a phone");
  await field.fill(`http://pay.example/pay/${id}`);
  await commandPalette(page)
    .getByRole("option", { name: /^Open this subscription/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`/subscriptions/${id}$`));
});
