import type { Page } from "@playwright/test";
import { addMember, createPerson } from "../support/person.ts";
import { expectInteractive } from "../support/keyboard.ts";
import { visibleField } from "../support/visible-text.ts";
import { duebookUrl, expect, signIn, test } from "../support/seller.ts";
import { openPageAs } from "../support/session.ts";
import { expectAccessible, PHONE_VIEWPORT } from "../support/accessibility.ts";

/** Signs in a new member of the demonstration's seller. @returns the base URL of its pages */
async function newColleague(page: Page, path: string): Promise<string> {
  await signIn(page);
  const [, seller = ""] = new URL(page.url()).pathname.split("/");
  const person = await createPerson("Sarita Gurung");
  await addMember(person, seller, "support");
  const home = `${duebookUrl()}/${seller}/test`;
  await page.context().clearCookies();
  await openPageAs(page, person, `${home}${path}`);
  return home;
}

test("a new member is offered the tour once, follows it by keyboard, and can leave it at any step", async ({
  page,
}) => {
  const home = await newColleague(page, "");
  const invitation = page.getByRole("region", { name: "Start the tour" });
  await expect(invitation).toBeVisible();
  await expectAccessible(page, "the invitation");
  const start = invitation.getByRole("button", { name: "Start the tour" });
  await expect(start).toBeEnabled();
  await start.press("Enter");
  const card = page.getByRole("dialog", { name: "Start with what is due" });
  await expect(card).toBeFocused();
  await expect(page.locator("[data-tour-target]")).toHaveAttribute("href", /status=due$/);
  await expectAccessible(page, "a step of the tour");
  for (const name of [
    "Create a subscription",
    "Send the payment link",
    "Reschedule, cancel, resume",
    "Find the rest quickly",
  ]) {
    await page.getByRole("button", { name: "Next", exact: true }).press("Enter");
    await expect(page.getByRole("dialog", { name })).toBeFocused();
    await expect(page.locator("[data-tour-target]")).toBeVisible();
  }
  // A reload before the answer would abort the request.
  const kept = page.waitForResponse((response) => response.request().method() === "POST");
  await page.keyboard.press("Escape");
  await kept;
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.locator("[data-tour-target]")).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  await expect(invitation).toHaveCount(0);

  // The tour can be started again from the menu, also on a phone.
  await page.setViewportSize(PHONE_VIEWPORT);
  await page.getByRole("button", { name: "Sarita Gurung" }).click();
  await page.getByRole("menuitem", { name: "Show me around" }).click();
  await expect(card).toBeVisible();
  await page.getByRole("button", { name: "Leave the tour" }).click();
  await expect(page).toHaveURL(home);
  await expect(card).toHaveCount(0);
});

test("the quick guide prints on one page", async ({ page }) => {
  await newColleague(page, "/guide");
  await expect(page.getByRole("heading", { name: "Quick guide", level: 1 })).toBeVisible();
  await expectAccessible(page, "the quick guide");
  const pdf = await page.pdf({ format: "A4", margin: { top: "1cm", bottom: "1cm" } });
  expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});

test("a form with unsaved changes asks before leaving", async ({ page }) => {
  await signIn(page);
  const settings = page.url().replace(/\/subscriptions$/, "/settings/seller");
  await page.goto(settings);
  await expect(page.getByRole("button", { name: "Save" })).toBeEnabled();
  await visibleField(page, "Page after payment").fill("https://shop.example/thanks");
  await page.getByRole("link", { name: "Products" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await expect(question.getByRole("button", { name: "Stay" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(settings);
  await expect(visibleField(page, "Page after payment")).toHaveValue(
    "https://shop.example/thanks",
  );
  await page.getByRole("link", { name: "Products" }).click();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { name: "Products", level: 1 })).toBeVisible();

  // The browser's back and forward buttons ask too.
  await page.goBack();
  await expectInteractive(page, page.getByRole("button", { name: "Save" }));
  await visibleField(page, "Page after payment").fill("https://shop.example/other");
  await page.evaluate(() => window.history.forward());
  await expect(question.getByRole("button", { name: "Stay" })).toBeFocused();
  await expect(page).toHaveURL(settings);
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { name: "Products", level: 1 })).toBeVisible();
});
