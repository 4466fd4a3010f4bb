import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { freePorts, startCommand } from "../support/command.ts";
import {
  clientSettings,
  startIdentityProvider,
  type ProviderPerson,
} from "../support/identity-provider.ts";
import { startMailbox } from "#tools/testing/servers/mailbox.ts";
import { openBrowserOf } from "../support/person.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";
import { billingUrl, expect, test } from "../support/seller.ts";

const OWNER = {
  name: "Bikram Gurung",
  email: "bikram@example.com",
  password: "words of the owner",
};

async function signOut(page: Page) {
  await page.getByRole("button", { name: OWNER.name }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
}

/** Tests an installation with an identity provider and a mail server. */
test("people sign in through the operator's identity provider, and reset a password by email", async ({
  page,
  browser,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "duebook-identity-"));
  const [port = 0, providerPort = 0] = await freePorts(2);
  let someone: ProviderPerson = {
    sub: "staff-1",
    email: "asha@example.com",
    email_verified: true,
    name: "Asha श्रेष्ठ",
  };
  const provider = await startIdentityProvider(providerPort, () => someone);
  const mailbox = await startMailbox();
  const dashboard = startCommand("up.ts", {
    PORT: String(port),
    DATA_DIR: join(folder, ".data"),
    BILLING_SANDBOX_API_URL: billingUrl(),
    ...clientSettings(provider.issuer),
    ...mailbox.settings,
  });
  await dashboard.printed("Duebook is ready.");
  const url = `http://localhost:${port}`;
  const throughProvider = (visitor: Page) =>
    visitor.getByRole("button", { name: "Continue with Example Staff" }).click();

  try {
    const staff = await openBrowserOf(browser);
    await staff.goto(`${url}/sign-in`);
    provider.nameAs("https://elsewhere.example");
    await throughProvider(staff);
    await expect(
      visibleText(staff, "The sign-in provider is set up incorrectly"),
    ).toBeVisible();
    // The log line can appear after the answer.
    await expect.poll(dashboard.output).toContain("name another issuer than OIDC_ISSUER");
    provider.nameAs(provider.issuer);
    // Retries, because the identity provider's metadata is read at most once a second.
    await expect(async () => {
      await throughProvider(staff);
      await expect(staff).toHaveURL(`${url}/welcome`);
    }).toPass();
    await staff.context().close();

    await page.goto(`${url}/sign-up`);
    await visibleField(page, "Your name").fill(OWNER.name);
    await visibleField(page, "Email").fill(OWNER.email);
    await visibleField(page, "Password", { exact: true }).fill(OWNER.password);
    await page.getByRole("button", { name: "Create the account" }).click();
    await expect(page).toHaveURL(`${url}/welcome`);
    await visibleField(page, "Name").fill("Phewa Home");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("link", { name: "Settings", exact: true }).click();

    // A verified email from the provider does not give access to an existing account with a password.
    someone = { ...someone, sub: "staff-2", email: OWNER.email };
    const stranger = await openBrowserOf(browser);
    await stranger.goto(`${url}/sign-in`);
    await throughProvider(stranger);
    await expect(
      visibleText(stranger, "An account with this email already exists"),
    ).toBeVisible();

    await page.getByRole("button", { name: "Link", exact: true }).click();
    await visibleField(page, "Your password").fill(OWNER.password);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(visibleText(page, `${OWNER.email}, since`)).toBeVisible();
    await throughProvider(stranger);
    await expect(stranger.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();

    await signOut(page);
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await expect(page).toHaveURL(/\/forgot-password/);
    for (const email of ["nobody@example.com", OWNER.email]) {
      await page.goto(`${url}/forgot-password`);
      await visibleField(page, "Email").fill(email);
      await page.getByRole("button", { name: "Send the link" }).click();
      await expect(visibleText(page, "has an account, we sent a link")).toBeVisible();
    }
    await expect.poll(() => mailbox.linkTo(OWNER.email)).toMatch(/\/reset-password\//);
    expect(mailbox.received).toHaveLength(1);
    await page.goto(mailbox.linkTo(OWNER.email));
    await visibleField(page, "New password").fill("other words of the owner");
    await page.getByRole("button", { name: "Set the password" }).click();
    await expect(visibleText(page, "Your new password is set")).toBeVisible();
    await visibleField(page, "Email").fill(OWNER.email);
    await visibleField(page, "Password", { exact: true }).fill("other words of the owner");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
    await stranger.reload();
    await expect(stranger).toHaveURL(/\/sign-in/);
    await page.goto(mailbox.linkTo(OWNER.email));
    await expect(visibleText(page, "This link has expired or was already used")).toBeVisible();
    expect(dashboard.output()).not.toMatch(/@example\.com|words of the owner/);
  } finally {
    await dashboard.stop();
    provider.close();
    await mailbox.close();
    await rm(folder, { recursive: true, force: true });
  }
});
