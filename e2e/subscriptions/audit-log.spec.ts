import { readFile } from "node:fs/promises";
import {
  callActionByName,
  cookiesOf,
  actionOutcomeOf,
  signInForCookies,
} from "../support/intruder.ts";
import { addMember, createPerson, createSellerOf } from "../support/person.ts";
import { createSubscription } from "../support/subscription-fixture.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";
import { duebookUrl, expect, test } from "../support/seller.ts";
import { openPageAs } from "../support/session.ts";
import {
  expectNoOverflow,
  expectAccessible,
  PHONE_VIEWPORT,
} from "../support/accessibility.ts";

test("the audit log shows who did what, can be searched and filtered, and is exported as a CSV file", async ({
  page,
  context,
}) => {
  const owner = await createPerson("सरस्वती Rai-Maharjan");
  const seller = await createSellerOf(owner, "Audit log keepers");
  const viewer = await createPerson('=HYPERLINK("x")');
  await addMember(viewer, seller, "viewer");
  await openPageAs(page, owner, `${duebookUrl()}/${seller}/test/settings/audit-log`);
  await expect(visibleText(page, "No activity yet")).toBeVisible();

  const scope = { seller, mode: "test" };
  const invitation = [scope, { role: "support", for_whom: "", is_mailed: false }];
  const cookie = await cookiesOf(context);
  expect(
    actionOutcomeOf(
      await callActionByName("inviteMemberAction", seller, invitation, { cookie }),
    ),
  ).toBe("ok");
  const sneaky = { cookie: await signInForCookies(viewer) };
  const refused = await callActionByName("inviteMemberAction", seller, invitation, sneaky);
  expect(actionOutcomeOf(refused)).toBe("forbidden");

  await page.reload();
  // Before hydration the form also submits empty fields.
  await expect(page.getByRole("button", { name: "Search or jump to" })).toBeEnabled();
  const acts = page.getByRole("list", { name: "Audit log" }).getByRole("listitem");
  await expect(acts).toHaveCount(2);
  await expect(acts.nth(0)).toContainText("Tried to invite someone to the team");
  await acts.nth(0).locator("summary").click();
  await expect(acts.nth(0)).toContainText("Their role does not include it.");
  await expect(acts.nth(0)).toContainText("127.0.0.1");

  await visibleField(page, "Result").selectOption("Done");
  await visibleField(page, "Search").fill("invited SUPPORT");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/audit-log\?q=invited\+SUPPORT&result=done$/);
  await expect(visibleText(page, "No entries match")).toBeVisible();
  await visibleField(page, "Search").fill("सरस्वती support");
  await visibleField(page, "Search").press("Enter");
  await expect(acts).toHaveCount(1);
  await page.goBack();
  await expect(visibleField(page, "Search")).toHaveValue("invited SUPPORT");
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(acts).toHaveCount(2);

  const address = page.url();
  await page.goto(address.replace("/audit-log", "/record?result=refused"));
  await expect(page).toHaveURL(/\/audit-log\?result=refused$/);
  await expect(acts).toHaveCount(1);
  await page.goto(address);
  await expect(acts).toHaveCount(2);
  const waiting = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download CSV" }).click();
  const file = await readFile(await (await waiting).path(), "utf8");
  expect(file.split("\r\n").slice(0, 3)).toEqual([
    expect.stringMatching(/^\uFEFFtime,person,/),
    expect.stringContaining("Downloaded the audit log"),
    expect.stringContaining(`"'=HYPERLINK(""x"")"`),
  ]);
  await page.reload();
  await expect(acts.nth(0)).toContainText("Downloaded the audit log");

  await acts.nth(0).locator("summary").click();
  await expectAccessible(page, "audit log");
  await page.setViewportSize(PHONE_VIEWPORT);
  await expectNoOverflow(page, "audit log on a phone");
});

test("a subscription's page shows its history and links to its entries of the audit log", async ({
  page,
  shop,
  buyer,
}) => {
  await createSubscription(page, buyer, shop.returnUrl);
  await expect(visibleText(page, "Created a subscription · Demo owner")).toBeVisible();
  const id = /[0-9a-f-]{36}/.exec(page.url())?.[0] ?? "";
  await page.getByRole("link", { name: "Open in the audit log" }).click();
  await expect(visibleField(page, "Subscription ID")).toHaveValue(id);
  const acts = page.getByRole("list", { name: "Audit log" }).getByRole("listitem");
  await expect(acts).toHaveCount(1);
  await acts.locator("summary").click();
  await acts.getByRole("link", { name: id }).click();
  await expect(page.getByRole("heading", { name: buyer.full_name })).toBeVisible();
});
