import type { APIRequestContext, Page } from "@playwright/test";
import { openOwnSeller } from "../support/own-seller.ts";
import { addMember, createPerson, openBrowserOf } from "../support/person.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";
import { billingUrl, expect, test } from "../support/seller.ts";
import { openPageAs } from "../support/session.ts";
import { expectAccessible, PHONE_VIEWPORT } from "../support/accessibility.ts";

/** Opens a new seller's sandbox page as its owner. */
async function begin(page: Page) {
  const own = await openOwnSeller(page, "/sandbox");
  await expect(page.getByRole("heading", { name: "Clock", exact: true })).toBeVisible();
  return own;
}

const startScenario = (request: APIRequestContext, key: string, name: string) =>
  request.post(`${billingUrl()}/sandbox/scenarios/`, {
    headers: { authorization: `Bearer ${key}` },
    data: { name },
  });

const choice = (page: Page, name: string) =>
  page.getByRole("group", { name: "Move the clock" }).getByRole("button", { name });
const move = (page: Page) => page.getByRole("button", { name: "Move the clock", exact: true });
const steps = (page: Page, name: "What will happen" | "What happened") =>
  page.getByRole("list", { name }).getByRole("listitem");

/** Moves the clock and expects exactly the forecast changes. @returns their number */
async function moveAsForecast(page: Page): Promise<number> {
  await expect(move(page)).toBeVisible();
  const forecast = await steps(page, "What will happen").allInnerTexts();
  await move(page).click();
  await expect(visibleText(page, "The clock is now at")).toBeVisible();
  expect(await steps(page, "What happened").allInnerTexts()).toEqual(forecast);
  return forecast.length;
}

test("after a sandbox scenario is loaded, moving the clock has the forecast effects, and a reset restores the start", async ({
  page,
}) => {
  const { home, name: sellerName } = await begin(page);
  await expect(visibleText(page, "No upcoming changes")).toBeVisible();
  await expectAccessible(page, "an empty sandbox");

  await page.getByRole("button", { name: "Load Some due" }).click();
  const beginning = page.getByRole("dialog", { name: "Load “Some due”?" });
  const name = beginning.getByLabel("to confirm");
  await expect(name).toBeFocused();
  await name.fill("Somebody else");
  await page.keyboard.press("Enter");
  await expect(beginning).toContainText("This is not the name of the business");
  await expectAccessible(page, "a scenario's dialog");
  await name.fill(sellerName.toLowerCase());
  await page.keyboard.press("Enter");
  // Searches only the page's main part, because the toast with the undo button says the same.
  const main = page.getByRole("main");
  await expect(main.getByText("“Some due” is loaded")).toBeVisible();
  await expect(visibleText(page, "Loaded last")).toBeVisible();

  await page
    .getByRole("button", { name: /^Jump to the next event: 3 become inactive/ })
    .click();
  await expect(visibleText(page, "The clock is now at")).toBeVisible();
  await expect(steps(page, "What happened")).toHaveCount(3);
  await expect(steps(page, "What happened").first()).toContainText("due → inactive");
  await choice(page, "+1 month").click();
  await expectAccessible(page, "a forecast");
  expect(await moveAsForecast(page)).toBeGreaterThanOrEqual(3);
  await expect(visibleText(page, /\d+ days ahead/)).toBeVisible();

  await steps(page, "What happened").getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Sandbox");
  await page.goto(`${home}/subscriptions?status=inactive`);
  await expect(page.getByRole("row")).toHaveCount(7);

  await page.goto(`${home}/sandbox`);
  await page.getByRole("button", { name: "Back to real time" }).click();
  const setting = page.getByRole("dialog", { name: "Set the clock back to real time?" });
  await expect(setting).toContainText("what became due stays due");
  await expectAccessible(page, "back to real time");
  await setting.getByRole("button", { name: "Back to real time" }).click();
  await expect(visibleText(page, "days ahead")).toHaveCount(0);

  await page.getByRole("button", { name: "Reset to its start" }).click();
  const resetting = page.getByRole("dialog", { name: "Reset the sandbox?" });
  await resetting.getByLabel("to confirm").fill(sellerName);
  await resetting.getByRole("button", { name: "Reset the sandbox" }).click();
  await expect(main.getByText("The sandbox is back at the start of “Some due”")).toBeVisible();
  await page.goto(`${home}/subscriptions?status=due`);
  await expect(page.getByRole("row")).toHaveCount(4);
});

test("a simulated payment has the chosen result in the sandbox, and the clock can be moved to the due date", async ({
  page,
  request,
}) => {
  const { home, key } = await begin(page);
  await startScenario(request, key, "some_due");
  await page.reload();
  const card = page.getByRole("region", { name: "Simulate a payment" });
  const ends = card.getByLabel("Payment result");
  const simulate = card.getByRole("button", { name: "Simulate the payment" });
  await expect(card.getByLabel("Subscription")).toContainText("Asmita Rai");
  for (const [outcome, words, event] of [
    ["Decline", "The payment was declined. The subscription stays due.", "checkout.failed"],
    [
      "Not enough balance",
      "not enough balance. The subscription stays due.",
      "checkout.failed",
    ],
    ["Time out", "The payment timed out. The subscription stays due.", "checkout.failed"],
    ["Abandon", "The buyer abandoned the payment.", "No event was sent."],
    ["Pay", "Paid. The subscription went from due to active.", "checkout.succeeded"],
  ] as const) {
    await ends.selectOption({ label: outcome });
    await simulate.click();
    await expect(card).toContainText(words);
    await expect(card).toContainText(event);
  }
  await expectAccessible(page, "a simulated payment");
  await card.getByRole("link", { name: "Open the subscription" }).click();

  await expect(page.getByRole("heading", { name: "Payment link" })).toBeVisible();
  await expect(visibleText(page, "Active", { exact: true }).first()).toBeVisible();
  const buyer = await page.getByRole("heading", { level: 1 }).innerText();
  await expect(simulate).toBeVisible();
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await simulate.click();
  await expect(card).toContainText("Paid. The subscription stays active.");
  await expect(visibleText(page, "Simulated a payment").first()).toBeVisible();
  await expectAccessible(page, "the subscription's page");
  await card.getByRole("link", { name: "Move the clock to the due date" }).click();
  const own = steps(page, "What will happen").filter({ hasText: buyer });
  await expect(own).toContainText("active → due");
  await moveAsForecast(page);
  await page.goto(`${home}/subscriptions/${id}`);
  await expect(visibleText(page, "Due", { exact: true }).first()).toBeVisible();

  await page.goto(`${home}/sandbox`);
  await card.getByLabel("Subscription").selectOption({ label: "Another subscription" });
  const other = card.getByLabel("ID or link");
  await other.fill("two words");
  await simulate.focus();
  await page.keyboard.press("Enter");
  await expect(card.getByRole("tooltip")).toHaveText("Choose a subscription first.");
  await other.fill(`${billingUrl()}/pay/${id}`);
  await simulate.click();
  await expect(card).toContainText("Paid. The subscription went from due to active.");
  await other.fill("00000000-0000-4000-8000-000000000000");
  await simulate.click();
  await expect(card.getByRole("alert")).toContainText("does not exist");
});

test("on a phone a viewer sees the forecast but cannot move the clock, and a lost answer is reported", async ({
  page,
  browser,
  request,
}) => {
  const { home, seller, key } = await begin(page);
  await startScenario(request, key, "last_day_of_grace");
  await page.reload();
  await choice(page, "+1 day").click();
  await expect(steps(page, "What will happen")).toContainText("due → inactive");
  const sent: string[] = [];
  await page.route(page.url(), async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    sent.push(route.request().url());
    return route.abort();
  });
  await move(page).click();
  await expect(visibleText(page, "No answer arrived")).toBeVisible();
  await expect(visibleText(page, "has not reached")).toBeVisible();
  expect(sent).toHaveLength(1);
  await expectAccessible(page, "a lost move");
  await page.unroute(page.url());
  await page.getByRole("button", { name: "Continue the move" }).click();
  await expect(visibleText(page, "The clock is now at")).toBeVisible();
  await expect(steps(page, "What happened")).toContainText("due → inactive");

  await choice(page, "+1 week").click();
  await expect(move(page)).toBeVisible();
  await page.route(page.url(), async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fetch();
    return route.abort();
  });
  await move(page).click();
  await expect(visibleText(page, "The clock has since reached")).toBeVisible();
  await expect(move(page)).toHaveCount(0);
  await page.unroute(page.url());

  await choice(page, "To a date and time").click();
  await visibleField(page, "Date and time").fill("2020-01-01T00:00");
  await page.getByRole("button", { name: "Show forecast" }).click();
  await expect(visibleText(page, "The clock only goes forward: choose a later")).toBeVisible();
  await visibleField(page, "Date and time").fill("2099-01-01T00:00");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "five years" })).toBeVisible();

  const viewer = await createPerson("Sita Rai");
  await addMember(viewer, seller, "viewer");
  const theirs = await openBrowserOf(browser, { viewport: PHONE_VIEWPORT });
  await openPageAs(theirs, viewer, `${home}/sandbox`);
  await choice(theirs, "+1 week").click();
  await expect(visibleText(theirs, "Nothing changes by then")).toBeVisible();
  await move(theirs).focus();
  await theirs.keyboard.press("Enter");
  await expect(theirs.getByRole("tooltip")).toContainText("Your role (viewer)");
  await expect(theirs.getByRole("button", { name: "Back to real time" })).toHaveCount(0);
  await expectAccessible(theirs, "a viewer's phone");
  await theirs.getByRole("button", { name: "Load Some due" }).focus();
  await theirs.keyboard.press("Enter");
  await expect(theirs.getByRole("tooltip")).toContainText("Your role (viewer)");
  await expect(theirs.getByRole("dialog")).toHaveCount(0);

  await theirs.goto(`${home.replace(/test$/, "live")}/sandbox`);
  await theirs.getByRole("link", { name: "Open it in test mode" }).click();
  await expect(theirs.getByRole("heading", { name: "Clock", exact: true })).toBeVisible();
  await theirs.context().close();
});
