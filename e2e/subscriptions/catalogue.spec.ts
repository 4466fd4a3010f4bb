import type { Page } from "@playwright/test";
import sharp from "sharp";
import { expectAccessible } from "../support/accessibility.ts";
import { createPerson, type Person } from "../support/person.ts";
import { duebookUrl, expect, fillBuyer, test, type Buyer } from "../support/seller.ts";
import { openPageAs } from "../support/session.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";

const nameField = (page: Page) => visibleField(page, "Name", { exact: true });

/** Opens a business with an account of its own; leaves the page at the form of a new product. */
async function openBusiness(page: Page): Promise<{ owner: Person; home: string }> {
  const owner = await createPerson("Maya Tamang");
  await openPageAs(page, owner, `${duebookUrl()}/welcome`);
  await nameField(page).fill("Phewa Curd");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(visibleText(page, "Get ready to take payments")).toBeVisible();
  const home = page.url();
  await page.goto(`${home}/products/new`);
  return { owner, home };
}

async function addCurd(page: Page, price: string) {
  await nameField(page).fill("Curd");
  await visibleField(page, /^Price/).fill(price);
  await page.getByRole("button", { name: "Add product" }).click();
  await expect(visibleText(page, "Curd is on sale.")).toBeVisible();
}

/** Goes from the product's page to the checkout link of a new subscription. */
async function sell(page: Page, buyer: Buyer): Promise<string> {
  await page
    .getByRole("link", { name: /^New subscription: / })
    .first()
    .click();
  await fillBuyer(page, buyer);
  await page.getByRole("button", { name: "Create and get the link" }).click();
  return page.getByRole("textbox", { name: "Checkout link" }).inputValue();
}

async function pay(page: Page, link: string) {
  const checkout = await page.context().newPage();
  await checkout.goto(link);
  await checkout.getByRole("button", { name: "Send me a code" }).click();
  await checkout
    .getByLabel(/One-time code/)
    .fill(await checkout.locator(".sandbox strong").innerText());
  await checkout.getByRole("button", { name: /^Pay NPR/ }).click();
  await checkout.getByRole("button", { name: "Approve" }).click();
  await expect(checkout.getByText("Payment received")).toBeVisible();
  await checkout.close();
}

const REFUSED: [price: string, words: RegExp][] = [
  ["", /Enter an amount/],
  ["0", /more than 0/],
  ["-1", /cannot be negative/],
  ["1e30", /digits only/],
  ["1.234", /at most two decimals/],
  ["1,200", /without commas/],
  ["१२००", /digits 0 to 9/],
];

test("an invalid price is refused with a reason, and a raised price applies to new subscribers until old ones are moved", async ({
  page,
  context,
  buyer,
}) => {
  const { home } = await openBusiness(page);
  await nameField(page).fill("Curd");
  const price = visibleField(page, /^Price/);
  for (const [text, words] of REFUSED) {
    await price.fill(text);
    await page.getByRole("button", { name: "Add product" }).click();
    await expect(price).toHaveAccessibleDescription(words);
    await expect(price).toBeFocused();
  }
  await expectAccessible(page, "refused");
  await addCurd(page, "1000");
  const product = page.url().replace(/\?.*/, "");

  const paidLink = await sell(page, buyer);
  await pay(page, paidLink);
  await page.goto(product);
  const unpaidLink = await sell(page, {
    ...buyer,
    phone: buyer.phone.replace(/^97/, "98"),
    email: `other-${buyer.email}`,
  });

  await page.goto(product);
  await page.getByRole("link", { name: "Edit" }).click();
  await price.fill("1200");
  await expect(
    visibleText(page, "1 subscriber keeps NPR 1,000.00; new ones pay NPR 1,200.00."),
  ).toBeVisible();
  await expectAccessible(page, "edited");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page).toHaveURL(product);
  const monthly = page.getByRole("listitem").filter({ hasText: "To pay today" });
  await expect(monthly).toContainText("NPR 1,200.00");

  const checkout = await context.newPage();
  await checkout.goto(unpaidLink);
  await expect(checkout.getByText("NPR 1,000.00").first()).toBeVisible();
  await checkout.close();

  await page.getByRole("button", { name: "Move to NPR 1,200.00" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Next billing, old priceNPR 1,000.00");
  await expect(dialog).toContainText("Next billing, new priceNPR 1,200.00");
  await expectAccessible(page, "move");
  await dialog.getByRole("button", { name: "Move 1 subscriber" }).click();
  await expect(
    visibleText(page, "1 subscriber pays NPR 1,200.00 from the next billing date."),
  ).toBeVisible();
  // The search index follows the service's changes.
  const tell = page.getByRole("button", { name: "Tell the subscribers" });
  await expect(async () => {
    if (await tell.isVisible()) await tell.click({ timeout: 3_000 });
    await expect(page).toHaveURL(/\/collection\?buyer=/, { timeout: 3_000 });
  }).toPass();
  const text = page.getByRole("textbox", { name: "Message (editable)" });
  // The notice is in Nepali, because the buyer's name is in Devanagari.
  await expect(text).toHaveValue(/NPR १,०००.०० बाट NPR १,२००.०० हुनेछ/);
  await page.getByRole("button", { name: "English" }).click();
  await expect(text).toHaveValue(
    /the price of Curd \(.*\) changes from NPR 1,000.00 to NPR 1,200.00 on \d+ \w+ \d{4}/,
  );
  await expectAccessible(page, "told");
  await page.getByRole("button", { name: /^Open in Viber/ }).click();
  await expect(visibleText(page, "1 message opened")).toBeVisible();
  await page.goto(product);
  await page.getByRole("button", { name: "Undo the move" }).click();
  await expect(page.getByRole("button", { name: "Move to NPR 1,200.00" })).toBeVisible();
  await expectAccessible(page, "product");

  await page.getByRole("button", { name: "Take off sale" }).click();
  await expect(page.getByRole("button", { name: "Put on sale" })).toBeVisible();
  await page.goto(`${home}/products`);
  await expect(visibleText(page, "Add your first product")).toBeVisible();
  await page.getByRole("link", { name: "Off sale" }).click();
  await page.getByRole("table").getByRole("link", { name: "Curd" }).click();
  await page.getByRole("button", { name: "Put on sale" }).click();
  await expect(page.getByRole("button", { name: "Take off sale" })).toBeVisible();
  await page.goto(`${home}/products`);
  await expect(page.getByRole("table")).toContainText("NPR 1,200.00");
});

/** A picture in one color. */
const picture = (background: string, format: "png" | "jpeg" | "webp" = "png") =>
  sharp({ create: { width: 300, height: 200, channels: 3, background } })
    .toFormat(format)
    .toBuffer();

/** Drops or pastes a file on the field of images. */
const give = async (page: Page, event: "drop" | "paste", content: Buffer) =>
  page.getByRole("group", { name: "Images" }).evaluate(
    (field, { kind, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], "milk.png", { type: "image/png" }));
      const init = { bubbles: true, cancelable: true };
      field.dispatchEvent(
        kind === "drop"
          ? new DragEvent("drop", { ...init, dataTransfer: data })
          : new ClipboardEvent("paste", { ...init, clipboardData: data }),
      );
    },
    { kind: event, base64: content.toString("base64") },
  );

test("product images are chosen, dropped, pasted, ordered and removed, and buyers see the first image", async ({
  page,
  context,
  buyer,
}) => {
  const { home } = await openBusiness(page);
  await nameField(page).fill("Curd");
  await visibleField(page, /^Price/).fill("100");
  const field = page.getByRole("group", { name: "Images" });
  const images = field.getByRole("img");
  const choose = async (name: RegExp, content: Buffer, mimeType = "image/png") => {
    const chooser = page.waitForEvent("filechooser");
    await field.getByRole("button", { name }).focus();
    await page.keyboard.press("Enter");
    await (await chooser).setFiles({ name: "curd", mimeType, buffer: content });
  };
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>');
  await choose(/Choose an image/, svg, "image/svg+xml");
  await expect(field.getByRole("alert")).toHaveText("This is not a PNG, JPEG or WebP image.");
  await choose(/Choose an image/, Buffer.alloc(6 * 1024 * 1024));
  await expect(field.getByRole("alert")).toHaveText(/larger than 5 MB/);
  await expect(nameField(page)).toHaveValue("Curd");
  await page.route("**/images", (route) => route.abort());
  await choose(/Choose an image/, await picture("#ffffff"));
  await expect(field.getByRole("alert")).toHaveText(/did not arrive/);
  await expectAccessible(page, "a refused image");
  await page.unroute("**/images");

  await choose(/Choose an image/, await picture("#f0e0d0", "jpeg"), "image/jpeg");
  await expect(images).toHaveCount(1);
  await give(page, "drop", await picture("#d0e0f0"));
  await expect(images).toHaveCount(2);
  await give(page, "paste", await picture("#e0f0d0"));
  await expect(images).toHaveCount(3);
  await expect(field.getByRole("alert")).toHaveCount(0);
  const third = await images.nth(2).getAttribute("src");
  await field.getByRole("button", { name: "Show first: image 3" }).click();
  await expect(images.first()).toHaveAttribute("src", third ?? "");
  await field.getByRole("button", { name: "Remove image 3" }).click();
  await expect(images).toHaveCount(2);
  await expect(field.getByRole("button", { name: "Add another image" })).toBeFocused();
  await page.reload();
  await expect(images).toHaveCount(2);
  await expectAccessible(page, "a product with images");
  await page.getByRole("button", { name: "Add product" }).click();
  await expect(visibleText(page, "Curd is on sale.")).toBeVisible();

  const link = await sell(page, buyer);
  const checkout = await context.newPage();
  await checkout.goto(link);
  const shown = checkout.locator("img.product");
  await expect(shown).toHaveAttribute("src", new URL(third ?? "").pathname);
  expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300);
  await expectAccessible(checkout, "checkout with an image");
  await checkout.close();

  await page.goto(`${home}/products`);
  await expect(page.locator(`img[src="${third}"]`).first()).toBeVisible();
  await page.getByRole("table").getByRole("link", { name: "Curd" }).click();
  await page.getByRole("link", { name: "Edit" }).click();
  await choose(/Replace image 1/, await picture("#102030", "webp"), "image/webp");
  await expect(images.first()).not.toHaveAttribute("src", third ?? "");
  await field.getByRole("button", { name: "Remove image 2" }).click();
  const replaced = await images.first().getAttribute("src");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.locator(`img[src="${replaced}"]`).first()).toBeVisible();
});

test("billing periods are added, ordered by keyboard and archived, but the last one cannot be archived", async ({
  page,
}) => {
  await openBusiness(page);
  await page.getByRole("button", { name: "More options" }).click();
  await expect(visibleField(page, "Plan", { exact: true })).toBeFocused();
  await nameField(page).fill("Curd");
  await visibleField(page, /^Price/).fill("100");
  await page.getByRole("button", { name: "Add a billing period" }).click();
  await visibleField(page, /^Price/)
    .nth(1)
    .fill("1000");
  await visibleField(page, "How often").nth(1).selectOption("Every year");
  await page.getByRole("button", { name: "Add an offer" }).nth(1).click();
  await visibleField(page, /^Discount/).fill("100.50");
  await visibleField(page, "Last day").fill("2099-12-31");
  await visibleField(page, "Billing period").selectOption("Standard · Every year");
  await expect(visibleText(page, "− NPR 100.50")).toBeVisible();
  const up = page.getByRole("button", { name: "Move Every year up" });
  await up.focus();
  await page.keyboard.press("Enter");
  await expect(up).toBeFocused();
  await page.getByRole("button", { name: "Add product" }).click();
  const periods = page.getByRole("listitem").filter({ hasText: "To pay today" });
  await expect(periods).toHaveText([/Every year.*NPR 899\.50/, /Every month.*NPR 100\.00/]);

  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Archive Every year" }).click();
  const last = page.getByRole("button", { name: "Archive Every month" });
  await expect(last).toHaveAttribute("aria-disabled", "true");
  await expect(last).toHaveAccessibleDescription(/the last billing period on sale/);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(periods).toHaveText([/Every month.*NPR 100\.00/]);
});

test("if two people edit one product, the later editor sees a conflict, and nothing is overwritten", async ({
  page,
  context,
}) => {
  await openBusiness(page);
  await addCurd(page, "100");
  await page.getByRole("link", { name: "Edit" }).click();
  const name = nameField(page);
  await expect(name).toHaveValue("Curd");

  const other = await context.newPage();
  await other.goto(page.url());
  await nameField(other).fill("Fresh curd");
  await other.getByRole("button", { name: "Save changes" }).click();
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("Fresh curd");
  await other.close();

  await name.fill("Old curd");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Somebody else" })).toBeVisible();
  await expect(name).toHaveValue("Old curd");
  await page.getByRole("button", { name: "Load newer version" }).click();
  await expect(name).toHaveValue("Fresh curd");

  await name.fill("Fresh curd, 1 litre");
  await page.reload();
  await expect(visibleText(page, /Your unsent draft from .* was restored/)).toBeVisible();
  await expect(name).toHaveValue("Fresh curd, 1 litre");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fresh curd, 1 litre");
});
