import { randomBytes } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { Secret, TOTP } from "otpauth";
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { withClient } from "#scripts/database/client.ts";
import { openDatabases } from "#scripts/process/settings.ts";
import { recordSecret } from "./secret-search.ts";
import { duebookUrl, expect } from "./seller.ts";
import { productOfWorker } from "./product.ts";
import { waitForFullPages, visibleField, visibleText } from "./visible-text.ts";

export interface Person {
  name: string;
  email: string;
  password: string;
}

/** A person without an account, used by no other test. */
export function newPerson(name: string): Person {
  const mark = randomBytes(4).toString("hex");
  const password = `correct horse ${mark}`;
  recordSecret(password);
  return { name, email: `person-${mark}@example.com`, password };
}

/** A person with an account and without a seller. */
export async function createPerson(name: string): Promise<Person> {
  const person = newPerson(name);
  await inDashboardDatabase(
    "insert into app_user (email, name, password_hash) values ($1, $2, $3)",
    [person.email, name, await hash(person.password)],
  );
  return person;
}

/** Creates a seller that the person owns, and returns its code. */
export async function createSellerOf({ email }: Person, name: string): Promise<string> {
  const [row] = await inDashboardDatabase(
    `with s as (insert into seller (name, time_zone) values ($2, 'Asia/Kathmandu')
                returning id, code),
          m as (insert into membership (user_id, seller_id, role)
                select u.id, s.id, 'owner' from app_user u, s where u.email = $1)
     select code from s`,
    [email, name],
  );
  return String(row?.["code"]);
}

/** Adds the person to a team without an invitation. */
export async function addMember({ email }: Person, seller: string, role: string) {
  await inDashboardDatabase(
    `insert into membership (user_id, seller_id, role)
     select u.id, s.id, $3 from app_user u, seller s where u.email = $1 and s.code = $2`,
    [email, seller, role],
  );
}

/** Ends all of the person's sessions. */
export async function endSessionsOf({ email }: Person) {
  await inDashboardDatabase(
    `update session set revoked_at = now()
      where user_id = (select id from app_user where email = $1)`,
    [email],
  );
}

/** Runs a statement in the dashboard's database. @returns the rows */
export async function inDashboardDatabase(statement: string, values: unknown[]) {
  const { urls, server } = await openDatabases(productOfWorker().dataDirectory, ["dashboard"]);
  try {
    return await withClient(urls.dashboard, async (client) => {
      const { rows } = await client.query<Record<string, unknown>>(statement, values);
      return rows;
    });
  } finally {
    await server?.close();
  }
}

export async function openBrowserOf(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext(options);
  context.on("page", waitForFullPages);
  return context.newPage();
}

/** Opens the URL, which is the sign-in page or redirects to it, and signs in. */
export async function signInAs(page: Page, person: Person, url = `${duebookUrl()}/sign-in`) {
  await page.goto(url);
  await visibleField(page, "Email").fill(person.email);
  await visibleField(page, "Password", { exact: true }).fill(person.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).not.toHaveURL(/\/sign-in/);
}

/** Switches the second factor on. @returns the recovery codes, and what makes the app's next code */
export async function setUpSecondFactor(page: Page, { password }: Person) {
  await page.getByRole("button", { name: "Set up" }).click();
  await visibleField(page, "Your password").fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  const secret = (await page.getByTestId("secret").innerText()).replaceAll(" ", "");
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  await visibleField(page, "Code from the app").fill("000 000");
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(visibleText(page, "Wrong code.")).toBeVisible();
  await visibleField(page, "Code from the app").fill(app.generate());
  await page.getByRole("button", { name: "Turn on" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const recovery = await codes.allInnerTexts();
  recordSecret(secret, ...recovery);
  await page.getByRole("button", { name: "I have saved them" }).click();
  await expect(visibleText(page, "10 of 10 left")).toBeVisible();
  // The app's current code is used up; the code of the next 30 seconds is accepted already.
  return { recovery, nextCode: () => app.generate({ timestamp: Date.now() + 30_000 }) };
}
