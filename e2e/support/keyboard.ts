import { expect, type Locator, type Page } from "@playwright/test";

export const pageHeading = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { name, level: 1 });
export const commandPalette = (page: Page) =>
  page.getByRole("dialog", { name: "Search or jump to" });

export async function pressKeys(page: Page, ...keys: string[]) {
  for (const key of keys) await page.keyboard.press(key);
}

/** Waits until the control is enabled and not part of an inert skeleton. */
export async function expectInteractive(page: Page, target: Locator) {
  // Buttons that explain why they are disabled can still take the focus.
  await expect(target.and(page.locator(":not(:disabled, [inert] *)"))).toBeVisible();
}

/** @returns how often Tab was pressed */
export async function tabTo(page: Page, target: Locator): Promise<number> {
  await expectInteractive(page, target);
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return presses;
    await page.keyboard.press("Tab");
  }
  throw new Error("the control cannot be reached by Tab");
}
