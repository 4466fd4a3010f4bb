import type { Page } from "@playwright/test";
import {
  expectAccessible,
  expectNoOverflow,
  PHONE_VIEWPORT,
} from "../support/accessibility.ts";
import { pageHeading } from "../support/keyboard.ts";
import { openBusiness, sellTo } from "../support/message-gateway.ts";
import { openOwnSeller, sellHoney } from "../support/own-seller.ts";
import { expect, test, type Buyer } from "../support/seller.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";

const main = (page: Page) => page.getByRole("main");
const button = (page: Page, name: string) => main(page).getByRole("button", { name });
const row = (page: Page, number: number) =>
  main(page)
    .getByRole("list", { name: "Rows" })
    .getByRole("listitem")
    .filter({ hasText: new RegExp(`^Row ${number}\\D`) });

const inDays = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const HEADINGS = "Name\tPhone\tEmail\tAddress\tPaid until";
const buyerRow = ({ email }: Buyer, phone: string, paidUntil = "") =>
  `Asha Rai\t${phone}\t${email}\tPatan\t${paidUntil}`;

/** Expects these facts in the list of imports, which has one import. */
async function expectListed(page: Page, home: string, ...facts: string[]) {
  await page.goto(`${home}/subscriptions/import`);
  const listed = main(page).getByRole("listitem").filter({ hasText: "Pasted rows" });
  for (const fact of facts) await expect(listed).toContainText(fact);
}

/** Pastes rows and checks them, up to the button that starts the import. @returns the import's address */
async function bring(page: Page, home: string, ...lines: string[]): Promise<string> {
  await page.goto(`${home}/subscriptions/import`);
  await visibleField(page, "Or paste rows").fill([HEADINGS, ...lines].join("\n"));
  await button(page, "Read the rows").click();
  await expect(pageHeading(page, "Pasted rows")).toBeVisible();
  await button(page, "Check the rows").click();
  await expect(main(page)).toContainText("would be made of");
  return page.url();
}

test("an import makes subscriptions with payment links and paid ones, and is taken back", async ({
  page,
  buyer,
}) => {
  const { home } = await openBusiness(page);
  await sellTo(page, home, buyer);
  const importPage = await bring(
    page,
    home,
    buyerRow(buyer, "9841000001"),
    buyerRow(buyer, "9841000002", inDays(40)),
  );
  await expect(main(page)).toContainText("1 unpaid subscription with a link to pay");
  await expect(main(page)).toContainText("1 active one, paid until its day");
  await expectAccessible(page, "an import before its start");

  await button(page, "Make 2 subscriptions").click();
  await expect(visibleText(page, "All rows are processed.", { exact: true })).toBeVisible();
  await expect(visibleText(page, "2 made", { exact: true })).toBeVisible();
  await expect(row(page, 2)).toContainText("Made");
  await expect(row(page, 3)).toContainText("Made");
  await expect(row(page, 2).getByRole("button", { name: /^Copy link/ })).toBeVisible();
  await expectAccessible(page, "an import that was made");
  const file = main(page).getByRole("link", { name: "Results (CSV)" });
  const address = new URL((await file.getAttribute("href")) ?? "", page.url()).href;
  const csv = await (await page.request.get(address)).text();
  expect(csv.split("\r\n")[1]).toMatch(/^Asha Rai,.*,Made,.*\/pay\/[\w-]+,/);
  await page.setViewportSize(PHONE_VIEWPORT);
  await expectNoOverflow(page, "an import that was made, on a phone");

  await main(page).getByRole("link", { name: "Send 1 link" }).click();
  await expect(visibleText(page, /^Only what one import has made/)).toBeVisible();
  const queue = main(page).getByRole("list", { name: "Buyers" });
  await expect(queue.getByRole("listitem")).toHaveText([/Asha Rai/]);
  await main(page).getByRole("link", { name: "Show all buyers" }).click();
  await expect(queue.getByRole("listitem")).toHaveCount(2);
  await expectListed(page, home, "2 subscriptions made", "Finished");
  await page.goto(importPage);
  await row(page, 3).getByRole("link", { name: "Open subscription" }).click();
  await expect(main(page)).toContainText("Active");

  await page.goto(importPage);
  await button(page, "Take back").click();
  await page.getByRole("dialog").getByRole("button", { name: "Take back" }).click();
  await expect(visibleText(page, "Taken back.", { exact: true })).toBeVisible();
  await expect(visibleText(page, "2 taken back", { exact: true })).toBeVisible();
  await expect(row(page, 2)).toContainText("Taken back");
  await expectListed(page, home, "2 taken back", "Taken back");
  await page.goto(importPage);
  await row(page, 3).getByRole("link", { name: "Open subscription" }).click();
  await expect(main(page)).toContainText("Cancelled");
});

test("the rows of an import are checked again at its start, so that no buyer gets a product twice", async ({
  page,
  buyer,
}) => {
  const { seller, home } = await openOwnSeller(page, "/products");
  await sellHoney(seller);
  const first = await bring(page, home, buyerRow(buyer, buyer.phone));
  const second = await bring(page, home, buyerRow(buyer, buyer.phone));
  await page.goto(first);
  await button(page, "Make 1 subscription").click();
  await expect(visibleText(page, "1 made", { exact: true })).toBeVisible();

  await page.goto(second);
  await expect(row(page, 2)).toContainText("New");
  await button(page, "Make 1 subscription").click();
  await expect(row(page, 2)).toContainText("Has it already");
  await expect(main(page)).toContainText("No row is ready to become a subscription.");
});

test("if the service cannot take over paid subscriptions, the seller decides about rows with a “paid until” date", async ({
  page,
  buyer,
}) => {
  const { seller, home } = await openOwnSeller(page, "/products");
  await sellHoney(seller);
  await bring(
    page,
    home,
    buyerRow(buyer, buyer.phone),
    buyerRow(buyer, "9841000003", inDays(40)),
  );
  const question = main(page).getByRole("form", { name: "1 row has a “paid until” date" });
  const save = question.getByRole("button", { name: "Save" });
  await expect(question).toContainText("lacks the scope “account”");
  await expect(button(page, "Make 2 subscriptions")).toBeDisabled();
  await expectAccessible(page, "an import with a question");
  await question.getByRole("radio", { name: /^Make unpaid/ }).check();
  await save.click();
  await expect(button(page, "Make 2 subscriptions")).toBeEnabled();
  await question.getByRole("radio", { name: "Leave them out" }).check();
  await save.click();
  await button(page, "Make 1 subscription").click();
  await expect(visibleText(page, "1 made", { exact: true })).toBeVisible();
  await expect(row(page, 3)).toContainText("Left out");
  await expect(main(page)).toContainText("cannot take subscriptions back");
});
