import type { Page } from "@playwright/test";
import { startPaymentSimulators } from "#tools/simulators/start-payment-simulators.ts";
import {
  expectAccessible,
  expectNoOverflow,
  PHONE_VIEWPORT,
} from "../support/accessibility.ts";
import {
  beginAt,
  chooseAt,
  decide,
  openBusiness,
  openOnPhone,
  openPayments,
  sellTo,
  setUpProvider,
} from "../support/message-gateway.ts";
import { recordSecret } from "../support/secret-search.ts";
import { expect, test } from "../support/seller.ts";
import { visibleText } from "../support/visible-text.ts";

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

type Simulators = Awaited<ReturnType<typeof startPaymentSimulators>>;

const setUpEsewa = (
  page: Page,
  { settings }: Simulators["providers"]["esewa"],
  password: string,
) =>
  setUpProvider(page, "eSewa", {
    password,
    fields: {
      "Product code": settings.productCode,
      "Secret key": settings.secretKey,
      "Form URL": settings.formUrl,
      "Status URL": settings.statusUrl,
    },
  });

test("payment methods are set up, and a buyer who cancelled at one provider pays with another", async ({
  page,
  browser,
  buyer,
}) => {
  const simulators = await startPaymentSimulators();
  try {
    const { khalti, esewa } = simulators.providers;
    for (const { settings } of [khalti, esewa]) recordSecret(settings.secretKey);
    const { home, password } = await openBusiness(page);
    await page.goto(`${home}/settings/payments`);
    await expectAccessible(page, "payment methods, none set up");

    await setUpProvider(page, "Khalti", {
      password,
      fields: { "Secret key": "wrong-key", "Base URL": khalti.settings.baseUrl },
    });
    await card(page, "Khalti").getByRole("button", { name: "Check Khalti" }).click();
    await expect(card(page, "Khalti").locator(".notice-danger")).toBeVisible();
    await page.getByRole("button", { name: "Change Khalti" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("Stored. Leave it empty to keep it.");
    await dialog.getByLabel("Secret key", { exact: true }).fill(khalti.settings.secretKey);
    await dialog.getByLabel("Your password").fill(password);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    await card(page, "Khalti").getByRole("button", { name: "Check Khalti" }).click();
    await expect(card(page, "Khalti")).toContainText("Khalti accepts the key.");

    await setUpEsewa(page, esewa, password);
    await page.getByRole("button", { name: "Move eSewa up" }).click();
    await expect(visibleText(page, "eSewa is now number 1.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Move eSewa up" })).toBeDisabled();
    await expectAccessible(page, "payment methods, two set up");
    await page.setViewportSize(PHONE_VIEWPORT);
    await expectNoOverflow(page, "payment methods on a phone");
    expect(await page.content()).not.toContain(khalti.settings.secretKey);

    await page.getByRole("button", { name: "Change Khalti" }).click();
    await dialog.getByLabel("Ask for no code: Khalti has buyers sign in").check();
    await dialog.getByLabel("Your password").fill(password);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    await expect(card(page, "Khalti")).toContainText("Not required: buyers sign in");

    const link = await sellTo(page, home, buyer);
    const phone = await openOnPhone(browser, link);
    await expect(visibleText(phone, /No code is needed with Khalti/)).toBeVisible();
    await phone.getByRole("radio", { name: "Khalti", exact: true }).check();
    await phone.getByRole("button", { name: "Continue", exact: true }).click();
    await expect(phone.getByRole("heading", { name: "Simulated Khalti" })).toBeVisible();
    await decide(phone, "cancel");
    await expect(phone).toHaveURL(/\/pay\/[\w-]+\?attempt=/);
    await phone.goto(link);
    await chooseAt(phone, "eSewa");
    await phone.getByRole("button", { name: "Continue to eSewa" }).click();
    await expect(phone.getByRole("heading", { name: "Simulated eSewa" })).toBeVisible();
    await decide(phone, "approve");
    await expect(visibleText(phone, /Payment received/)).toBeVisible();
    await phone.context().close();

    const row = page.getByRole("table", { name: "Payments" }).getByRole("row").nth(1);
    await openPayments(page, home, row);
    await expect(row).toContainText(buyer.full_name);
    await expect(row).toContainText("NPR 1,200.00");
    await page.goto(`${home}/settings/audit-log`);
    await expect(
      visibleText(page, "Set up an account at a payment provider").first(),
    ).toBeVisible();
  } finally {
    await simulators.close();
  }
});

test("a payment with an unclear provider answer waits for a member, who decides that it counts as paid", async ({
  page,
  browser,
  buyer,
}) => {
  const simulators = await startPaymentSimulators();
  try {
    const { esewa } = simulators.providers;
    const { home, password } = await openBusiness(page);
    await page.goto(`${home}/payments`);
    await page.getByRole("link", { name: "Money to check", exact: true }).click();
    await expect(visibleText(page, "Nothing to check")).toBeVisible();
    await expectAccessible(page, "no money to check");
    await page.goto(`${home}/settings/payments`);
    await setUpEsewa(page, esewa, password);

    const link = await sellTo(page, home, buyer);
    const phone = await beginAt(browser, link, "eSewa");
    await expect(phone).toHaveURL(/\/go\?/);
    const waiting = phone.url().replace("/go?", "?");
    await phone.getByRole("button", { name: "Continue to eSewa" }).click();
    await expect(phone.getByRole("heading", { name: "Simulated eSewa" })).toBeVisible();
    const [reference = ""] = esewa.book.payments.keys();
    esewa.book.say(reference, "AMBIGUOUS");
    await phone.goto(waiting);

    const see = page.getByRole("link", { name: "See money to check" });
    await expect(async () => {
      await phone.reload();
      await page.goto(home);
      await expect(see).toBeVisible({ timeout: 5_000 });
    }).toPass();
    await see.click();
    const task = page.getByRole("region", { name: buyer.full_name });
    await expect(task).toContainText("eSewa answered “AMBIGUOUS”");
    await expectAccessible(page, "money to check");
    await page.setViewportSize(PHONE_VIEWPORT);
    await expectNoOverflow(page, "money to check on a phone");
    const again = task.getByRole("button", { name: "Ask eSewa again" });
    await expect(async () => {
      await again.click();
      // The page asks at most every five seconds; each answer is a toast of its own.
      await expect(visibleText(page, /it is still to be decided/).first()).toBeVisible({
        timeout: 2_000,
      });
    }).toPass();
    await task.getByRole("button", { name: "Decide" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Decide" }).click();
    await expect(dialog).toContainText("Choose what happened to the money.");
    await dialog.getByRole("radio", { name: "It is paid" }).check();
    await expectAccessible(page, "deciding about money");
    await dialog.getByLabel("Why").fill("Seen in the portal of eSewa");
    await dialog.getByRole("button", { name: "Decide" }).click();
    await expect(visibleText(page, "Decided: it is paid.")).toBeVisible();
    await page.getByRole("link", { name: "Decided", exact: true }).click();
    await expect(task).toContainText("Seen in the portal of eSewa");
    await task.getByRole("link", { name: buyer.full_name }).click();
    await expect(visibleText(page, "Decided about money to check").first()).toBeVisible();

    await phone.reload();
    await expect(visibleText(phone, /Payment received/)).toBeVisible();
    await phone.context().close();
  } finally {
    await simulators.close();
  }
});

test("a statement from eSewa is compared with the payments, and differences wait as money to check", async ({
  page,
  browser,
  buyer,
}) => {
  const simulators = await startPaymentSimulators();
  try {
    const { esewa } = simulators.providers;
    const { home, password } = await openBusiness(page);
    await page.goto(`${home}/settings/payments`);
    await setUpEsewa(page, esewa, password);
    for (const product of ["Buffalo milk, 1 litre", "Cow milk, 1 litre"]) {
      const link = await sellTo(page, home, buyer, product);
      const phone = await beginAt(browser, link, "eSewa");
      await phone.getByRole("button", { name: "Continue to eSewa" }).click();
      await decide(phone, "approve");
      await expect(visibleText(phone, /Payment received/)).toBeVisible();
      await phone.context().close();
    }
    const [same, other] = esewa.book.payments.keys();
    const statement = (heading: string) =>
      [
        "Merchant,Phewa Dairy",
        `${heading},Transaction Amount,Status`,
        `${same},"1,200.00",COMPLETE`,
        `${other},"1,250.00",COMPLETE`,
        'at-the-counter,"50.00",COMPLETE',
      ].join("\n");
    const give = (text: string) => ({
      name: "esewa.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(text),
    });

    await page.goto(`${home}/settings/payments`);
    await expect(card(page, "eSewa")).toContainText("import a statement of the portal");
    await page.getByRole("button", { name: "Import a statement of eSewa" }).click();
    const dialog = page.getByRole("dialog");
    const file = dialog.getByLabel("Statement", { exact: true });
    const compare = dialog.getByRole("button", { name: "Compare", exact: true });
    await compare.click();
    await expect(dialog).toContainText("Choose a file.");
    await file.setInputFiles(give("\u0000\u0001"));
    await compare.click();
    await expect(dialog).toContainText("This is not a CSV or Excel file.");
    await file.setInputFiles(give(statement("Kode")));
    await compare.click();
    await dialog.getByLabel("Our reference").selectOption("Kode");
    await expectAccessible(page, "columns of a statement");
    await compare.click();
    await expect(dialog).toContainText("1 payment agrees");
    await expect(dialog).toContainText("Unknown here");
    await expect(dialog).toContainText("NPR 1,250.00");
    await expectAccessible(page, "a statement compared");
    await page.setViewportSize(PHONE_VIEWPORT);
    await expectNoOverflow(page, "a statement compared on a phone");
    await dialog.getByRole("button", { name: "Open tasks" }).click();
    await expect(visibleText(page, /2 tasks are new/)).toBeVisible();
    await expect(card(page, "eSewa")).toContainText("1 paid there only");

    await card(page, "eSewa").getByRole("button", { name: "Compare now: eSewa" }).click();
    await expect(card(page, "eSewa")).toContainText("eSewa was compared.");
    await card(page, "eSewa").getByRole("link", { name: "Money to check" }).click();
    await expect(visibleText(page, /NPR 50\.00 in its statement/)).toBeVisible();
    await expect(visibleText(page, /lists NPR 1,250\.00/)).toBeVisible();
  } finally {
    await simulators.close();
  }
});
