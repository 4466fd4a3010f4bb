import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessibility.ts";
import {
  GATEWAY_KEY,
  openBusiness,
  payInBrowser,
  sellTo,
  test,
  type Gateway,
} from "../support/message-gateway.ts";
import { openOwnSeller } from "../support/own-seller.ts";
import { expect, type Buyer } from "../support/seller.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";

const ASHA = {
  full_name: "Asha Rai",
  phone: "+9779841100001",
  email: "asha@buyers.example",
};
const BINOD = {
  full_name: "Binod Karki",
  phone: "+9779841100002",
  email: "binod@buyers.example",
};

/** Sets up the gateway as the seller's SMS channel. */
async function setUpSms(page: Page, home: string, gateway: Gateway, password: string) {
  await page.goto(`${home}/settings/messages/channels`);
  await page.getByRole("button", { name: "Set up SMS" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Provider").selectOption({ label: "Another SMS gateway (HTTP)" });
  await dialog.getByLabel(/^URL/).fill(`${gateway.url}/send`);
  await dialog.getByLabel(/^Auth\W*(optional)?$/i).selectOption({ label: "Bearer" });
  await dialog.getByLabel("Secret", { exact: true }).fill(GATEWAY_KEY);
  await dialog.getByLabel("Your password").fill(password);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
}

/** Moves the sandbox's clock to a local time of the seller, YYYY-MM-DDTHH:MM. */
async function moveClock(page: Page, home: string, to: string) {
  await page.goto(`${home}/sandbox`);
  await page.getByRole("button", { name: "To a date and time" }).click();
  await visibleField(page, "Date and time").fill(to);
  await page.getByRole("button", { name: "Show forecast" }).click();
  await page.getByRole("button", { name: "Move the clock", exact: true }).click();
  await expect(visibleText(page, "The clock is now at", { exact: false })).toBeVisible();
}

const step = (page: Page, number: number) =>
  page.getByRole("region", { name: new RegExp(`^Step ${number}:`) });

async function openToday(page: Page, home: string, count: number) {
  await page.goto(`${home}/collection`);
  await page.getByRole("button", { name: `Goes out today: ${count}` }).click();
  return page.getByRole("dialog");
}

test("a reminder schedule is set up and runs, and stops for a payment, a hold, a promise and an opt-out", async ({
  page,
  context,
  gateway,
  buyer,
}) => {
  const { home, password } = await openBusiness(page);
  await setUpSms(page, home, gateway, password);
  // From noon on, no midnight passes between the two sales.
  const tomorrow = Temporal.Now.plainDateISO("Asia/Kathmandu").add({ days: 1 });
  await moveClock(page, home, `${tomorrow.toString()}T12:00`);
  const sell = async (who: Omit<Buyer, "address">, product: string) => {
    const link = await sellTo(page, home, { ...buyer, ...who }, product);
    await payInBrowser(context, link);
    return link;
  };
  await sell(ASHA, "Buffalo milk");
  const linkOfBinod = await sell(BINOD, "Cow milk");
  const remindersTo = ({ phone }: { phone: string }) =>
    gateway.taken.filter(({ to, text }) => to === phone && text.includes("/stop/"));

  await page.goto(`${home}/settings/messages/reminders`);
  await expect(visibleText(page, "Nothing is sent until you switch it on.")).toBeVisible();
  await expectAccessible(page, "no schedule of reminders");
  await page.getByRole("button", { name: "Use the usual five steps" }).click();
  await step(page, 1).getByLabel("Time").fill("07:00");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(step(page, 1).getByLabel("Time")).toHaveAttribute("aria-invalid", "true");
  await expect(step(page, 1)).toContainText("This time lies in the quiet hours.");
  await step(page, 1).getByLabel("Time").fill("09:00");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(step(page, 1)).toContainText(ASHA.full_name);
  await expect(step(page, 1)).toContainText("NPR 1,200.00");
  await expect(step(page, 1)).toContainText(`SMS to ${ASHA.phone}`);
  const next = await step(page, 1).getByRole("time").first().getAttribute("datetime");
  await expectAccessible(page, "a previewed schedule");
  await visibleField(page, "Send reminders by this schedule").check();
  await page.getByRole("button", { name: "Save and switch on" }).click();
  await expect(visibleText(page, /^On since/)).toBeVisible();
  expect(gateway.taken.filter(({ text }) => text.includes("/stop/"))).toEqual([]);

  const day = Temporal.Instant.from(next ?? "").toZonedDateTimeISO("Asia/Kathmandu");
  const local = (days: number, time: string) =>
    `${day.add({ days }).toPlainDate().toString()}T${time}`;
  await moveClock(page, home, local(0, "08:30"));
  const today = await openToday(page, home, 2);
  await expectAccessible(page, "reminders of today");
  await today.getByRole("button", { name: `Hold the reminder to ${ASHA.full_name}` }).click();
  await expect(today).toContainText("Asha Rai: the reminder is held.");
  await expect(today).toContainText("Goes out today: 1");
  await today
    .getByRole("button", { name: `Send now: the reminder to ${BINOD.full_name}` })
    .click();
  await expect.poll(() => remindersTo(BINOD).length).toBe(1);
  expect(remindersTo(BINOD)[0]?.text).toContain("1,200.00");
  await expect(today.getByRole("listitem").filter({ hasText: BINOD.full_name })).toContainText(
    "Accepted",
  );

  await moveClock(page, home, local(3, "08:30"));
  await payInBrowser(context, `${linkOfBinod}?early=1`);
  await (await openToday(page, home, 1)).getByRole("link", { name: ASHA.full_name }).click();
  await page.getByRole("button", { name: "Promised" }).click();
  await page.getByRole("menuitem", { name: "Tomorrow" }).click();
  await expect(visibleText(page, /^Asha Rai promised to pay on/)).toBeVisible();
  await expect(await openToday(page, home, 0)).toContainText("Held");
  await moveClock(page, home, local(3, "09:05"));
  await expect(await openToday(page, home, 0)).toContainText("No reminders are planned today.");
  await moveClock(page, home, local(5, "09:05"));
  await expect.poll(() => remindersTo(ASHA).length, { timeout: 30_000 }).toBe(1);
  expect(remindersTo(BINOD)).toHaveLength(1);

  const [, stop] = /(https?:\S+\/stop\/\S+)/.exec(remindersTo(ASHA)[0]?.text ?? "") ?? [];
  const stopped = await context.newPage();
  await stopped.goto(stop ?? "");
  await stopped.getByRole("button", { name: "Stop reminders" }).click();
  await expect(stopped.getByText("no longer sends you reminders")).toBeVisible();
  await stopped.close();
  await moveClock(page, home, local(10, "08:30"));
  await expect(await openToday(page, home, 0)).toContainText("No reminders are planned today.");

  await page.goto(`${home}/settings/messages/sent`);
  const sent = page.getByRole("table", { name: "Sent messages" }).getByRole("row");
  await sent
    .filter({ hasText: ASHA.phone.slice(-6) })
    .getByRole("link", { name: "Reminder" })
    .click();
  await page.getByRole("button", { name: "Show all, with messages and deliveries" }).click();
  await expect(page.getByRole("region", { name: "History" })).toContainText("Reminder by SMS");
});

test("reminders go out in Maithili to a buyer who reads it, and the preview names a step without a Maithili text", async ({
  page,
  context,
  gateway,
  buyer,
}) => {
  const { home, password } = await openBusiness(page);
  await setUpSms(page, home, gateway, password);
  await payInBrowser(context, await sellTo(page, home, { ...buyer, ...ASHA }, "Buffalo milk"));

  await page.goto(`${home}/settings/messages`);
  await page.getByRole("button", { name: "Add a language" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a language" });
  await dialog.getByLabel("Language code").fill("maithili");
  await dialog.getByRole("button", { name: "Add a language" }).click();
  await expect(dialog.getByLabel("Language code")).toHaveAccessibleDescription(
    "Enter a language code such as mai or hi.",
  );
  await dialog.getByLabel("Language code").fill("mai");
  await dialog.getByRole("button", { name: "Add a language" }).click();
  await expect(dialog).toBeHidden();
  const renewal = page.getByRole("form", { name: "Renewal" });
  const text = "प्रणाम {name}, {date} धरि {amount}: {link}";
  await renewal.getByLabel("In मैथिली").fill(text);
  await renewal.getByRole("button", { name: "Save" }).click();
  await expect(renewal.getByText("Saved")).toBeVisible();
  await expectAccessible(page, "message templates in a third language");

  await page.goto(`${home}/settings/messages/reminders`);
  await page.getByRole("button", { name: "Use the usual five steps" }).click();
  await step(page, 1).getByText("Texts", { exact: true }).click();
  const maithili = step(page, 1).getByRole("group", { name: "मैथिली" });
  await expect(maithili.getByLabel("Message")).toHaveValue(text);
  await maithili.getByLabel("Subject of a mail").fill("{product}");
  await step(page, 2).getByText("Texts", { exact: true }).click();
  await step(page, 2).getByRole("group", { name: "मैथिली" }).getByLabel("Message").fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(
    visibleText(page, "Saved. Nothing is sent until you switch it on."),
  ).toBeVisible();

  await page.goto(`${home}/customers`);
  await page.getByRole("link", { name: ASHA.full_name }).first().click();
  await visibleField(page, "Language of messages").selectOption({ label: "मैथिली" });
  await expect(visibleField(page, "Language of messages")).toHaveValue("mai");
  await expect(visibleField(page, "Language of messages")).toBeEnabled();
  await page.goto(`${home}/settings/messages/reminders`);
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(step(page, 1)).toContainText(`प्रणाम ${ASHA.full_name}, `);
  await expect(step(page, 1)).toContainText("NPR 1,200.00: http");
  await expect(step(page, 2)).toContainText(
    "The buyer's language is मैथिली. This step has no text in it, so it goes in English.",
  );
  await expectAccessible(page, "a preview in a third language");
});

test("saving a reminder schedule that a colleague changed meanwhile is refused, and keeps the typed values", async ({
  page,
  context,
}) => {
  const { home } = await openBusiness(page);
  const path = `${home}/settings/messages/reminders`;
  const other = await context.newPage();
  for (const screen of [page, other]) {
    await screen.goto(path);
    await screen.getByRole("button", { name: "Use the usual five steps" }).click();
  }
  await step(page, 1).getByLabel("Days", { exact: true }).fill("5");
  await other.getByRole("button", { name: "Save", exact: true }).click();
  await expect(visibleText(other, "Saved.", { exact: false }).first()).toBeVisible();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(
    visibleText(page, "Somebody changed the schedule in the meantime"),
  ).toBeVisible();
  await expect(step(page, 1).getByLabel("Days", { exact: true })).toHaveValue("5");
  // The newer version arrives a moment after the refusal.
  await expect(async () => {
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(visibleText(page, "Saved.", { exact: false }).first()).toBeVisible({
      timeout: 2_000,
    });
  }).toPass();
});

test("a member notes a buyer's opt-out from reminders, finds it by phone number, and removes it", async ({
  page,
}) => {
  const { home } = await openBusiness(page);
  await page.goto(`${home}/settings/messages/opt-outs`);
  await expect(visibleText(page, "Nobody has opted out")).toBeVisible();
  await page.getByRole("button", { name: "Stop reminders" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Phone").fill(ASHA.phone);
  await dialog.getByLabel("Reason").fill("Asked on the phone");
  await expectAccessible(page, "an opt-out to note");
  await dialog.getByRole("button", { name: "Stop reminders" }).click();
  const row = page.getByRole("listitem").filter({ hasText: ASHA.phone });
  await expect(row).toContainText("noted by your team: Asked on the phone");
  const search = visibleField(page, "Phone or mail address");
  await search.fill("9800000077");
  await page.getByRole("button", { name: "Find" }).click();
  await expect(visibleText(page, "No opt-out matches.")).toBeVisible();
  await search.fill("9841100001");
  await page.getByRole("button", { name: "Find" }).click();
  await expect(visibleText(page, "1 opt-out found")).toBeVisible();
  await expectAccessible(page, "who wants no reminders");
  await row.getByRole("button", { name: /^Remind again/ }).click();
  await dialog.getByLabel("Reason").fill("Wrote that they want them");
  await dialog.getByRole("button", { name: "Remind again" }).click();
  await expect(visibleText(page, "No opt-out matches.")).toBeVisible();
});

test("the dashboard offers reminders for a service without them, and a viewer cannot open the reminder schedule", async ({
  page,
  browser,
}) => {
  await openOwnSeller(page, "/settings/messages/reminders");
  await expect(visibleText(page, "Automatic reminders")).toBeVisible();
  const viewing = await browser.newContext();
  const viewer = await viewing.newPage();
  const { home } = await openOwnSeller(viewer, "", "viewer");
  const answer = await viewer.goto(`${home}/settings/messages/reminders`);
  expect(answer?.status()).toBe(404);
  await viewing.close();
});
