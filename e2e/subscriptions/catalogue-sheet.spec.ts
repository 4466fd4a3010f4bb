import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { writeXlsx } from "hucre/xlsx";
import { expectAccessible } from "../support/accessibility.ts";
import { tabTo } from "../support/keyboard.ts";
import { createPerson } from "../support/person.ts";
import { duebookUrl, expect, fillBuyer, test } from "../support/seller.ts";
import { openPageAs } from "../support/session.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";

const HEADINGS = "Product,Plan,Billing period,Price,Interval";

/** Opens a business with an account of its own; leaves the page at the import. */
async function openImport(page: Page): Promise<string> {
  const owner = await createPerson("Maya Tamang");
  await openPageAs(page, owner, `${duebookUrl()}/welcome`);
  await visibleField(page, "Name", { exact: true }).fill("Phewa Curd");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(visibleText(page, "Get ready to take payments")).toBeVisible();
  const home = page.url();
  await page.goto(`${home}/products`);
  await page.getByRole("link", { name: "Import or export" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Import and export");
  return home;
}

const checkButton = (page: Page) => page.getByRole("button", { name: "Check", exact: true });
const applyButton = (page: Page) => page.getByRole("button", { name: /^Change \d/ });
const fileField = (page: Page) => visibleField(page, "File", { exact: true });
const group = (page: Page, name: RegExp) => page.getByRole("region", { name });

async function paste(page: Page, ...rows: string[]) {
  await page.getByRole("textbox", { name: /paste rows/ }).fill([HEADINGS, ...rows].join("\n"));
  await checkButton(page).click();
}

async function choose(page: Page, name: string, content: string | Buffer) {
  await fileField(page).setInputFiles({
    name,
    mimeType: "application/octet-stream",
    buffer: Buffer.from(content),
  });
  await checkButton(page).click();
}

async function importAnother(page: Page) {
  await page.getByRole("button", { name: "Other file" }).click();
}

async function exported(page: Page, link: string): Promise<Buffer> {
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: link }).click();
  return readFile(await (await download).path());
}

test("product rows are checked, refused with reasons and applied, and the same rows then change nothing", async ({
  page,
}) => {
  const home = await openImport(page);
  await expectAccessible(page, "import");
  const rows = [
    "Milk,One litre,Monthly,1200,month",
    "Milk,One litre,Yearly,13000,year",
    "काठमाडौँ तरकारी ४ किलो,,,450.50,week",
    "Curd,,,0,month",
    "Ghee,,,-1,month",
    "Tea,,,1e30,month",
    "Rice,,,9.999,month",
    "Rice,,,5,fortnight",
    "Rice,,,=1+4,month",
    "Milk,One litre,Monthly,1300,month",
  ];
  await paste(page, ...rows);
  await expect(page.getByRole("heading", { name: "Result of the check" })).toBeFocused();
  const refused = group(page, /^Refused/).getByRole("listitem");
  await expect(refused).toHaveText([
    /^Row 5.*The amount must be more than 0/,
    /^Row 6.*The amount cannot be negative/,
    /^Row 7.*digits only/,
    /^Row 8.*at most two decimals/,
    /^Row 9.*Interval: “fortnight” is not known/,
    /^Row 10.*Price has a formula/,
    /^Row 11.*Row 2 is about the same billing period/,
  ]);
  await expect(group(page, /^Added/).getByRole("listitem")).toHaveCount(3);
  await expectAccessible(page, "checked");

  await tabTo(page, applyButton(page));
  await page.keyboard.press("Enter");
  await expect(visibleText(page, "2 products were changed.")).toBeVisible();
  await expectAccessible(page, "applied");
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(group(page, /^Unchanged 3/)).toBeVisible();
  await expect(applyButton(page)).toHaveCount(0);
  await page.goto(`${home}/products`);
  await expect(page.getByRole("table")).toContainText("काठमाडौँ तरकारी ४ किलो");
  await expect(page.getByRole("table")).toContainText("NPR 1,200.00");
});

test("importing an unchanged export changes nothing, and an imported price applies only to new subscribers", async ({
  page,
  buyer,
}) => {
  const home = await openImport(page);
  await paste(page, "=Milk,One litre,Monthly,1200,month");
  await expect(group(page, /^Refused/)).toContainText("Product has a formula");
  await importAnother(page);
  await paste(page, "'=Milk,One litre,Monthly,1200,month");
  await applyButton(page).click();
  await page.getByRole("link", { name: "Go to products" }).click();
  await page.getByRole("table").getByRole("link", { name: "=Milk" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("=Milk");
  const product = page.url();
  await page.getByRole("link", { name: /^New subscription: / }).click();
  await fillBuyer(page, buyer);
  await page.getByRole("button", { name: "Create and get the link" }).click();
  const link = await page.getByRole("textbox", { name: "Checkout link" }).inputValue();

  await page.goto(`${home}/products/import`);
  const csv = (await exported(page, "Download CSV")).toString("utf8");
  expect(csv).toContain(`"'=Milk",One litre,Monthly,1200.00,NPR`);
  const workbook = await exported(page, "Download Excel file");
  for (const [name, content] of [
    ["products.csv", csv],
    ["semicolons.csv", csv.replaceAll(",", ";")],
    ["products.xlsx", workbook],
  ] as const) {
    await choose(page, name, content);
    await expect(visibleText(page, "Nothing to change")).toBeVisible();
    await importAnother(page);
  }

  const raised = csv.replace("1200.00", "1350");
  await choose(page, "products.csv", raised);
  await expect(group(page, /^Changed/)).toContainText(
    "Price: NPR 1,200.00 → NPR 1,350.00. Subscribers keep NPR 1,200.00.",
  );
  await applyButton(page).click();
  await expect(visibleText(page, "1 product was changed.")).toBeVisible();
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(visibleText(page, "Nothing to change")).toBeVisible();
  await page.goto(product);
  await expect(page.getByRole("listitem").filter({ hasText: "To pay today" })).toContainText(
    "NPR 1,350.00",
  );
  await page.goto(link);
  await expect(visibleText(page, "NPR 1,200.00").first()).toBeVisible();
});

test("a file that is not a table of products is refused with a message", async ({ page }) => {
  await openImport(page);
  await checkButton(page).click();
  await expect(fileField(page)).toHaveAccessibleDescription(/Choose a file or paste rows/);
  await choose(page, "large.csv", Buffer.alloc(10 * 1024 * 1024, "a"));
  await expect(fileField(page)).toHaveAccessibleDescription(/larger than 2 MB/);
  const many = Array.from({ length: 2_001 }, (_, at) => `Milk ${at},5`).join("\n");
  const formula = await writeXlsx({
    sheets: [
      {
        name: "Products",
        rows: [["Product", "Price"], ["Milk"]],
        cells: new Map([["1,1", { formula: "1+2" }]]),
      },
    ],
  });
  for (const [name, content, words] of [
    ["a.pdf", "%PDF-1.7\n%\u0000", "not a readable spreadsheet"],
    ["a.xls", Buffer.from("d0cf11e0a1b11ae1", "hex"), "old Excel file or has a password"],
    ["a.csv", "Name,Amount\nMilk,5", "no column Product, Price"],
    ["a.csv", "Product,Price,Price\nMilk,5,6", "more than one column Price"],
    ["a.csv", `Product,Price\n${many}`, "more than 2,000 rows"],
    ["a.csv", " \n ", "no rows"],
  ] as const) {
    await choose(page, name, content);
    await expect(visibleText(page, words)).toBeVisible();
  }
  await choose(page, "a.xlsx", Buffer.from(formula));
  await expect(group(page, /^Refused/)).toContainText("Price has a formula");
  await importAnother(page);
  await choose(page, "a.csv", Buffer.from("Product;Price;Colour\nCaf\xe9;5;white", "latin1"));
  await expect(group(page, /^Added/)).toContainText("Café");
  await expect(visibleText(page, /not saved as UTF-8/)).toBeVisible();
  await expect(visibleText(page, "Columns that are not read: Colour")).toBeVisible();
});

test("an import does not overwrite a product that a colleague changed after the check, and applies other rows", async ({
  page,
  context,
}) => {
  const home = await openImport(page);
  await paste(page, "Milk,,,100,month", "Curd,,,100,month");
  await applyButton(page).click();
  await expect(visibleText(page, "2 products were changed.")).toBeVisible();
  await importAnother(page);
  await paste(page, "Milk,,,150,month", "Curd,,,150,month");
  await expect(applyButton(page)).toHaveText("Change 2 products");

  const other = await context.newPage();
  await other.goto(`${home}/products`);
  await other.getByRole("table").getByRole("link", { name: "Curd" }).click();
  await other.getByRole("link", { name: "Edit" }).click();
  await visibleField(other, /^Price/).fill("200");
  await other.getByRole("button", { name: "Save changes" }).click();
  await expect(other.getByRole("listitem").filter({ hasText: "To pay today" })).toContainText(
    "NPR 200.00",
  );
  await other.close();

  await applyButton(page).click();
  await expect(visibleText(page, "1 product was changed.")).toBeVisible();
  await expect(page.getByRole("alert").filter({ hasText: "Curd" })).toHaveText(
    /1 product was not changed:Curd: It was changed after the check. Nothing was overwritten/,
  );
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(group(page, /^Changed/)).toContainText("Price: NPR 200.00 → NPR 150.00");
});

test("an import whose connection breaks says how many products were changed, and continues", async ({
  page,
}) => {
  await openImport(page);
  await paste(page, "Milk,,,100,month", "Curd,,,100,month", "Ghee,,,100,month");
  let calls = 0;
  await page.route("**/products/import", (route) => {
    if (route.request().method() === "POST") calls += 1;
    return calls === 2 ? route.abort("connectionreset") : route.continue();
  });
  await applyButton(page).click();
  await expect(visibleText(page, "1 product was changed so far. 2 are left.")).toBeVisible();
  await expectAccessible(page, "stopped");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(visibleText(page, "3 products were changed.")).toBeVisible();
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(visibleText(page, "Nothing to change")).toBeVisible();
});
