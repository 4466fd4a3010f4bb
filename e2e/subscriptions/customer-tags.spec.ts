import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, signIn, test } from "../support/seller.ts";
import { visibleText } from "../support/visible-text.ts";
import { expectAccessible, PHONE_VIEWPORT } from "../support/accessibility.ts";

const searchOf = (page: Page) => page.getByRole("searchbox", { name: "Search customers" });
const rowsOf = (page: Page) => page.getByRole("table", { name: "Customers" }).getByRole("row");
const card = (page: Page) => page.getByRole("region", { name: "Tags and notes" });

async function openCustomer(page: Page, name: string) {
  await searchOf(page).fill(name);
  await expect(rowsOf(page)).toHaveCount(2, { timeout: 40_000 });
  await rowsOf(page).nth(1).getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
}

test("a customer with a tag and a note is found by both, in lists and in the exported file", async ({
  page,
}) => {
  await signIn(page);
  await page.getByRole("navigation", { name: "Main" }).getByText("Customers").click();
  await openCustomer(page, "Kiran Adhikari");

  const field = card(page).getByRole("combobox", { name: "Add a tag" });
  await field.fill("Pays late");
  await field.press("Enter");
  const tags = card(page).getByRole("list", { name: "Tags" });
  await expect(tags.getByRole("link", { name: "Pays late" })).toBeVisible();
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("");
  await card(page).getByRole("textbox", { name: "New note" }).fill("Ask for the blue zeppelin");
  await card(page).getByRole("button", { name: "Save note" }).click();
  await expect(card(page).getByRole("list", { name: "Notes" })).toContainText("zeppelin");
  await expectAccessible(page, "record");
  await page.setViewportSize(PHONE_VIEWPORT);
  await expectAccessible(page, "record on a phone");
  await page.setViewportSize({ width: 1440, height: 900 });

  await tags.getByRole("link", { name: "Pays late" }).click();
  await expect(page).toHaveURL(/\/customers\?tag=Pays\+late$/);
  await searchOf(page).fill("zeppel");
  await expect(rowsOf(page)).toHaveCount(2);
  await expect(rowsOf(page).nth(1)).toContainText("Pays late");
  await page.getByRole("button", { name: "Export" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: /CSV/ }).click();
  const file = await readFile(await (await download).path(), "utf8");
  expect(file).toContain("Pays late,Ask for the blue zeppelin");
  await page.getByRole("link", { name: /Tag: Pays late/ }).click();
  await expect(page).toHaveURL(/\/customers$/);

  await page.getByRole("navigation", { name: "Main" }).getByText("Subscriptions").click();
  const line = page.getByRole("searchbox", { name: "Search subscriptions" });
  await line.fill('tag:"PAYS LATE"');
  await line.press("Enter");
  await expect(page).toHaveURL(/tag=PAYS\+LATE/);
  const found = page.getByRole("table", { name: "Subscriptions" }).getByRole("row");
  await expect(found).toHaveCount(3);
  await page.getByRole("checkbox", { name: "Select this page" }).check();
  const bar = page.getByRole("region", { name: "Selected subscriptions" });
  await bar.getByRole("button", { name: "Tags" }).click();
  const dialog = page.getByRole("dialog");
  const tag = dialog.getByRole("combobox", { name: "Tag" });
  await tag.fill("vip");
  await tag.press("Enter");
  await expectAccessible(page, "tags of selected buyers");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog).toBeHidden();
  await found.nth(1).getByRole("link").first().click();
  await expect(page.getByRole("main").getByRole("link", { name: "vip" })).toBeVisible();

  await page.getByRole("navigation", { name: "Main" }).getByText("Customers").click();
  await page.getByRole("button", { name: "Tags" }).click();
  await dialog.getByRole("button", { name: "Rename “vip”" }).click();
  await dialog.getByRole("textbox", { name: "Rename “vip”" }).fill("pays LATE");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("listitem")).toHaveCount(1);
  await expectAccessible(page, "tags");
  await dialog.getByRole("button", { name: "Delete “Pays late”" }).click();
  await expect(dialog.getByText("1 customer loses this tag.")).toBeVisible();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(visibleText(page, /^There are no tags yet/)).toBeVisible();
});

test("after a tag is removed by keyboard, the next tag's button is focused, or the text field if no tag is left", async ({
  page,
}) => {
  await signIn(page);
  await page.getByRole("navigation", { name: "Main" }).getByText("Customers").click();
  await openCustomer(page, "Kiran Adhikari");
  const field = card(page).getByRole("combobox", { name: "Add a tag" });
  const names = ["First of two", "Second of two"];
  for (const name of names) {
    await field.fill(name);
    await field.press("Enter");
    await expect(card(page).getByRole("link", { name })).toBeVisible();
  }
  const removeOf = (name: string) =>
    card(page).getByRole("button", { name: `Remove the tag “${name}”` });
  await removeOf("First of two").press("Enter");
  await expect(removeOf("First of two")).toHaveCount(0);
  await expect(removeOf("Second of two")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(removeOf("Second of two")).toHaveCount(0);
  await expect(field).toBeFocused();
});
