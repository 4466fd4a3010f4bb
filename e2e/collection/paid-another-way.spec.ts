import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessibility.ts";
import { openBusiness, sellTo } from "../support/message-gateway.ts";
import { expect, test } from "../support/seller.ts";
import { visibleText } from "../support/visible-text.ts";

const card = (page: Page) => page.getByRole("region", { name: "Paid another way" });
const dialog = (page: Page) => page.getByRole("dialog");

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function recordCash(page: Page) {
  await card(page).getByRole("button", { name: "Record a payment" }).click();
  await expect(dialog(page).getByLabel("Amount owed")).toHaveValue(/1,200\.00/);
  await dialog(page)
    .getByLabel(/^Reference/)
    .fill("Book 12, page 4");
  await dialog(page)
    .getByLabel(/^Photo of the receipt/)
    .setInputFiles({ name: "receipt.png", mimeType: "image/png", buffer: PIXEL });
  await dialog(page)
    .getByRole("button", { name: /^Record NPR/ })
    .click();
}

test("cash is recorded at the record, taken back, and listed with who did it", async ({
  page,
  buyer,
}) => {
  const { home } = await openBusiness(page);
  await sellTo(page, home, buyer);
  await recordCash(page);
  await expect(visibleText(page, "Paid. The subscription is active.")).toBeVisible();
  const paid = card(page).getByRole("list", { name: "Payments" });
  await expect(paid).toContainText("Cash");
  await expect(paid).toContainText("Book 12, page 4");
  await expect(paid).toContainText("Recorded by Asha Gurung");
  const [photo] = await Promise.all([
    page.context().waitForEvent("page"),
    paid.getByRole("link", { name: "Photo of the receipt" }).click(),
  ]);
  expect((await page.request.get(photo.url())).headers()["content-type"]).toBe("image/png");
  await photo.close();
  await expectAccessible(page, "a payment made another way");
  const record = page.url();

  await page.goto(`${home}/payments`);
  await expect(visibleText(page, "Recorded by Asha Gurung").first()).toBeVisible();

  await page.goto(record);
  await card(page).getByRole("button", { name: "Take back" }).click();
  await dialog(page).getByRole("button", { name: "Take back" }).click();
  await expect(dialog(page).getByText("This field is required.")).toBeVisible();
  await dialog(page).getByLabel("Why").fill("The note was false.");
  await dialog(page).getByRole("button", { name: "Take back" }).click();
  await expect(card(page)).toContainText("Taken back by Asha Gurung: The note was false.");
  await expect(visibleText(page, "Paid. The subscription is active.")).toBeVisible();
});
