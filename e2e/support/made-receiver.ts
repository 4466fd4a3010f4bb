import type { Page } from "@playwright/test";
import { expectAtWork } from "./press.ts";
import { seenText } from "./seen.ts";
import { expect } from "./seller.ts";

/** Also where another journey registered it for the same seller. Leaves the page where it was registered. */
export async function registerReceiver(page: Page, home: string) {
  await page.goto(`${home}/settings/webhooks/deliveries/received`);
  const press = page.getByRole("button", {
    name: /^(Register all events here|Check the registrations)$/,
  });
  await expectAtWork(page, press);
  await press.click();
  await expect(seenText(page, /^All events come here now/)).toBeVisible();
}
