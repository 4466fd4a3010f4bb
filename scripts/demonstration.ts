import type { Page } from "@playwright/test";

/** Who signs in to the demonstration. */
export const demonstrationPerson = () => ({
  email: process.env["DEMO_EMAIL"] || "demo@duebook.example",
  password: process.env["DEMO_PASSWORD"] || "duebook-demo",
});

/** Leaves the page at the overview. @param url where Duebook runs */
export async function signInToDemonstration(page: Page, url: string): Promise<void> {
  const { email, password } = demonstrationPerson();
  await page.goto(`${url}/sign-in`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
}
