import type { Page } from "@playwright/test";
import { expectInteractive } from "./keyboard.ts";
import { visibleText } from "./visible-text.ts";
import { expect } from "./seller.ts";

/** Also where another journey registered it for the same seller. Leaves the page where it was registered. */
export async function registerEndpoint(page: Page, home: string) {
  await page.goto(`${home}/settings/webhooks/deliveries/received`);
  const press = page.getByRole("button", {
    name: /^(Register all events here|Check the registrations)$/,
  });
  await expectInteractive(page, press);
  await press.click();
  await expect(visibleText(page, /^All events come here now/)).toBeVisible();
}
