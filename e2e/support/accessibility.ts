import { basename, resolve } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { test, type Page } from "@playwright/test";
import { ROOT } from "#scripts/process/settings.ts";
import { expect } from "./seller.ts";

export const PHONE_VIEWPORT = { width: 390, height: 844 };

/**
 * Expects no axe violations in light and dark, and no horizontal scrolling. Saves screenshots to the folder
 * PICTURES if it is set.
 */
export async function expectAccessible(page: Page, name: string) {
  await expect(page.locator(".skeleton")).toHaveCount(0);
  // The title is empty for a moment between two pages.
  await expect(page).toHaveTitle(/./);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Only colours are checked again, because the colour scheme affects nothing else.
    await expectNoViolations(page, name, colorScheme === "dark" ? ["color-contrast"] : []);
    await takePicture(page, `${name}-${colorScheme}`);
  }
  await expectNoOverflow(page, name);
}

/** @param rules the rules of axe to check; all if empty */
export async function expectNoViolations(page: Page, name: string, rules: string[] = []) {
  // Legacy mode runs in the page itself; the default opens another page each time.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  // Without this option axe also reports every passing element.
  axe.options({ resultTypes: ["violations"] });
  if (rules.length > 0) axe.withRules(rules);
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => [name, id, nodes[0]?.html])).toEqual([]);
}

/** Expects no horizontal scrolling. */
export async function expectNoOverflow(page: Page, name: string) {
  // Polls, because scripts adapt to a new width a moment later.
  await expect
    .poll(
      () =>
        page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
      name,
    )
    .toBe(0);
}

async function takePicture(page: Page, name: string) {
  const folder = process.env["PICTURES"];
  if (!folder) return;
  const journey = basename(test.info().file, ".spec.ts");
  const width = page.viewportSize()?.width ?? 0;
  const file = `${journey}-${name}-${width}.png`.replace(/[^\w.-]+/g, "-");
  await page.screenshot({ path: resolve(ROOT, folder, file) });
}
