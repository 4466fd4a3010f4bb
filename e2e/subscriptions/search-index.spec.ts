import { openOwnSeller } from "../support/own-seller.ts";
import { visibleText } from "../support/visible-text.ts";
import { expect, test } from "../support/seller.ts";
import { expectNoOverflow, expectNoViolations } from "../support/accessibility.ts";

test("the search index fills completely, can be synced again, and the page names the receiver's URL", async ({
  page,
  request,
}) => {
  await openOwnSeller(page, "/settings/connection");
  const card = page.getByRole("region", { name: "Search index" });
  await expect(card.getByText("Complete", { exact: true })).toBeVisible({ timeout: 40_000 });
  await expectNoViolations(page, "the search index");
  await page.setViewportSize({ width: 390, height: 900 });
  await expectNoOverflow(page, "the search index on a phone");
  await page.setViewportSize({ width: 1440, height: 900 });

  await card.getByRole("button", { name: "Sync now" }).click();
  await expect(visibleText(page, "All records are being read again.")).toBeVisible();

  const address = (await card.locator("pre").textContent()) ?? "";
  const body = { event: "checkout.succeeded", subscription_id: "made-up" };
  // Unsigned deliveries are accepted only while no secret is known.
  expect((await request.post(address, { data: body })).status()).not.toBe(404);
  const other = address.replace(/.{8}$/, "00000000");
  expect((await request.post(other, { data: body })).status()).toBe(404);
});
