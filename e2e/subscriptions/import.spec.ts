import type { Page } from "@playwright/test";
import {
  expectAccessible,
  expectNoOverflow,
  PHONE_VIEWPORT,
} from "../support/accessibility.ts";
import { pageHeading, tabTo } from "../support/keyboard.ts";
import { type Buyer, expect, signIn, test } from "../support/seller.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";

const main = (page: Page) => page.getByRole("main");
const rows = (page: Page) =>
  main(page).getByRole("list", { name: "Rows" }).getByRole("listitem");
const row = (page: Page, number: number) =>
  rows(page).filter({ hasText: new RegExp(`^Row ${number}\\D`) });
const button = (page: Page, name: string) => main(page).getByRole("button", { name });

async function openImports(page: Page) {
  await signIn(page);
  await main(page).getByRole("link", { name: "Import", exact: true }).click();
  await expect(pageHeading(page, "Import buyers")).toBeVisible();
}

const fileOf = ({ phone, email }: Buyer, ...others: string[]) =>
  [
    "नाम;मोबाइल;इमेल;ठेगाना;Product;Plan;भुक्तानी मिति",
    `आशा राई;${phone};${email};Patan;Fresh Milk at the Door;One litre Monthly;`,
    ...others,
  ].join("\r\n");

test("an imported file is checked, and a row corrected by keyboard is found to repeat another row", async ({
  page,
  buyer,
}) => {
  await openImports(page);
  await expectAccessible(page, "imports");
  const text = fileOf(
    buyer,
    "Bimal;=1;bimal@example.com;=2;Fresh Milk at the Door;One litre Monthly;=3",
    `Chandra;${buyer.phone.slice(0, 7)};c@example.com;Patan;Unknown;;soon`,
  );
  await main(page)
    .locator("[type=file]")
    .setInputFiles({
      name: "ग्राहक.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(`\ufeff${text}`, "utf16le"),
    });
  await button(page, "Read the rows").click();
  await expect(pageHeading(page, "ग्राहक.csv")).toBeVisible();
  await expect(visibleField(page, "मोबाइल")).toHaveValue("phone");
  await expect(visibleField(page, "भुक्तानी मिति")).toHaveValue("paid_until");
  await expectAccessible(page, "columns of an import");
  await button(page, "Check the rows").click();
  await expect(main(page)).toContainText("1 subscription would be made of 3 rows");
  await expect(row(page, 2)).toContainText("New");
  await expect(row(page, 3)).toContainText("A cell has a formula");
  await expect(row(page, 4)).toContainText("not a valid phone number");
  await expect(row(page, 4)).toContainText("No product on sale has this name");
  await expect(row(page, 4)).toContainText("This is not a date");
  await expectAccessible(page, "a checked import");

  await tabTo(page, button(page, "Edit row 3"));
  await page.keyboard.press("Enter");
  const form = main(page).getByRole("form", { name: "Edit row 3" });
  await expect(form.getByRole("textbox", { name: "Name" })).toBeFocused();
  await expectAccessible(page, "a row being mended");
  await page.keyboard.press("Tab");
  await page.keyboard.type(buyer.phone);
  await page.keyboard.press("Enter");
  await expect(row(page, 3)).toContainText("Edited");
  // The other formula is not taken for an empty cell.
  await expect(row(page, 3)).toContainText("A cell has a formula");
  await expect(button(page, "Edit row 3")).toBeFocused();
  await page.keyboard.press("Enter");
  await form.getByRole("textbox", { name: "Address" }).fill("Patan");
  await expect(form.getByRole("checkbox", { name: "Leave “Phone” empty" })).toHaveCount(0);
  await form.getByRole("checkbox", { name: "Leave “Paid until” empty" }).check();
  await page.keyboard.press("Enter");
  await expect(row(page, 3)).toContainText("Same buyer and product as row 2");
  await expect(button(page, "Edit row 3")).toBeFocused();
  await button(page, "Leave out row 2").click();
  await expect(row(page, 3)).toContainText("New");
  await expect(main(page)).toContainText("1 subscription would be made of 3 rows");

  await main(page)
    .getByRole("link", { name: /^Left out/ })
    .click();
  await expect(rows(page)).toHaveCount(1);
  await page.setViewportSize(PHONE_VIEWPORT);
  await expectNoOverflow(page, "an import on a phone");
  await button(page, "Delete import").click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete import" }).click();
  await expect(pageHeading(page, "Import buyers")).toBeVisible();
  await expect(main(page).getByRole("link", { name: "ग्राहक.csv" })).toHaveCount(0);
});

test("an imported file that is not a table is refused with a message", async ({ page }) => {
  await openImports(page);
  await button(page, "Read the rows").click();
  await expect(visibleText(page, "Choose a file or paste rows.")).toBeVisible();
  await main(page)
    .locator("[type=file]")
    .setInputFiles({ name: "a.pdf", mimeType: "text/csv", buffer: Buffer.from("%PDF\0") });
  await button(page, "Read the rows").click();
  await expect(main(page).getByRole("alert")).toContainText("cannot be read as a spreadsheet");
});

test("pasted rows without headings get their columns by hand", async ({ page, buyer }) => {
  await openImports(page);
  await visibleField(page, "Or paste rows").fill(
    `Deepa\t${buyer.phone}\nElina\t${buyer.email}`,
  );
  await button(page, "Read the rows").click();
  await expect(pageHeading(page, "Pasted rows")).toBeVisible();
  await expect(visibleField(page, "First row")).toHaveValue("no");
  await visibleField(page, "Column 2").selectOption("");
  await button(page, "Check the rows").click();
  await expect(main(page).getByRole("alert")).toContainText("Choose the column for: Phone.");
  await visibleField(page, "Column 2").selectOption("Phone");
  const product = visibleField(page, "Product and price");
  const milk = product.getByRole("option", { name: /^Fresh Milk.*Monthly/ }).first();
  await product.selectOption(await milk.getAttribute("value"));
  await visibleField(page, "Email").fill(buyer.email);
  await visibleField(page, "Address").fill("Patan");
  await button(page, "Check the rows").click();
  await expect(row(page, 1)).toContainText("New");
  await expect(row(page, 2)).toContainText("not a valid phone number");
});
