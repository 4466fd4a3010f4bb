import type { Page } from "@playwright/test";
import { FIRST_REQUEST } from "#contract/generated/first-request.ts";
import { expectAccessible } from "../support/accessibility.ts";
import { recordSecret } from "../support/secret-search.ts";
import { createPerson, signInAs, type Person } from "../support/person.ts";
import { openOwnSeller } from "../support/own-seller.ts";
import { billingUrl, duebookUrl, expect, expectInClipboard, test } from "../support/seller.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";

/** Signs in a new person with a new business, for which the dashboard opens an account. */
async function openWithAccount(page: Page): Promise<Person & { home: string }> {
  const person = await createPerson("Asha Gurung");
  await signInAs(page, person);
  await expect(page).toHaveURL(/\/welcome$/);
  await visibleField(page, "Name").fill("Phewa Dairy");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/test$/);
  return { ...person, home: page.url() };
}

const keys = (page: Page) => page.getByRole("list", { name: "API keys" }).getByRole("listitem");

/** Confirms a dialog, and reads the key that it shows once. */
async function readIssuedKey(page: Page, password: string, submit: string): Promise<string> {
  await visibleField(page, "Your password").fill(password);
  await page.getByRole("dialog").getByRole("button", { name: submit }).click();
  await expect(visibleText(page, "Copy this key now")).toBeVisible();
  const key = await page.getByRole("textbox", { name: "API key" }).inputValue();
  recordSecret(key);
  return key;
}

const statusOf = async (key: string, method = "GET") => {
  const url = `${billingUrl()}/api/v1/${method === "GET" ? "products" : "subscriptions"}/`;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return (await fetch(url, { method, headers, ...(method === "POST" && { body: "{}" }) }))
    .status;
};

/** Expects a first request in each language in a new key's dialog, and a link to the guide. */
async function expectFirstRequest(page: Page) {
  const dialog = page.getByRole("dialog");
  await visibleText(page, "Use a key in your program").last().click();
  await expect(dialog).toContainText(`export DUEBOOK_URL="${billingUrl()}"`);
  for (const [name, language] of [
    ["curl", "curl"],
    ["Node.js", "node"],
    ["Python", "python"],
    ["PHP", "php"],
  ] as const) {
    await dialog.getByRole("button", { name, exact: true }).click();
    await dialog.getByRole("button", { name: "Copy code" }).click();
    const code = FIRST_REQUEST.find((one) => one.language === language)?.code ?? "";
    await expectInClipboard(page, code);
  }
  const guide = dialog.getByRole("link", { name: /^Integrate in ten minutes/ });
  const address = await guide.getAttribute("href");
  expect(address).toBe(`${billingUrl()}/api/docs#begin`);
  expect(await (await fetch(address ?? "")).text()).toContain('id="begin"');
  await expectAccessible(page, "first request");
}

test("an API key is made with a scope, rolled with an overlap, replaced at once, and revoked", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { home, password } = await openWithAccount(page);
  await page.goto(`${home}/settings/keys`);
  await expect(keys(page)).toHaveCount(1);
  await expect(keys(page).first()).toContainText("Used by Duebook");
  await expectAccessible(page, "keys");

  await page.getByRole("button", { name: "Make an API key" }).click();
  await visibleField(page, "Name").fill("Duebook");
  await page.getByRole("dialog").getByRole("button", { name: "Make the key" }).click();
  await expect(visibleText(page, "Choose another name")).toBeVisible();
  await visibleField(page, "Name").fill("वेब पसल");
  await page.getByRole("checkbox", { name: /^Write/ }).uncheck();
  await visibleField(page, "Works for").selectOption({ label: "30 days" });
  await expectAccessible(page, "new key");
  await visibleField(page, "Your password").fill("wrong password");
  await page.getByRole("dialog").getByRole("button", { name: "Make the key" }).click();
  await expect(visibleText(page, "Wrong password.")).toBeVisible();
  const first = await readIssuedKey(page, password, "Make the key");
  await page.getByRole("dialog").getByRole("button", { name: "Copy" }).click();
  await expectInClipboard(page, first);
  expect([await statusOf(first), await statusOf(first, "POST")]).toEqual([200, 403]);
  await expectFirstRequest(page);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(keys(page)).toHaveCount(2);
  await expect(keys(page).first()).toContainText(/वेब पसल.*Read · Made/s);
  expect(await page.content()).not.toContain(first);

  await page.reload();
  await expect(keys(page).first()).toContainText(/Last used .* from /);
  await page.getByRole("button", { name: "Roll वेब पसल" }).click();
  await visibleField(page, "The old key stops").selectOption({ label: "In 7 days" });
  const second = await readIssuedKey(page, password, "Roll the key");
  await page.getByRole("button", { name: "Done" }).click();
  await expect(keys(page)).toHaveCount(3);
  expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);

  await page.getByRole("button", { name: "Key leaked? वेब पसल" }).first().click();
  await expect(page.getByRole("dialog")).toContainText(second.slice(-4));
  const third = await readIssuedKey(page, password, "Revoke and replace");
  expect([await statusOf(second), await statusOf(third)]).toEqual([401, 200]);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(keys(page).first()).toContainText(third.slice(-4));

  await page.getByRole("button", { name: "Revoke वेब पसल" }).first().click();
  await expect(page.getByRole("dialog")).toContainText("stops working at once");
  await visibleField(page, "Your password").fill(password);
  await page.getByRole("dialog").getByRole("button", { name: "Revoke the key" }).click();
  await expect(visibleText(page, "“वेब पसल” was revoked.")).toBeVisible();
  expect(await statusOf(third)).toBe(401);
  await visibleText(page, "2 ended keys").click();
  await expect(page.getByRole("list", { name: "2 ended keys" })).toContainText("Revoked");

  await page.getByRole("link", { name: "Audit log" }).click();
  for (const text of ["Made the API key", "Replaced an API key", "Revoked the API key"])
    await expect(visibleText(page, text).first()).toBeVisible();
});

test("the dashboard's own API key is replaced without being shown, and cannot be revoked", async ({
  page,
}) => {
  const { home, password } = await openWithAccount(page);
  await page.goto(`${home}/settings/keys`);
  await expect(page.getByRole("button", { name: "Revoke Duebook" })).toHaveCount(0);
  await page.getByRole("button", { name: "Key leaked? Duebook" }).click();
  await visibleField(page, "Your password").fill(password);
  await page.getByRole("dialog").getByRole("button", { name: "Revoke and replace" }).click();
  await expect(visibleText(page, "Duebook has a new key")).toBeVisible();
  await expect(visibleText(page, "1 ended key")).toBeVisible();
  await page.goto(`${home}/subscriptions`);
  await expect(visibleText(page, "No subscriptions yet")).toBeVisible();
});

test("keys of an account opened elsewhere are not managed here, and support does not see the page of API keys", async ({
  page,
  browser,
}) => {
  const { home } = await openOwnSeller(page, "/settings/keys");
  await expect(visibleText(page, "Keys are made at the billing service")).toBeVisible();
  await expectAccessible(page, "keys elsewhere");
  expect(home.startsWith(duebookUrl())).toBe(true);
  const context = await browser.newContext();
  const support = await context.newPage();
  const { home: theirs } = await openOwnSeller(support, "", "support");
  await support.goto(`${theirs}/settings/keys`);
  await expect(visibleText(support, "This page does not exist")).toBeVisible();
  await context.close();
});
