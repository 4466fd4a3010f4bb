import type { Page } from "@playwright/test";
import { recordSecret } from "../support/secret-search.ts";
import {
  addMember,
  createPerson,
  createSellerOf,
  newPerson,
  openBrowserOf,
  signInAs,
  type Person,
  setUpSecondFactor,
} from "../support/person.ts";
import { holdScripts, visibleField, visibleText } from "../support/visible-text.ts";
import { duebookUrl, expect, test } from "../support/seller.ts";
import { expectAccessible } from "../support/accessibility.ts";

const NAME = "सरस्वती Rai-Maharjan";

/** Signs in a new person with a seller of their own, at their account page. */
async function openAccount(page: Page) {
  const person = await createPerson(NAME);
  const path = `/${await createSellerOf(person, "Phewa Home")}/test/settings/account`;
  await signInAs(page, person, `${duebookUrl()}${path}`);
  await expect(page.getByRole("heading", { name: "Active sessions" })).toBeVisible();
  return { person, path };
}

/** Submits the sign-in form, without waiting for the result. */
async function attempt(page: Page, { email }: Person, password: string) {
  await page.goto(`${duebookUrl()}/sign-in`);
  await visibleField(page, "Email").fill(email);
  await visibleField(page, "Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/**
 * Enters wrong passwords until the page asks to wait. Each wait is twice as long as the one before, and a
 * slow machine may try again only after the first is over.
 */
async function guessUntilWait(page: Page, person: Person) {
  const wait = visibleText(page, /Try again in \d+ seconds?\./);
  for (let count = 0; count < 12; count += 1) {
    await attempt(page, person, "a wrong guess");
    await page.locator("form [role=alert]").waitFor();
    if (await wait.isVisible()) return;
  }
  throw new Error("the sign-in page never asked to wait");
}

test("a person signs up, and a common password is refused with an error at its field", async ({
  page,
}) => {
  const mark = Math.random().toString(36).slice(2, 10);
  await page.goto(`${duebookUrl()}/sign-in`);
  await page.getByRole("link", { name: "Create one" }).click();
  await expect(page.getByRole("heading", { name: "Create an account" })).toBeVisible();
  await expect(
    visibleText(page, /^The built-in billing service supports test payments only/),
  ).toBeVisible();
  await visibleField(page, "Your name").fill(NAME);
  await visibleField(page, "Email").fill(`new-${mark}@example.com`);
  await visibleField(page, "Password", { exact: true }).fill("iloveyou");
  await page.getByRole("button", { name: "Create the account" }).click();
  await expect(visibleText(page, "This is a common password")).toBeVisible();
  await expectAccessible(page, "signing up");
  recordSecret(`four words of ${mark}`);
  await visibleField(page, "Password", { exact: true }).fill(`four words of ${mark}`);
  await page.getByRole("button", { name: "Create the account" }).click();
  await expect(page).toHaveURL(/\/welcome$/);
});

test("text typed into the sign-up form before hydration is sent", async ({ page }) => {
  const loadScripts = await holdScripts(page);
  await page.goto(`${duebookUrl()}/sign-up`, { waitUntil: "commit" });
  const person = newPerson(NAME);
  await visibleField(page, "Your name").fill(person.name);
  await visibleField(page, "Email").fill(person.email);
  await visibleField(page, "Password", { exact: true }).fill(person.password);
  loadScripts();
  await page.getByRole("button", { name: "Create the account" }).click();
  await expect(page).toHaveURL(/\/welcome$/);
});

test("a password change ends other sessions, and a single session can be signed out", async ({
  page,
  browser,
}) => {
  const { person, path } = await openAccount(page);
  const other = await openBrowserOf(browser);
  await signInAs(other, person, `${duebookUrl()}${path}`);
  await page.reload();
  const sessions = page.getByRole("list", { name: "Active sessions" });
  await expect(sessions.getByRole("listitem")).toHaveCount(2);
  await expectAccessible(page, "sessions");
  await sessions.getByRole("button", { name: /^Sign out Chrome/ }).click();
  const ending = page.getByRole("dialog");
  await visibleField(page, "Your password").fill("not mine");
  await ending.getByRole("button", { name: "Sign out" }).click();
  await expect(visibleText(page, "Wrong password.")).toBeVisible();
  await other.reload();
  await expect(other).toHaveURL(/\/settings\/account$/);
  await visibleField(page, "Your password").fill(person.password);
  await ending.getByRole("button", { name: "Sign out" }).click();
  await expect(sessions.getByRole("listitem")).toHaveCount(1);
  await other.reload();
  await expect(other).toHaveURL(/\/sign-in/);

  await signInAs(other, person, other.url());
  await page.getByRole("button", { name: "Change the password" }).click();
  await visibleField(page, "Your password").fill("not mine");
  await visibleField(page, "New password").fill("another four words");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Change the password" }).click();
  await expect(visibleText(page, "Wrong password.")).toBeVisible();
  await expectAccessible(page, "a refused password");
  await visibleField(page, "Your password").fill(person.password);
  await dialog.getByRole("button", { name: "Change the password" }).click();
  await expect(visibleText(page, /^Password changed\. Your other/)).toBeVisible();
  await other.reload();
  await expect(other).toHaveURL(/\/sign-in/);
  await attempt(other, person, person.password);
  await expect(visibleText(other, "Wrong email or password.")).toBeVisible();
  await signInAs(other, { ...person, password: "another four words" });
});

test("sign-in asks for the second factor in a step of its own, and a recovery code works once", async ({
  page,
  browser,
}) => {
  const { person } = await openAccount(page);
  const { recovery, nextCode } = await setUpSecondFactor(page, person);
  const [code = ""] = recovery;

  const second = await openBrowserOf(browser);
  await attempt(second, person, person.password);
  await expect(second.getByRole("heading", { name: "Two-step sign-in" })).toBeVisible();
  await expectAccessible(second, "second step");
  await visibleField(second, "Code").fill("123456");
  await second.getByRole("button", { name: "Continue" }).click();
  await expect(visibleText(second, "Wrong code.")).toBeVisible();
  await visibleField(second, "Code").fill(code.toLowerCase());
  await second.getByRole("button", { name: "Continue" }).click();
  await expect(second).not.toHaveURL(/\/sign-in/);

  const third = await openBrowserOf(browser);
  await attempt(third, person, person.password);
  await visibleField(third, "Code").fill(code);
  await third.getByRole("button", { name: "Continue" }).click();
  await expect(visibleText(third, "Wrong code.")).toBeVisible();

  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await attempt(plain, person, person.password);
  await visibleField(plain, "Code").fill("123456");
  await plain.getByRole("button", { name: "Continue" }).click();
  await expect(visibleText(plain, "Wrong code.")).toBeVisible();
  await visibleField(plain, "Code").fill(nextCode());
  await plain.getByRole("button", { name: "Continue" }).click();
  await expect(plain.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  await context.close();
});

test("a seller that requires a second factor is closed to a member until the member sets up a second factor", async ({
  page,
  browser,
}) => {
  const { person, path } = await openAccount(page);
  const seller = path.split("/")[1] ?? "";
  const team = `${duebookUrl()}/${seller}/test/settings/team`;
  const helper = await createPerson("Asha");
  await addMember(helper, seller, "support");
  const helpers = await openBrowserOf(browser);
  await signInAs(helpers, helper, `${duebookUrl()}/${seller}/test/products`);
  await expect(helpers.getByRole("heading", { name: "Products", level: 1 })).toBeVisible();

  const demand = async () => {
    await page.goto(team);
    await page.getByRole("button", { name: "Require for everyone" }).click();
    await visibleField(page, "Your password").fill(person.password);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Require for everyone" }).click();
  };
  await demand();
  await expect(
    visibleText(page, "Set up your own second factor in your account settings first"),
  ).toBeVisible();
  await page.goto(`${duebookUrl()}${path}`);
  await setUpSecondFactor(page, person);
  await demand();
  await expect(page.getByRole("button", { name: "Stop requiring" })).toBeVisible();
  await expectAccessible(page, "a second factor demanded");
  const row = page.getByRole("listitem").filter({ hasText: helper.email });
  await expect(row).toContainText("No second factor");

  await helpers.goto(`${duebookUrl()}/${seller}/test/products`);
  await expect(helpers).toHaveURL(/\/settings\/account$/);
  await expect(visibleText(helpers, "until then you cannot open this business")).toBeVisible();
  await expectAccessible(helpers, "led to the account");
  const skip = helpers.getByRole("link", { name: "Skip to content" });
  await skip.press("Enter");
  await expect(helpers.locator("#content")).toBeFocused();
  await setUpSecondFactor(helpers, helper);
  await expect(helpers.getByRole("navigation", { name: "Main" })).toBeVisible();
  await helpers.goto(`${duebookUrl()}/${seller}/test/products`);
  await expect(helpers.getByRole("heading", { name: "Products", level: 1 })).toBeVisible();
});

test("after too many wrong passwords the page says how long to wait, and the owner's known browser still signs in", async ({
  page,
  browser,
}) => {
  const { person, path } = await openAccount(page);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const attacker = await context.newPage();
  await guessUntilWait(attacker, person);
  await context.close();

  await page.getByRole("button", { name: person.name }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await signInAs(page, person, `${duebookUrl()}${path}`);

  const stranger = await openBrowserOf(browser);
  await guessUntilWait(stranger, person);
  await expectAccessible(stranger, "a wait");
});
