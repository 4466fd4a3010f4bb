import type { Page } from "@playwright/test";
import { expectInteractive } from "./keyboard.ts";
import { visibleText } from "./visible-text.ts";
import { expect } from "./seller.ts";

/** Registers Duebook's endpoint, even if another test has done so. Leaves the page there. */
export async function registerEndpoint(page: Page, home: string) {
  await page.goto(`${home}/settings/webhooks/deliveries/received`);
  const press = page.getByRole("button", {
    name: /^(Register all events|Check registration)$/,
  });
  await expectInteractive(page, press);
  await press.click();
  await expect(visibleText(page, /^All events are registered/)).toBeVisible();
}
