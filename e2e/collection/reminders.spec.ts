import type { Page } from "@playwright/test";
import { openBusiness, test } from "../support/message-gateway.ts";
import { openOwnSeller } from "../support/own-seller.ts";
import { expect } from "../support/seller.ts";
import { visibleText } from "../support/visible-text.ts";

const step = (page: Page, number: number) =>
  page.getByRole("region", { name: new RegExp(`^Step ${number}:`) });

test("a change of the schedule by somebody else in the meantime keeps what was typed", async ({
  page,
  context,
}) => {
  const { home } = await openBusiness(page);
  const path = `${home}/settings/messages/reminders`;
  const other = await context.newPage();
  for (const screen of [page, other]) {
    await screen.goto(path);
    await screen.getByRole("button", { name: "Use the usual five steps" }).click();
  }
  await step(page, 1).getByLabel("Days", { exact: true }).fill("5");
  await other.getByRole("button", { name: "Save", exact: true }).click();
  await expect(visibleText(other, "Saved.", { exact: false }).first()).toBeVisible();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(
    visibleText(page, "Somebody changed the schedule in the meantime"),
  ).toBeVisible();
  await expect(step(page, 1).getByLabel("Days", { exact: true })).toHaveValue("5");
  // The newer version arrives a moment after the refusal.
  await expect(async () => {
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(visibleText(page, "Saved.", { exact: false }).first()).toBeVisible({
      timeout: 2_000,
    });
  }).toPass();
});

test("where the account is elsewhere, reminders go by hand; a viewer may not compose", async ({
  page,
  browser,
}) => {
  await openOwnSeller(page, "/settings/messages/reminders");
  await expect(visibleText(page, "Messages leave from your own apps here")).toBeVisible();
  const viewing = await browser.newContext();
  const viewer = await viewing.newPage();
  const { home } = await openOwnSeller(viewer, "", "viewer");
  const answer = await viewer.goto(`${home}/settings/messages/reminders`);
  expect(answer?.status()).toBe(404);
  await viewing.close();
});
