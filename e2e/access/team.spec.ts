import type { Page } from "@playwright/test";
import { recordSecret } from "../support/secret-search.ts";
import {
  createPerson,
  createSellerOf,
  newPerson,
  openBrowserOf,
  signInAs,
  type Person,
} from "../support/person.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";
import { duebookUrl, expect, test } from "../support/seller.ts";
import { openPageAs } from "../support/session.ts";
import { expectAccessible } from "../support/accessibility.ts";

// Runs its tests in parallel, so that no worker is left with this file at the end of a run.
test.describe.configure({ mode: "parallel" });

const SELLER = "फेवा गृह सेवा Home Services";

test("an owner creates a seller, invites members, changes roles, removes members and transfers ownership", async ({
  page,
  browser,
}) => {
  const helper = await createPerson("सरस्वती Rai-Maharjan");

  const founder = newPerson("Asha श्रेष्ठ");
  await page.goto(`${duebookUrl()}/sign-up`);
  await signUp(page, founder);
  await expect(page).toHaveURL(/\/welcome$/);
  await visibleField(page, "Name").fill("Phewa\u202eecivres");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(visibleText(page, "without direction marks")).toBeVisible();
  await visibleField(page, "Name").fill(SELLER);
  await visibleField(page, "Time zone").fill("katmandu");
  await visibleField(page, "Amount format").selectOption({ label: "NPR 12,34,567.50" });
  await expectAccessible(page, "welcome");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/[0-9a-f]{10}\/test$/);
  const home = new URL(page.url()).pathname;

  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "Business", exact: true }).click();
  await expect(visibleField(page, "Time zone")).toHaveValue("Asia/Kathmandu");
  await visibleField(page, "Page after payment").fill("javascript:alert(1)");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(visibleText(page, "starts with https://")).toBeVisible();
  await visibleField(page, "Page after payment").fill("https://shop.example/thanks");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(visibleText(page, "Saved", { exact: true })).toBeVisible();

  await page.getByRole("link", { name: "Team", exact: true }).click();
  const link = await invite(page, "Support", helper.name);
  await expect(page.getByRole("list", { name: "Open invitations" })).toContainText(helper.name);
  await expectAccessible(page, "team");

  const helpers = await openBrowserOf(browser);
  await join(helpers, helper, link, "Join as support");
  await expect(helpers).toHaveURL(new RegExp(`${home}/subscriptions`));
  await helpers.goto(`${duebookUrl()}${home}/settings/account`);
  const tabs = helpers.getByRole("navigation", { name: "Settings" }).getByRole("link");
  await expect(tabs).toHaveText(["Your account", "Notifications"]);
  const navigation = helpers.getByRole("navigation", { name: "Main" });
  await expect(navigation.getByRole("link", { name: "New subscription" })).toBeVisible();
  for (const closed of ["connection", "team", "seller", "payments", "audit-log"]) {
    await helpers.goto(`${duebookUrl()}${home}/settings/${closed}`);
    await expect(visibleText(helpers, "This page does not exist")).toBeVisible();
  }

  await page.reload();
  await page.getByRole("button", { name: `Change role of ${helper.name}` }).click();
  await page.getByRole("radio", { name: /Viewer/ }).check();
  await page.getByRole("button", { name: "Change role", exact: true }).click();
  await expect(memberOf(page, helper)).toContainText("Viewer");
  await helpers.reload();
  await expect(helpers).toHaveURL(/\/sign-in/);

  await signInAs(helpers, helper, helpers.url());
  await helpers.goto(`${duebookUrl()}${home}/subscriptions`);
  await expect(navigation.getByRole("link", { name: "Subscriptions" })).toBeVisible();
  await expect(navigation.getByRole("link", { name: "New subscription" })).toBeHidden();
  await page.getByRole("button", { name: `Remove ${helper.name}` }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(memberOf(page, helper)).toBeHidden();
  await helpers.reload();
  await expect(helpers).toHaveURL(/\/sign-in/);
  await signInAs(helpers, helper);
  await expect(helpers).toHaveURL(/\/welcome$/);
  await helpers.goto(`${duebookUrl()}${home}/subscriptions`);
  await expect(visibleText(helpers, "This page does not exist")).toBeVisible();
  await helpers.goto(link);
  await expect(visibleText(helpers, "This invitation was already used")).toBeVisible();
  await expect(visibleText(helpers, "फेवा")).toHaveCount(0);

  const heir = newPerson("Bikram Gurung");
  const heirs = await openBrowserOf(browser);
  await heirs.goto(await invite(page, "Admin", heir.name));
  await heirs.getByRole("link", { name: "Create an account" }).click();
  await signUp(heirs, heir);
  await heirs.getByRole("button", { name: "Join as admin" }).click();
  await expect(heirs).not.toHaveURL(/\/invitation\//);
  await page.reload();
  await page.getByRole("button", { name: "Transfer ownership" }).click();
  await visibleField(page, "New owner").selectOption(`${heir.name} (${heir.email})`);
  const confirm = page.getByRole("dialog").getByRole("button", { name: "Transfer ownership" });
  await visibleField(page, "Your password").fill("not the password");
  await confirm.click();
  await expect(visibleText(page, "Wrong password.")).toBeVisible();
  await visibleField(page, "Your password").fill(founder.password);
  await confirm.click();
  await expect(memberOf(page, heir)).toContainText("Owner");
  await expect(memberOf(page, founder)).toContainText("Admin");
  await expect(page.getByRole("button", { name: "Transfer ownership" })).toBeHidden();
  await expect(page.getByRole("button", { name: `Remove ${heir.name}` })).toBeHidden();
});

test("a member of two sellers switches the seller in one tab, and another tab keeps its seller", async ({
  page,
  context,
}) => {
  const person = await createPerson("Asha");
  const first = await createSellerOf(person, "Annapurna");
  const second = await createSellerOf(person, "Begnas");
  await openPageAs(page, person, `${duebookUrl()}/${first}/test/settings/seller`);

  const other = await context.newPage();
  await other.goto(`${duebookUrl()}/${first}/test/settings/seller`);
  await expect(other.getByRole("button", { name: "Save" })).toBeEnabled();
  await other.getByRole("button", { name: "Annapurna" }).press("Enter");
  const current = other.getByRole("menuitem", { name: /^Annapurna/ });
  await expect(current).toBeFocused();
  await expect(current).toHaveAttribute("aria-current", "true");
  await other.keyboard.press("ArrowDown");
  await other.keyboard.press("Enter");
  await expect(other).toHaveURL(new RegExp(`/${second}/test`));
  await expect(other.getByRole("button", { name: "Begnas" })).toBeVisible();

  await visibleField(page, "Name").fill("Annapurna Homes");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: "Annapurna Homes" })).toBeVisible();
  await other.goto(`${duebookUrl()}/${second}/test/settings/seller`);
  await expect(visibleField(other, "Name")).toHaveValue("Begnas");
});

async function signUp(page: Page, { name, email, password }: Person) {
  await visibleField(page, "Your name").fill(name);
  await visibleField(page, "Email").fill(email);
  await visibleField(page, "Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Create the account" }).click();
  await expect(page).not.toHaveURL(/\/sign-up/);
}

async function invite(page: Page, role: string, name: string): Promise<string> {
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByRole("radio", { name: new RegExp(role) }).check();
  await visibleField(page, "For whom").fill(name);
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await visibleField(page, "Invitation link").inputValue();
  recordSecret(link.split("/").at(-1) ?? "");
  await page.getByRole("button", { name: "Done" }).click();
  return link;
}

/** Opens the link signed out, signs in, comes back to it and joins. */
async function join(page: Page, person: Person, link: string, label: string) {
  await page.goto(link);
  await expect(page.getByRole("heading", { name: `Join ${SELLER}` })).toBeVisible();
  const address = await page.getByRole("link", { name: "Sign in" }).getAttribute("href");
  await signInAs(page, person, `${duebookUrl()}${address}`);
  await page.getByRole("button", { name: label }).click();
  await expect(page).not.toHaveURL(/\/invitation\//);
}

const memberOf = (page: Page, { email }: Person) =>
  page.getByRole("list", { name: "Members" }).getByRole("listitem").filter({ hasText: email });
