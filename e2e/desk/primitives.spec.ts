import type { Page } from "@playwright/test";
import { expectInteractive } from "../support/keyboard.ts";
import { duebookUrl, expect, signIn, test } from "../support/seller.ts";
import { expectAccessible, PHONE_VIEWPORT } from "../support/accessibility.ts";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const messages = (page: Page) => page.getByRole("region", { name: "Notifications" });

async function hideStatusColumn(page: Page) {
  await button(page, "Columns").click();
  const dialog = page.getByRole("dialog", { name: "Columns" });
  await dialog.getByRole("checkbox", { name: "Status" }).uncheck();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
}

test("a toast shows the result of a change, stays while the pointer is on it, and offers undo", async ({
  page,
}) => {
  await page.clock.install();
  await signIn(page);
  const status = page.getByRole("columnheader", { name: "Status" });
  await expect(status).toBeVisible();
  await hideStatusColumn(page);
  await expect(status).toBeHidden();
  const saved = messages(page).getByText("The columns are saved.");
  await saved.hover();
  await page.clock.fastForward("00:30");
  await expect(saved).toBeVisible();
  await expectAccessible(page, "message");

  await page.keyboard.press("F6");
  await expect(messages(page)).toBeFocused();
  await button(page, "Undo").press("Enter");
  await expect(status).toBeVisible();
  await expect(saved).toBeHidden();
});

test("a menu works by keyboard, returns the focus to its button, and closes when the button is clicked again", async ({
  page,
}) => {
  await signIn(page);
  const opener = button(page, /^Business:/);
  const entries = page.getByRole("menu", { name: "Your businesses" }).getByRole("menuitem");
  // Waits for the button, because a key press, unlike a click, does not.
  await expect(opener).toBeEnabled();
  await opener.press("ArrowDown");
  await expect(entries.first()).toBeFocused();
  await page.keyboard.press("End");
  await expect(entries.last()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(entries.first()).toBeFocused();
  await page.keyboard.type("new");
  await expect(entries.last()).toBeFocused();
  await expectAccessible(page, "menu");
  await page.keyboard.press("Escape");
  await expect(entries).toHaveCount(0);
  await expect(opener).toBeFocused();

  await opener.press("Enter");
  await expect(entries.first()).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(entries).toHaveCount(0);
  await expect(button(page, "Search or jump to")).toBeFocused();

  await opener.click();
  await expect(entries.first()).toBeVisible();
  await opener.click();
  await expect(entries).toHaveCount(0);
  await opener.click();
  await expect(entries.first()).toBeVisible();
  await page.mouse.click(1430, 880);
  await expect(entries).toHaveCount(0);
});

test("on a phone a dialog is a bottom sheet that traps the focus and returns the focus to its button", async ({
  page,
}) => {
  await page.setViewportSize(PHONE_VIEWPORT);
  await signIn(page);
  await expectInteractive(page, button(page, "Columns"));
  await button(page, "Columns").press("Enter");
  const sheet = page.getByRole("dialog", { name: "Columns" });
  await expect
    .poll(async () => {
      const box = await sheet.boundingBox();
      return box && [box.x, box.width, box.y + box.height];
    })
    .toEqual([0, PHONE_VIEWPORT.width, PHONE_VIEWPORT.height]);
  await expectAccessible(page, "sheet");
  const close = sheet.getByRole("button", { name: "Close" });
  await close.focus();
  await page.keyboard.press("Shift+Tab");
  await expect(sheet.getByRole("button", { name: "Save" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(close).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(button(page, "Columns")).toBeFocused();

  await page.getByRole("banner").getByRole("button").last().click();
  await expect(page.getByRole("menuitem", { name: "Sign out" })).toBeVisible();
  await expectAccessible(page, "menu on a phone");
});

test("in forced-colours mode selected links and rows and open dialogs keep a border", async ({
  page,
}) => {
  await signIn(page);
  await page.emulateMedia({ forcedColors: "active" });
  const outlineOf = (name: string) =>
    page
      .getByRole("main")
      .getByRole("link", { name })
      .first()
      .evaluate((link) => getComputedStyle(link).outlineStyle);
  expect(await outlineOf("All")).toBe("solid");
  expect(await outlineOf("Due")).toBe("none");
  const create = page.getByRole("main").getByRole("link", { name: "New subscription" });
  await expect(create.first()).toHaveCSS("border-top-width", "1px");
  const row = page.locator("main tr[data-row]").filter({ visible: true }).first();
  const box = row.getByRole("checkbox");
  await expectInteractive(page, box);
  await expect(row).toHaveCSS("outline-style", "none");
  await box.check();
  await expect(row).toHaveCSS("outline-style", "solid");
  await button(page, "Columns").click();
  const dialog = page.getByRole("dialog", { name: "Columns" });
  await expect(dialog).toHaveCSS("border-top-style", "solid");
});

test("in a window of 400 px height or less no element is sticky", async ({ page }) => {
  await signIn(page);
  const stuck = () =>
    page
      .getByRole("main")
      .evaluate(() =>
        [...document.body.querySelectorAll<HTMLElement>("*")]
          .filter((one) => one.checkVisibility() && getComputedStyle(one).position === "sticky")
          .map((one) => one.className),
      );
  for (const [width, height] of [
    [1280, 400],
    [740, 360],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const path of ["/subscriptions", "/collection", "/subscriptions/new"]) {
      await page.goto(`${duebookUrl()}${path}`);
      await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
      expect(await stuck(), `${path} at ${width} by ${height}`).toEqual([]);
    }
  }
});
