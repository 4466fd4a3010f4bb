import type { Page } from "@playwright/test";
import { issueKey, openAccount, runOwnServiceAdmin } from "../support/own-seller.ts";
import { addMember, createPerson, createSellerOf } from "../support/person.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";
import { duebookUrl, expect, test } from "../support/seller.ts";
import { openPageAs } from "../support/session.ts";
import { expectNoOverflow, expectNoViolations } from "../support/accessibility.ts";

/** Signs in a new member of a seller without a key: the owner, unless another role is given. */
async function begin(page: Page, role?: "support") {
  const owner = await createPerson("Kanchha Tamang");
  const seller = await createSellerOf(owner, "सगरमाथा Honey & Sons");
  const person = role ? await createPerson("Sita Rai") : owner;
  if (role) await addMember(person, seller, role);
  await openPageAs(page, person, duebookUrl());
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  return { seller, password: person.password, home: `${duebookUrl()}/${seller}/test` };
}

async function connect(page: Page, key: string) {
  await visibleField(page, "API key", { exact: true }).fill(key);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
}

/** Checks the page on a wide light screen and on a dark phone. */
async function expectWideAndOnPhone(page: Page) {
  for (const [colorScheme, width] of [
    ["light", 1440],
    ["dark", 390],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expectNoViolations(page, `${colorScheme} at ${width}`);
    await expectNoOverflow(page, `${colorScheme} at ${width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test("an API key opens the dashboard once the account is verified, and a refused key shows one banner", async ({
  page,
}) => {
  const { home, seller, password } = await begin(page);
  const account = await openAccount(`Honey of ${seller}`);
  await expect(page).toHaveTitle("Overview · Test · Duebook");
  await expect(visibleText(page, "Test mode", { exact: true })).toBeVisible();
  await expect(visibleText(page, "0 of 4 done")).toBeVisible();
  await expect(visibleText(page, "No API key is connected in test mode")).toBeVisible();
  await expectWideAndOnPhone(page);

  await page.getByRole("link", { name: "Connect a key" }).click();
  await connect(page, "two words");
  await expect(visibleText(page, /cannot contain spaces/)).toBeVisible();
  await connect(page, `${account.key}x`);
  await expect(page.getByRole("main").getByRole("alert")).toContainText(
    "does not accept this key",
  );
  await expectWideAndOnPhone(page);
  await connect(page, `Bearer ${account.key}`);
  await expect(visibleText(page, /account is not verified yet/)).toBeVisible();
  await expect(visibleText(page, account.key.slice(-4), { exact: true })).toBeVisible();
  expect(await page.content()).not.toContain(account.key);
  await expectWideAndOnPhone(page);

  // Before the account is verified, the gate replaces all pages except overview, settings, products
  // and guide.
  await page.getByRole("link", { name: "Subscriptions", exact: true }).click();
  await expect(visibleText(page, /Identity check pending/)).toBeVisible();
  await expectWideAndOnPhone(page);
  await runOwnServiceAdmin("verify-seller", "--seller", account.name);
  // A closed page polls whether it can open.
  await expect(visibleText(page, "No subscriptions yet")).toBeVisible({ timeout: 30_000 });

  await runOwnServiceAdmin("revoke-key", "--key", account.key);
  await page.getByRole("link", { name: "New subscription" }).first().click();
  const banner = page.getByRole("alert").filter({ hasText: "this business's API key" });
  await expect(banner).toHaveCount(1);
  await expect(visibleText(page, "Connect a working API key")).toBeVisible();
  await expectWideAndOnPhone(page);
  await banner.getByRole("link", { name: "Replace the key" }).click();
  await page.getByRole("button", { name: "Replace" }).click();
  await connect(page, await issueKey(account.name));
  await expect(visibleText(page, "Wrong password.")).toBeVisible();
  await visibleField(page, "Your password").fill(password);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(visibleText(page, "The key works.")).toBeVisible();
  await expect(banner).toHaveCount(0);
  await page.getByRole("button", { name: "Test now" }).click();
  await expect(visibleText(page, "Working")).toBeVisible();

  await page.getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByRole("dialog")).toContainText("links already sent can be paid");
  await visibleField(page, "Your password").fill(password);
  await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByRole("button", { name: "Connect", exact: true })).toBeVisible();
  await page.goto(`${home}/subscriptions`);
  await expect(visibleText(page, "No API key is connected in test mode")).toBeVisible();
});

test("a support member sees that no API key is connected, without a link to connect a key", async ({
  page,
}) => {
  const { home } = await begin(page, "support");
  await expect(visibleText(page, /Ask an owner or admin/)).toBeVisible();
  await expect(page.getByRole("link", { name: "Connect a key" })).toHaveCount(0);
  await expect(visibleText(page, "Get ready to take payments")).toHaveCount(0);
  await page.goto(`${home}/settings/connection`);
  await expect(visibleText(page, "This page does not exist")).toBeVisible();
});

test("a mode that is not configured names the setting that adds it", async ({ page }) => {
  const { seller } = await begin(page);
  await page.getByRole("link", { name: "Live", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/${seller}/live$`));
  await expect(visibleText(page, /BILLING_API_URL/)).toBeVisible();
  await expect(visibleText(page, "Test mode", { exact: true })).toHaveCount(0);
});

test("switching to live mode explains that the built-in service supports test payments only", async ({
  page,
}) => {
  await begin(page);
  await page.getByRole("link", { name: "Live", exact: true }).click();
  await expect(
    visibleText(page, /The built-in service supports test payments only/),
  ).toBeVisible();
});
