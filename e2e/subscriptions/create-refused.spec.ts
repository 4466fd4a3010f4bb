import { openOwnSeller, sellHoney, runOwnServiceAdmin } from "../support/own-seller.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";
import { duebookUrl, expect, productSearch, test } from "../support/seller.ts";
import { expectAccessible } from "../support/accessibility.ts";

const CREATE = "Create and get the link";

test("tabbing through an empty form shows no errors, and submitting the empty form names each missing field", async ({
  page,
  buyer,
}) => {
  const own = await openOwnSeller(page, "/products");
  await sellHoney(own.seller);
  await page.goto(`${own.home}/subscriptions/new`);
  await expect(page.getByRole("button", { name: CREATE })).toBeEnabled();
  await expect(visibleField(page, "Page after payment")).toHaveValue(
    new RegExp(`^${duebookUrl()}/returned/[0-9a-f]{64}$`),
  );
  await visibleField(page, "Phone").focus();
  for (const label of ["Full name", "Email", "Address"]) {
    await page.keyboard.press("Tab");
    await expect(visibleField(page, label, { exact: true })).toBeFocused();
  }
  await page.keyboard.press("Tab");
  await expect(visibleText(page, /^Enter the (?!phone first)/)).toHaveCount(0);
  await page.getByRole("button", { name: CREATE }).click();
  for (const [label, words] of [
    ["Phone", "Enter the buyer's phone."],
    ["Full name", "Enter the buyer's full name."],
    ["Email", "Enter the buyer's email."],
    ["Address", "Enter the buyer's address."],
  ] as const) {
    await expect(visibleField(page, label, { exact: true })).toHaveAccessibleDescription(
      new RegExp(words),
    );
    await expect(page.getByRole("main").getByRole("alert")).toContainText(words);
  }
  await expectAccessible(page, "empty form refused");

  // Takes the account's usage type away, which a user cannot do here.
  const account = ["set-seller", "--seller", `Account of ${own.seller}`, "--api-usage-type"];
  await runOwnServiceAdmin(...account, "none");
  await productSearch(page).fill("honey");
  await page.getByRole("option", { name: /^Honey/ }).click();
  await page.getByRole("radio", { name: /^Yearly/ }).check();
  for (const [label, text] of [
    ["Phone", buyer.phone],
    ["Full name", buyer.full_name],
    ["Email", buyer.email],
    ["Address", buyer.address],
  ] as const)
    await visibleField(page, label, { exact: true }).fill(text);
  await page.getByRole("button", { name: CREATE }).click();
  const alert = page.getByRole("main").getByRole("alert");
  await expect(alert).toContainText("cannot create subscriptions yet");
  await expect(alert).toContainText("--api-usage-type payment");
  await expectAccessible(page, "no usage kind");
  await runOwnServiceAdmin(...account, "payment");
  await page.getByRole("button", { name: CREATE }).click();
  await expect(visibleText(page, "Waiting for payment")).toBeVisible();
});
