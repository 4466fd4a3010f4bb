import { expectAccessible } from "../support/accessibility.ts";
import { createPerson, signInAs } from "../support/person.ts";
import { expect, test } from "../support/seller.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";

test("the account's settings are saved with the business, and a later editor is told", async ({
  page,
  context,
}) => {
  await signInAs(page, await createPerson("Asha Gurung"));
  await visibleField(page, "Name").fill("Phewa Dairy");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/test$/);
  const home = page.url();
  await page.goto(`${home}/collection`);
  await expect(visibleText(page, "end 7 days after their billing date")).toBeVisible();
  await page.getByRole("link", { name: "Set grace period" }).click();
  await expect(visibleField(page, "Grace period (days)")).toHaveValue("7");
  await expectAccessible(page, "account settings");

  const other = await context.newPage();
  await other.goto(`${home}/settings/seller`);
  await visibleField(page, "Grace period (days)").fill("91");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(visibleText(page, "Enter a whole number from 0 to 90.")).toBeVisible();
  await visibleField(page, "Grace period (days)").fill("10");
  await visibleField(page, "Use of the API").selectOption({ label: "Reminders and payments" });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(visibleText(page, "Saved", { exact: true })).toBeVisible();
  await visibleField(page, "Name").fill("Phewa Milk");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: /Phewa Milk/ }).first()).toBeVisible();

  await visibleField(other, "Name").fill("Somebody else's name");
  await other.getByRole("button", { name: "Save" }).click();
  await expect(visibleText(other, "Somebody else changed these settings.")).toBeVisible();
  await page.reload();
  await expect(visibleField(page, "Name")).toHaveValue("Phewa Milk");
  await expect(visibleField(page, "Grace period (days)")).toHaveValue("10");
  await expect(visibleField(page, "Use of the API")).toHaveValue("reminder_and_payment");
  await page.goto(`${home}/collection`);
  await expect(visibleText(page, "end 10 days after their billing date")).toBeVisible();
});
