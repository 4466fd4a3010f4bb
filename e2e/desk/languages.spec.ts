import { createPerson, createSellerOf, openBrowserOf } from "../support/person.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";
import { duebookUrl, expect, test } from "../support/seller.ts";
import { openPageAs } from "../support/session.ts";
import {
  expectNoViolations,
  expectAccessible,
  PHONE_VIEWPORT,
} from "../support/accessibility.ts";

test("a person chooses the language before or after signing in, and other browsers of that person use it", async ({
  page,
  browser,
}) => {
  await page.goto(`${duebookUrl()}/sign-in`);
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await page.getByRole("button", { name: "नेपाली" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "ne");
  await page.reload();
  await expect(page.getByRole("button", { name: "नेपाली" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  // A browser without Nepali number formats would differ from the server.
  await expect
    .poll(() => page.evaluate(() => new Intl.NumberFormat("ne").format(100_000)))
    .toBe("१,००,०००");
  await expectNoViolations(page, "sign-in in Nepali");

  const person = await createPerson("Sabina Shrestha");
  const seller = await createSellerOf(person, "सगरमाथा Honey");
  await visibleField(page, "इमेल").fill(person.email);
  await visibleField(page, "पासवर्ड", { exact: true }).fill(person.password);
  await page.getByRole("button", { name: "साइन इन गर्नुहोस्" }).click();
  await expect(page).not.toHaveURL(/\/sign-in/);
  await page.goto(`${duebookUrl()}/${seller}/test/settings/account`);
  await page.getByRole("button", { name: "नाम बदल्नुहोस्" }).click();
  await visibleField(page, "तपाईंको नाम").fill("");
  await page.getByRole("button", { name: "सुरक्षित गर्नुहोस्" }).click();
  await expect(visibleText(page, "तपाईंको नाम लेख्नुहोस्।")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("switch", { name: "विक्रम संवत् मिति" }).click();
  await expect(page.getByRole("switch", { name: "विक्रम संवत् मिति" })).toBeChecked();
  await page.setViewportSize(PHONE_VIEWPORT);
  await expectAccessible(page, "account in Nepali");
  const other = await openBrowserOf(browser);
  await openPageAs(other, person, `${duebookUrl()}/${seller}/test/settings/account`);
  await expect(other.locator("html")).toHaveAttribute("lang", "ne");
  await other.getByRole("combobox", { name: "भाषा" }).selectOption("English");
  await expect(other.locator("html")).toHaveAttribute("lang", "en");
  await other.context().close();
});
