import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessibility.ts";
import { openBusiness, sellTo } from "../support/message-gateway.ts";
import { openOwnSeller, sellHoney } from "../support/own-seller.ts";
import {
  addMember,
  createPerson,
  inDashboardDatabase,
  openBrowserOf,
  signInAs,
} from "../support/person.ts";
import { expect, fillBuyer, productSearch, test } from "../support/seller.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";

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

test("a cash payment is recorded and taken back on the subscription's page, and both name the member", async ({
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

test("a recorded payment above the limit needs a second member's approval, and its refund ends when confirmed", async ({
  page,
  browser,
  buyer,
}) => {
  const { home } = await openBusiness(page);
  const seller = new URL(home).pathname.split("/")[1] ?? "";
  const admin = await createPerson("Hari Thapa");
  await addMember(admin, seller, "admin");
  await page.goto(`${home}/settings/seller`);
  await visibleField(page, "Payments that need a second member").fill("999.99");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(visibleText(page, "Saved").first()).toBeVisible();
  await sellTo(page, home, buyer);
  await recordCash(page);
  await expect(card(page)).toContainText("Waits for approval");
  await expect(card(page)).toContainText("Another member has to approve it.");
  const record = page.url();

  const other = await openBrowserOf(browser);
  await signInAs(other, admin);
  await other.goto(`${home}/collection`);
  const tasks = other.getByRole("region", { name: "Money to check" });
  await expect(tasks).toContainText(buyer.full_name);
  await expectAccessible(other, "money to check");
  await tasks.getByRole("button", { name: "Approve" }).click();
  await dialog(other).getByRole("button", { name: "Approve" }).click();
  await expect(tasks).toBeHidden();

  await other.goto(record);
  await expect(card(other)).toContainText("Approved by Hari Thapa");
  await card(other).getByRole("button", { name: "Give back" }).click();
  await dialog(other).getByLabel("Amount").fill("1200.01");
  await dialog(other).getByLabel("Why").fill("Two weeks without milk");
  await dialog(other).getByRole("button", { name: "Give back" }).click();
  await expect(dialog(other).getByText(/at most 1200\.00/)).toBeVisible();
  await dialog(other).getByLabel("Amount").fill("400");
  await dialog(other).getByRole("button", { name: "Give back" }).click();
  await expect(card(other)).toContainText("Give it back by hand");
  await card(other).getByRole("button", { name: "Confirm" }).click();
  await dialog(other)
    .getByLabel(/^Reference/)
    .fill("Transfer 88");
  await dialog(other).getByRole("button", { name: "It was given back" }).click();
  await expect(card(other)).toContainText("Hari Thapa · Transfer 88");
  await other.goto(`${home}/payments`);
  // The sync worker, which all sellers share, reads the refund from the feed; then the list refreshes.
  await expect(visibleText(other, /Given back: NPR 400\.00/).first()).toBeVisible({
    timeout: 60_000,
  });
  await other.context().close();
});

test("a payment that another company's service cannot record is noted, and the note waits until a member checks it", async ({
  page,
  shop,
  buyer,
}) => {
  const { seller, home } = await openOwnSeller(page, "");
  await sellHoney(seller);
  await page.goto(`${home}/subscriptions/new`);
  await expect(page.getByRole("button", { name: "Create and get the link" })).toBeEnabled();
  await productSearch(page).fill("honey");
  await page.getByRole("option", { name: /^Honey/ }).click();
  await page.getByRole("radio", { name: /^Yearly/ }).check();
  await fillBuyer(page, buyer);
  await visibleField(page, "Page after payment").fill(shop.returnUrl);
  await page.getByRole("button", { name: "Create and get the link" }).click();
  await expect(visibleText(page, "Waiting for payment")).toBeVisible();
  await card(page).getByRole("button", { name: "Buyer says it is paid" }).click();
  await dialog(page).getByLabel("Amount").fill("12000");
  await dialog(page).getByRole("button", { name: "Note it" }).click();
  await expect(card(page)).toContainText("NPR 12,000.00");
  await expect(visibleText(page, "Waiting for payment")).toBeVisible();
  await page.goto(`${home}/collection`);
  const tasks = page.getByRole("region", { name: "Money to check" });
  await expect(tasks).toContainText("Buyer says it is paid");
  await tasks.getByRole("button", { name: "Not found" }).click();
  await expect(tasks).toBeHidden();
  const notes = await inDashboardDatabase(
    `select kind from contact c join seller s on s.id = c.seller_id
      where s.code = $1 order by c.id`,
    [seller],
  );
  expect(notes).toEqual([{ kind: "says_paid" }, { kind: "paid_checked" }]);
});
