import { visibleText } from "../support/visible-text.ts";
import { duebookUrl, expect, expectInClipboard, signIn, test } from "../support/seller.ts";
import { expectAccessible, PHONE_VIEWPORT } from "../support/accessibility.ts";

test("a product is found and opened, and its billing period links to the form for a new subscription", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page);
  await page.getByRole("navigation").getByRole("link", { name: "Products" }).click();
  const rows = page.getByRole("table", { name: "Products" }).getByRole("row");
  await expect(rows.nth(3)).toBeVisible();

  const search = page.getByRole("searchbox", { name: "Search products" });
  await search.fill("तरकारी");
  await expect(page).toHaveURL(/\/products\?q=/);
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("काठमाडौँ");
  await expectAccessible(page, "list");
  await page.reload();
  await expect(search).toHaveValue("तरकारी");
  await search.fill("nothing like it");
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(rows.nth(3)).toBeVisible();
  await search.fill("FRÉSH milk");
  await expect(rows).toHaveCount(2);
  await rows.nth(1).getByRole("link").click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fresh Milk at the Door");
  const period = page.getByRole("listitem").filter({ hasText: "Monthly" }).first();
  await expect(period).toContainText("To pay today");
  await period.getByRole("button", { name: "Copy pbp_id" }).click();
  const pbp_id = await period.locator("code").innerText();
  await expectInClipboard(page, pbp_id);
  await expectAccessible(page, "page");

  await page.setViewportSize(PHONE_VIEWPORT);
  await expectAccessible(page, "page on a phone");
  await page.goto(`${duebookUrl()}/products?q=internet`);
  await expect(rows.nth(1)).toBeVisible();
  await expectAccessible(page, "list on a phone");
  await page.goBack();

  await period.getByRole("link", { name: /^New subscription/ }).click();
  await expect(page).toHaveURL(new RegExp(`\\?pbp_id=${pbp_id}$`));
  await expect(page.getByRole("radio", { name: /^Monthly/ })).toBeChecked();

  await page.goto(page.url().replace(/subscriptions\/new.*/, "products/of-nobody"));
  await expect(visibleText(page, "This product is not in the list")).toBeVisible();
});
