import { cookiesOf, sendRequest } from "../support/intruder.ts";
import { openOwnSeller } from "../support/own-seller.ts";
import { visibleText } from "../support/visible-text.ts";
import { expect, signIn, test } from "../support/seller.ts";
import {
  expectNoOverflow,
  expectAccessible,
  PHONE_VIEWPORT,
} from "../support/accessibility.ts";

const TABLET = { width: 768, height: 1024 };

test("reminder results are compared with buyers who were not reminded", async ({ page }) => {
  await signIn(page);
  await page.goto(page.url().replace(/subscriptions$/, "collection"));
  await page.getByRole("link", { name: "Reminder results" }).click();
  await expect(page.getByRole("heading", { name: "Reminder results", level: 1 })).toBeVisible();
  await expect(
    page.getByRole("region", { name: "Reminded by hand", exact: true }),
  ).toBeVisible();
  await expect(page.getByRole("region", { name: "Due, not reminded by hand" })).toBeVisible();
  await expect(visibleText(page, "These numbers do not prove")).toBeVisible();
  await expectAccessible(page, "results");
  await page.getByRole("link", { name: "Last 90 days" }).click();
  await expect(page).toHaveURL(/days=90/);
  await page.setViewportSize(TABLET);
  await expectNoOverflow(page, "results on a tablet");
  await page.setViewportSize(PHONE_VIEWPORT);
  await expectAccessible(page, "results on a phone");
  const file = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  expect((await file).suggestedFilename()).toMatch(/^duebook-reminders-test-.*\.csv$/);
});

test("a support member sees reminder results, but no CSV file and no numbers of single colleagues", async ({
  page,
}) => {
  const { seller } = await openOwnSeller(page, "/reports/reminders", "support");
  await expect(page.getByRole("heading", { name: "Reminder results", level: 1 })).toBeVisible();
  await expect(page.getByRole("link", { name: "CSV" })).toHaveCount(0);
  const cookie = await cookiesOf(page.context());
  const file = await sendRequest(`/api/${seller}/test/reports/reminders/file`, { cookie });
  expect(file.status).toBe(403);
  const answer = await sendRequest(`/api/${seller}/test/reports/reminders`, { cookie });
  expect(answer.status).toBe(200);
  expect(await answer.text()).not.toContain("person_name");
});
