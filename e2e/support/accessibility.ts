import { basename, resolve } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { test, type Page } from "@playwright/test";
import { ROOT } from "#scripts/process/settings.ts";
import { expect } from "./seller.ts";

export const PHONE = { width: 390, height: 844 };

/**
 * Nothing that axe finds, light and dark, and nothing that has to be scrolled sideways.
 * With PICTURES, a folder, it leaves a picture of each there.
 */
export async function expectAccessible(page: Page, name: string) {
  await expect(page.locator(".skeleton")).toHaveCount(0);
  // The page that is left takes its title along before the next one brings its own.
  await expect(page).toHaveTitle(/./);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // The scheme changes nothing but the colours.
    await expectNoViolations(page, name, colorScheme === "dark" ? ["color-contrast"] : []);
    await takePicture(page, `${name}-${colorScheme}`);
  }
  await expectNoOverflow(page, name);
}

/** @param rules axe's, when not all are asked for */
export async function expectNoViolations(page: Page, name: string, rules: string[] = []) {
  // In the page itself: no frame holds another document, and the other way opens a page each time.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  // Of what is in order it would otherwise describe every element, and send it all here.
  axe.options({ resultTypes: ["violations"] });
  if (rules.length > 0) axe.withRules(rules);
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => [name, id, nodes[0]?.html])).toEqual([]);
}

/** Nothing that has to be scrolled sideways. */
export async function expectNoOverflow(page: Page, name: string) {
  // What follows a change of the width by script comes a moment after it.
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
