import type { Page } from "@playwright/test";
import { Failure } from "./failure.ts";

/** Who signs in to the demonstration. */
export const demonstrationPerson = () => ({
  email: process.env["DEMO_EMAIL"] || "demo@duebook.example",
  password: process.env["DEMO_PASSWORD"] || "duebook-demo",
});

/**
 * The password of the demonstration is in the manual: it must not open a key that moves money.
 * @throws Failure where a live key would be stored for it
 */
export function requireOwnPassword(environment: Record<string, string | undefined>): void {
  if (environment["BILLING_API_KEY"] && !environment["DEMO_PASSWORD"])
    throw new Failure(
      "BILLING_API_KEY is a live key, and everybody knows the demonstration's password. Set DEMO_PASSWORD too, or leave the key out and paste it in the settings.",
    );
}

/** Leaves the page at the overview. @param url where Duebook runs */
export async function signInToDemonstration(page: Page, url: string): Promise<void> {
  const { email, password } = demonstrationPerson();
  await page.goto(`${url}/sign-in`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
}
