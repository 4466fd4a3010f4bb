import type { Page } from "@playwright/test";
import { createSubscription } from "../support/subscription-fixture.ts";
import { visibleText } from "../support/visible-text.ts";
import {
  duebookUrl,
  expect,
  payForShownSubscription,
  signIn,
  test,
} from "../support/seller.ts";
import { expectAccessible, PHONE_VIEWPORT } from "../support/accessibility.ts";

const main = (page: Page) => page.getByRole("main");
const actions = (page: Page) => page.getByRole("group", { name: "Actions" });

test("an ended subscription is started again from its record, with every field of the form filled in", async ({
  page,
}) => {
  await signIn(page);
  await page.goto(`${duebookUrl()}/subscriptions?status=inactive`);
  const rows = page.getByRole("table", { name: "Subscriptions" }).getByRole("row");
  const ended = rows.filter({ has: page.getByRole("cell") }).first();
  await ended.getByRole("link").first().click();
  await actions(page).getByRole("link", { name: "Start again" }).click();
  await expect(page).toHaveURL(/\/subscriptions\/new\?again=[0-9a-f-]{36}$/);
  await expect(main(page)).toContainText("Starts again what");
  for (const name of ["Phone", "Full name", "Email", "Address"])
    await expect(main(page).getByRole("textbox", { name, exact: true })).not.toHaveValue("");
  await page.setViewportSize(PHONE_VIEWPORT);
  await expectAccessible(page, "a subscription that starts again");
  await main(page).getByRole("button", { name: "Create and get the link" }).click();
  await expect(visibleText(page, "Waiting for payment")).toBeVisible();
});

test("a buyer's reason to leave is shown in the history and counted in reports, until the buyer decides to stay", async ({
  page,
  request,
  shop,
  buyer,
}) => {
  await createSubscription(page, buyer, shop.returnUrl);
  await payForShownSubscription(page, request);
  const record = page.url().replace(/\?.*/, "");
  await actions(page).getByRole("button", { name: "Cancel" }).click();
  const cancelling = page.getByRole("dialog", { name: "Cancel this subscription?" });
  await cancelling
    .getByRole("combobox", { name: "Why do they leave?" })
    .selectOption("Moved away");
  await cancelling.getByRole("textbox", { name: "In their words" }).fill("Goes to Dang");
  await expectAccessible(page, "cancelling with a reason");
  await cancelling.getByRole("button", { name: "Cancel subscription" }).click();
  const history = page.getByRole("region", { name: "History" });
  await expect(history).toContainText("Moved away: Goes to Dang");
  const leaver = page
    .getByRole("region", { name: "Why they leave" })
    .getByRole("row", { name: /^Moved away/ });
  // An open page reads its figures again each minute only.
  await expect(async () => {
    await page.goto(record.replace(/\/subscriptions\/.*/, "/reports"));
    await expect(leaver).toBeVisible({ timeout: 10_000 });
  }).toPass();
  await page.goto(record);
  await actions(page).getByRole("button", { name: "Wants to stay" }).click();
  await expect(main(page).getByRole("status").first()).toContainText("It is active again.");
  await expect(history).not.toContainText("Goes to Dang");
});
