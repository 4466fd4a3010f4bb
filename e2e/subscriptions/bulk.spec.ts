import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { addDays } from "#lib/format/calendar.ts";
import { dayInZone } from "#lib/format/format.ts";
import {
  callActionByName,
  createMember,
  actionOutcomeOf as answerOf,
} from "../support/intruder.ts";
import { inDashboardDatabase, openBrowserOf } from "../support/person.ts";
import { visibleText } from "../support/visible-text.ts";
import { duebookUrl, expect, expectInClipboard, signIn, test } from "../support/seller.ts";
import { openPageAs } from "../support/session.ts";
import { expectAccessible, PHONE_VIEWPORT } from "../support/accessibility.ts";
import { formatDate } from "../support/messages.ts";

const ZONE = "Asia/Kathmandu";

const rowsOf = (page: Page) =>
  page
    .getByRole("table", { name: "Subscriptions" })
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });
const boxOf = (row: Locator) => row.getByRole("checkbox");
const bar = (page: Page) => page.getByRole("region", { name: "Selected subscriptions" });
const barButton = (page: Page, name: string) => bar(page).getByRole("button", { name });
const main = (page: Page) => page.getByRole("main");

/** Opens the page that plans the change of the selected subscriptions. */
async function plan(page: Page, action: string, heading: string) {
  await bar(page).getByRole("link", { name: action }).click();
  await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeFocused();
}

async function openList(page: Page, query: string) {
  await page.goto(`${duebookUrl()}/subscriptions${query}`);
  await expect(page.getByRole("link", { name: "Next", exact: true })).toBeVisible();
  await expect(page.locator(".skeleton")).toHaveCount(0);
}

/** The seller's code, the mode and the open run from the URL. */
function placeOf(page: Page) {
  const [, seller = "", mode = "", , , id = ""] = new URL(page.url()).pathname.split("/");
  return { seller, mode, id };
}

async function select(page: Page, status: string, count: number) {
  const rows = rowsOf(page).filter({ has: visibleText(page, status, { exact: true }) });
  for (let at = 0; at < count; at++) await boxOf(rows.nth(at)).check();
}

/** Starts the planned change, in the page or in the dialog of an undo. */
async function start(page: Page, button: string) {
  // An undo leads from the page of one run to that of another.
  const before = page.url();
  await page.getByRole("button", { name: button }).click();
  await expect(page).not.toHaveURL(before);
  await expect(page).toHaveURL(/\/subscriptions\/bulk\/[0-9a-f-]{36}$/);
}

const outcomeOf = (page: Page) =>
  page.getByRole("list", { name: "Results" }).getByRole("listitem");
const countOf = (page: Page, state: string, count: number) =>
  page.getByRole("button", { name: `${state} · ${count}`, exact: true });
const finished = (page: Page) => visibleText(page, "Finished.", { exact: true });

test("subscriptions are selected by range and across pages, and a new filter clears the selection", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page);
  await openList(page, "?status=active");
  const rows = rowsOf(page);
  await boxOf(rows.nth(0)).check();
  await boxOf(rows.nth(2)).click({ modifiers: ["Shift"] });
  await expect(bar(page)).toContainText("3 selected");
  await page.getByRole("link", { name: "Next", exact: true }).click();
  await expect(visibleText(page, /^21–40 of/)).toBeVisible();
  await expect(bar(page)).toContainText("3 selected, all on other pages");
  await boxOf(rows.nth(1)).click({ modifiers: ["Shift"] });
  await expect(bar(page)).toContainText("22 selected, 20 on other pages");
  await page.getByRole("checkbox", { name: "Select this page" }).check();
  await expect(bar(page)).toContainText("40 selected, 20 on other pages");
  await expectAccessible(page, "selection");

  await page.setViewportSize(PHONE_VIEWPORT);
  await expect(visibleText(page, /^21–40 of/)).toBeVisible();
  await barButton(page, "Clear page").click();
  await expect(bar(page)).toContainText("20 selected, all on other pages");
  await expectAccessible(page, "selection on a phone");

  await barButton(page, "Copy links").click();
  const dialog = page.getByRole("dialog", { name: "Copy links" });
  await dialog.getByRole("button", { name: "Copy 20 links" }).click();
  await expectInClipboard(page, /^(http.*\/pay\/[\w-]+\n?){20}$/);
  const links = (await page.evaluate(() => navigator.clipboard.readText())).split("\n");
  expect(new Set(links).size).toBe(20);
  await expectAccessible(page, "links on a phone");
  await page.keyboard.press("Escape");

  await page.getByRole("link", { name: /^Due(?!book)/ }).click();
  await expect(page).toHaveURL(/\?status=due$/);
  await expect(bar(page)).toHaveCount(0);
});

test("a bulk change is planned on its own page, and the list still has the selection after going back", async ({
  page,
  context,
}) => {
  await signIn(page);
  await openList(page, "?status=active");
  await boxOf(rowsOf(page).nth(0)).check();
  await boxOf(rowsOf(page).nth(1)).check();
  await plan(page, "Resume", "Resume 2 subscriptions");
  await expect(page).toHaveURL(/\/subscriptions\/bulk\/new\?action=resume$/);
  await expect(main(page)).toContainText("No subscription will change.");
  await page.reload();
  await expect(main(page)).toContainText("No subscription will change.");

  const inNewTab = await context.newPage();
  await inNewTab.goto(page.url());
  await expect(visibleText(inNewTab, "Nothing is selected")).toBeVisible();
  await expectAccessible(inNewTab, "a plan without a selection");
  await inNewTab.close();

  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/subscriptions\?status=active$/);
  await expect(bar(page)).toContainText("2 selected");
  await expect(boxOf(rowsOf(page).nth(1))).toBeChecked();
  await plan(page, "Reschedule", "Reschedule 2 subscriptions");
  await main(page).getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(bar(page)).toContainText("2 selected");
  await page.keyboard.press("Escape");
  await expect(bar(page)).toHaveCount(0);
  await page.goBack();
  await expect(visibleText(page, "Nothing is selected")).toBeVisible();
});

test("a bulk change is previewed, continued on another page after its page was closed, retried and undone", async ({
  page,
  context,
  browser,
}) => {
  await signIn(page);
  await openList(page, "?page_size=100");
  await select(page, "Active", 3);
  await select(page, "Due", 1);
  await select(page, "Pending cancellation", 1);
  await plan(page, "Cancel", "Cancel 5 subscriptions");
  await expect(main(page)).toContainText("3 subscriptions of 5 will change.");
  await expect(page.getByRole("region", { name: "No change needed" })).toContainText(
    "already scheduled",
  );
  await expect(page.getByRole("region", { name: "Cannot change" })).toContainText("due");
  await expectAccessible(page, "dry run");

  // The first step is done; the requests for the second fail until the page closes.
  let writes = 0;
  await page.route("**/subscriptions**", (route) =>
    route.request().method() === "POST" && ++writes > 2 ? route.abort() : route.continue(),
  );
  await start(page, "Cancel 3 subscriptions");
  await expect(visibleText(page, "3 of 5", { exact: true })).toBeVisible();
  // Waits for the failure, because closing the page would let a pending request through.
  await expect(page.getByRole("button", { name: "Continue" })).toBeVisible();
  const { id, seller } = placeOf(page);
  await page.close({ runBeforeUnload: false });
  // One of the two waiting items is set to failed, as after an error of the service.
  await inDashboardDatabase(
    `update bulk_item set state = 'failed', message = 'The service could not.' where ctid =
       (select ctid from bulk_item where run_id = $1 and state = 'waiting' limit 1)`,
    [id],
  );

  const again = await context.newPage();
  await again.goto(`${duebookUrl()}/subscriptions`);
  await expect(visibleText(again, /bulk change .*: 4 of 5 done\./).first()).toBeVisible();
  await again.getByRole("link", { name: "Open the bulk change" }).first().click();
  await again.getByRole("button", { name: "Continue" }).click();
  await expect(finished(again)).toBeVisible();
  await expect(outcomeOf(again).filter({ hasText: "The service could not." })).toHaveCount(1);
  await expectAccessible(again, "a run");
  await again.getByRole("button", { name: "Retry 1 failed" }).click();
  await expect(countOf(again, "Done", 3)).toBeVisible();
  await expect(outcomeOf(again).filter({ hasText: "Pending cancellation" })).toHaveCount(3);

  const recorded = await inDashboardDatabase(
    "select action, result from audit_log where detail->>'bulk_run' = $1",
    [id],
  );
  expect(recorded).toEqual(Array(3).fill({ action: "subscription.cancel", result: "done" }));

  const download = again.waitForEvent("download");
  await again.getByRole("link", { name: "Results as CSV" }).click();
  const file = await readFile(await (await download).path(), "utf8");
  expect(file.trim().split("\r\n")).toHaveLength(6);
  expect(file).toMatch(/,done,active,pending_cancellation,\d{4}-\d\d-\d\d,,/);

  const saved = await inDashboardDatabase(
    "select result from audit_log where action = 'subscription.bulk-file' and detail->>'bulk_run' = $1",
    [id],
  );
  expect(saved).toEqual([{ result: "done" }]);

  const viewer = await createMember(seller, "viewer");
  const scope = { seller, mode: "test" };
  for (const [name, input] of [
    ["stepBulkRunAction", { id }],
    ["changeBulkRunAction", { id, change: "retry" }],
  ] as const)
    expect(answerOf(await callActionByName(name, seller, [scope, input], viewer))).toBe(
      "forbidden",
    );

  await again.getByRole("button", { name: "Undo", exact: true }).click();
  const taking = again.getByRole("dialog", { name: "Undo 3 subscriptions" });
  await expect(taking).toContainText("3 subscriptions of 3 will change.");
  await start(again, "Resume 3 subscriptions");
  await expect(again.getByRole("heading", { name: "Resume 3 subscriptions" })).toBeVisible();
  await expect(finished(again)).toBeVisible();
  await again.getByRole("link", { name: "an earlier change" }).click();
  await expect(countOf(again, "Undone", 3)).toBeVisible();
  await again.setViewportSize(PHONE_VIEWPORT);
  await expectAccessible(again, "a run on a phone");

  const theirs = await openBrowserOf(browser);
  await openPageAs(theirs, viewer, `${duebookUrl()}/${seller}/test/subscriptions/bulk/${id}`);
  await expect(countOf(theirs, "Undone", 3)).toBeVisible();
  await expect(theirs.getByRole("button", { name: "Undo", exact: true })).toHaveCount(0);
  await expect(theirs.getByRole("link", { name: "Results as CSV" })).toHaveCount(0);
  const asked = await theirs.request.get(
    `${duebookUrl()}/api/${seller}/test/subscriptions/bulk/${id}/file`,
  );
  expect(asked.status()).toBe(403);
  await theirs.goto(`${duebookUrl()}/${seller}/test/subscriptions/bulk/new?action=cancel`);
  await expect(visibleText(theirs, "This page does not exist")).toBeVisible();
  await theirs.goto(`${duebookUrl()}/${seller}/test/subscriptions`);
  await expect(rowsOf(theirs).nth(1)).toBeVisible();
  await expect(theirs.getByRole("checkbox")).toHaveCount(0);
  await theirs.context().close();
});

test("on a phone the billing dates of two subscriptions are moved by ten days, and moved back", async ({
  page,
}) => {
  await page.setViewportSize(PHONE_VIEWPORT);
  await signIn(page);
  await openList(page, "?status=active");
  await boxOf(rowsOf(page).nth(0)).check();
  await boxOf(rowsOf(page).nth(1)).check();
  // The service answers 429 in the dry run until the test has read the notice.
  let isBusy = true;
  await page.route(/\/api\/.*\/subscriptions\/[0-9a-f-]{36}$/, (route) =>
    isBusy
      ? route.fulfill({ status: 429, json: { kind: "rate_limited", retry_after: 2 } })
      : route.continue(),
  );
  await plan(page, "Reschedule", "Reschedule 2 subscriptions");
  await expect(main(page)).toContainText("asks to slow down. Continuing in 2 seconds.");
  isBusy = false;
  await main(page).getByLabel("One date for all").check();
  await expect(main(page)).toContainText("Enter a date.");
  await main(page).getByLabel("New billing date").fill("2020-01-01");
  await expect(main(page)).toContainText("Choose today or a later day.");
  await main(page).getByLabel("Move each").check();
  await main(page).getByLabel("Days").fill("10");
  await expect(main(page)).toContainText("2 subscriptions of 2 will change.");
  await expectAccessible(page, "reschedule on a phone");

  const { seller, mode } = placeOf(page);
  const response = await page.request.get(
    `${duebookUrl()}/api/${seller}/${mode}/subscriptions?status=active`,
  );
  const { results } = (await response.json()) as { results: { next_billing_cycle: string }[] };
  const day = dayInZone(results[0]?.next_billing_cycle ?? "", ZONE);
  await expect(main(page)).toContainText(formatDate(addDays(day, 10)));
  // The request for the first step is lost.
  let writes = 0;
  await page.route("**/subscriptions**", (route) =>
    route.request().method() === "POST" && ++writes === 2 ? route.abort() : route.fallback(),
  );
  await start(page, "Reschedule 2 subscriptions");
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Nothing is lost");
  await expectAccessible(page, "a stopped run on a phone");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(finished(page)).toBeVisible();
  await expect(visibleText(page, "Each 10 days later.")).toBeVisible();

  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText(formatDate(day));
  await start(page, "Reschedule 2 subscriptions");
  await expect(page.getByRole("link", { name: "an earlier change" })).toBeVisible();
  await expect(finished(page)).toBeVisible();
  await expect(outcomeOf(page).filter({ hasText: "Done" })).toHaveCount(2);
  await page.goto(`${duebookUrl()}/subscriptions`);
  await page.getByRole("link", { name: "Bulk changes" }).click();
  const runs = page.getByRole("list", { name: "Bulk changes" }).getByRole("listitem");
  await expect(runs.first()).toContainText("Reschedule 2 subscriptions");
  await expectAccessible(page, "the runs on a phone");
});
