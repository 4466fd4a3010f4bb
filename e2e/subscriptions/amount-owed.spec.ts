import type { Locator, Page } from "@playwright/test";
import { addDays } from "#lib/format/calendar.ts";
import { dayInZone } from "#lib/format/format.ts";
import { queueRows } from "../support/collection-desk.ts";
import { openOwnSeller } from "../support/own-seller.ts";
import { inDashboardDatabase } from "../support/person.ts";
import { visibleText } from "../support/visible-text.ts";
import { billingUrl, expect, test } from "../support/seller.ts";
import { expectAccessible, PHONE_VIEWPORT } from "../support/accessibility.ts";
import { formatDate } from "../support/messages.ts";

const today = () => dayInZone(new Date().toISOString(), "Asia/Kathmandu");
const main = (page: Page) => page.getByRole("main");
const table = (page: Page) =>
  page
    .getByRole("table", { name: "Subscriptions" })
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });
const action = (page: Page, name: string) =>
  page.getByRole("group", { name: "Actions" }).getByRole("button", { name });
/** The day a week ahead that this element shows; midnight may have passed since the test began. */
async function weekIn(place: Locator, begun: string): Promise<string> {
  const days = [7, 8].map((count) => formatDate(addDays(begun, count)));
  await expect(place).toContainText(new RegExp(days.join("|")));
  const text = (await place.textContent()) ?? "";
  return days.find((day) => text.includes(day)) ?? "";
}
const runsUntil = (day: string) =>
  new RegExp(`Runs until ${day} \\(in [67] days\\), moved by you\\.`);
const reasonOf = (dialog: Locator) => dialog.getByLabel("Reason", { exact: true });

test("rescheduling a due subscription shows the amount owed, which stays owed until it is waived", async ({
  page,
  request,
}) => {
  const { home, key, seller } = await openOwnSeller(page, "/subscriptions");
  await request.post(`${billingUrl()}/sandbox/scenarios/`, {
    headers: { authorization: `Bearer ${key}` },
    data: { name: "some_due" },
  });
  const begun = today();

  await page.goto(`${home}/subscriptions?status=due`);
  await expect(table(page)).toHaveCount(3);
  await table(page).nth(0).getByRole("checkbox").check();
  await table(page).nth(1).getByRole("checkbox").check();
  await page
    .getByRole("region", { name: "Selected subscriptions" })
    .getByRole("link", { name: "Reschedule" })
    .click();
  await expect(page.getByRole("heading", { name: "Reschedule 2 subscriptions" })).toBeFocused();
  const bulk = main(page);
  await expect(bulk).toContainText(/2 of them are due and owe .*Moving the dates waives it/);
  const week = await weekIn(bulk.getByRole("region", { name: "Will change" }), begun);
  await expect(bulk.getByLabel("Keep it: only more time")).toBeChecked();
  await bulk.getByRole("button", { name: "Reschedule 2 subscriptions" }).click();
  await expect(reasonOf(bulk)).toBeFocused();
  await expect(reasonOf(bulk)).toHaveAccessibleDescription(/Choose a reason/);
  await expectAccessible(page, "a bulk plan of due ones");
  await reasonOf(bulk).selectOption("The buyer cannot pay right now");
  await bulk.getByRole("button", { name: "Reschedule 2 subscriptions" }).click();
  await expect(visibleText(page, "Finished.", { exact: true })).toBeVisible();
  await expect(visibleText(page, /^This cannot be undone\. .* has passed/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo", exact: true })).toHaveCount(0);

  const outcomes = page.getByRole("list", { name: "Results" });
  await outcomes.getByRole("link").first().click();
  await expect(main(page)).toContainText(runsUntil(week));
  await expect(main(page)).toContainText(
    /is still owed since .*The buyer cannot pay right now/,
  );
  await expect(main(page)).not.toContainText("Paid until");
  await page.setViewportSize(PHONE_VIEWPORT);
  await expectAccessible(page, "a kept debt on a phone");
  const kept = (await page.getByRole("heading", { level: 1 }).textContent()) ?? "";
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.goto(`${home}/collection?group=due`);
  await queueRows(page).filter({ hasText: kept }).getByRole("link").click();
  await expect(main(page)).toContainText("is still owed since");
  await page.getByRole("button", { name: "Waive" }).click();
  const waiving = page.getByRole("dialog", { name: "Waive the amount owed?" });
  await waiving.getByRole("button", { name: "Waive it" }).click();
  await expect(reasonOf(waiving)).toBeFocused();
  await reasonOf(waiving).selectOption("Paid in another way");
  await waiving.getByRole("button", { name: "Waive it" }).click();
  await expect(visibleText(page, /waived: Paid in another way/)).toBeVisible();
  await expect(main(page)).not.toContainText("is still owed since");

  await page.goto(`${home}/subscriptions?status=due`);
  await table(page).getByRole("link").first().click();
  await action(page, "Reschedule").click();
  const dialog = page.getByRole("dialog", { name: "Move the billing date" });
  await expect(dialog).toContainText(/is owed since .*Moving the date waives it/);
  const choice = dialog.getByRole("button", { name: /^\+1 week/ });
  const again = await weekIn(choice, begun);
  await choice.click();
  await dialog.getByLabel("Waive it").check();
  await dialog.getByRole("button", { name: "Move the date" }).click();
  await expect(reasonOf(dialog)).toBeFocused();
  await expectAccessible(page, "a due one's date");
  await reasonOf(dialog).selectOption("Goodwill");
  await dialog.getByRole("button", { name: "Move the date" }).click();
  await expect(main(page)).toContainText(runsUntil(again));
  await expect(main(page)).not.toContainText("is still owed");

  const recorded = await inDashboardDatabase(
    `select action, detail->>'owed' as owed, detail->>'courtesy' as reason from audit_log a
       join seller s on s.id = a.seller_id
      where s.code = $1 and action in ('subscription.reschedule', 'subscription.waive') order by a.id`,
    [seller],
  );
  expect(recorded).toEqual([
    { action: "subscription.reschedule", owed: "kept", reason: "hardship" },
    { action: "subscription.reschedule", owed: "kept", reason: "hardship" },
    { action: "subscription.waive", owed: null, reason: "paid_elsewhere" },
    { action: "subscription.reschedule", owed: "forgiven", reason: "goodwill" },
  ]);
});
