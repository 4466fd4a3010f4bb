import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessibility.ts";
import { tabTo } from "../support/keyboard.ts";
import { GATEWAY_KEY, openBusiness, sellTo, test } from "../support/message-gateway.ts";
import { openOwnSeller } from "../support/own-seller.ts";
import { recordSecret } from "../support/secret-search.ts";
import { expect } from "../support/seller.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";

/** A field of the open dialog; its label may end with "optional". */
const field = (page: Page, label: string) =>
  page.getByRole("dialog").getByLabel(new RegExp(`^${label}\\W*(optional)?\\W*$`, "i"));

const card = (page: Page, name: string) => page.getByRole("region", { name });

/** Fills in the form of a gateway by keyboard alone, with this key. */
async function setUpByKeyboard(
  page: Page,
  { url, key, password }: { url: string; key: string; password: string },
) {
  const press = async (name: string) => {
    await tabTo(page, page.getByRole("button", { name, exact: true }));
    await page.keyboard.press("Enter");
  };
  await press("Set up SMS");
  const type = async (label: string, text: string) => {
    await tabTo(page, field(page, label));
    await page.keyboard.insertText(text);
  };
  const choose = async (label: string, text: string) => {
    await tabTo(page, field(page, label));
    await page.keyboard.type(text);
  };
  await choose("Provider", "Another");
  await type("Your password", password);
  await press("Save");
  const address = field(page, "URL");
  await expect(address).toBeFocused();
  await expect(address).toHaveAttribute("aria-invalid", "true");
  await type("URL", `${url}/send`);
  await choose("Auth", "Bearer");
  await type("Secret", key);
  await tabTo(page, page.locator("summary", { hasText: "More settings" }));
  await page.keyboard.press("Enter");
  await type("Balance URL", `${url}/credit`);
  await type("Balance path", "credit");
  await press("Save");
  await expect(visibleText(page, "SMS is set up.", { exact: false })).toBeVisible();
}

test("an SMS gateway is set up by keyboard, checked and tested, and then sends a buyer's code", async ({
  page,
  gateway,
  buyer: someone,
}) => {
  recordSecret(GATEWAY_KEY);
  const buyer = { ...someone, phone: `+9779841${someone.phone.slice(-6)}` };
  const { home, password } = await openBusiness(page);
  await page.goto(`${home}/settings/messages/channels`);
  await expect(visibleText(page, "No channel is set up")).toBeVisible();
  await expectAccessible(page, "channels, none set up");
  await setUpByKeyboard(page, { url: gateway.url, key: GATEWAY_KEY, password });

  const sms = card(page, "SMS");
  await expect(sms).toContainText("Another SMS gateway (HTTP)");
  await expect(sms).toContainText("/message-reports/");
  await sms.getByRole("button", { name: "Check SMS" }).click();
  await expect(sms).toContainText("Credit left: 412");
  await expectAccessible(page, "channels, one set up");
  expect(await page.content()).not.toContain(GATEWAY_KEY);

  await sms.getByRole("button", { name: "Send a test by SMS" }).click();
  const dialog = page.getByRole("dialog");
  await visibleField(page, "Phone number").fill("12");
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await expect(visibleField(page, "Phone number")).toHaveAttribute("aria-invalid", "true");
  await visibleField(page, "Phone number").fill("+9779812345678");
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await expect(dialog).toContainText("Accepted");
  expect(gateway.taken).toMatchObject([{ to: "+9779812345678" }]);
  await dialog.getByRole("button", { name: "Done" }).click();

  const link = await sellTo(page, home, buyer);
  const checkout = await page.context().newPage();
  await checkout.goto(link);
  await checkout.getByRole("button", { name: "Send me a code" }).click();
  const code = await checkout.locator(".sandbox strong").innerText();
  await expect
    .poll(() => gateway.taken.at(-1))
    .toMatchObject({ to: buyer.phone, text: expect.stringContaining(code) });
  await checkout.getByLabel(/One-time code/).fill(code);
  await checkout.getByRole("button", { name: /^Pay NPR/ }).click();
  await checkout.getByRole("button", { name: "Approve" }).click();
  await expect(checkout.getByText("Payment received")).toBeVisible();

  await page.goto(`${home}/settings/messages/sent`);
  const rows = page.getByRole("table", { name: "Sent messages" }).getByRole("row");
  await expect(rows.nth(1)).toContainText(/Code.*Accepted.*SMS/);
  await expectAccessible(page, "sent messages");
  await expect(rows.nth(1)).toContainText(buyer.phone.slice(-6));
  await expect(rows.nth(2)).toContainText("Test");
  expect(await page.content()).not.toContain(code);
  await visibleField(page, "Kind").selectOption({ label: "Receipt" });
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(visibleText(page, "No message matches")).toBeVisible();
  await page.getByRole("link", { name: "Show all messages" }).click();
  await rows.nth(1).getByRole("link", { name: "Code" }).click();
  await expect(visibleText(page, buyer.full_name).first()).toBeVisible();

  await page.getByRole("button", { name: "Send the bill" }).click();
  const sending = page.getByRole("dialog", { name: `Send the bill to ${buyer.full_name}?` });
  await sending.getByRole("button", { name: "Send the bill" }).click();
  await expect(visibleText(page, /^The bill goes to /)).toBeVisible();
  await expect.poll(() => gateway.taken.at(-1)?.text).toContain("Receipt · रसिद R-");

  const id = new URL(page.url()).pathname.split("/").at(-1);
  await page.goto(`${home}/collection?buyer=${id}`);
  await expect(page.getByRole("region", { name: "Activity" })).toContainText("Code by SMS");

  await page.goto(`${home}/settings/audit-log`);
  for (const text of ["Set up a channel for messages", "Sent a test message"])
    await expect(visibleText(page, text).first()).toBeVisible();
  expect(await page.content()).not.toContain("9812345678");
});

test("a wrong gateway key is reported on the channel's card, and a stored key is kept when other settings change", async ({
  page,
  gateway,
}) => {
  const { home, password } = await openBusiness(page);
  await page.goto(`${home}/settings/messages/channels`);
  await setUpByKeyboard(page, { url: gateway.url, key: "wrong-key-1", password });
  const sms = card(page, "SMS");
  await sms.getByRole("button", { name: "Check SMS" }).click();
  await expect(sms.locator(".notice-danger")).toBeVisible();
  await expect(sms).not.toContainText("Credit left");
  await sms.getByRole("button", { name: "Send a test by SMS" }).click();
  await visibleField(page, "Phone number").fill("+9779812345678");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await expect(dialog).toContainText("Tried again at");
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(sms).toContainText("The provider refused the last message");
  await expectAccessible(page, "a channel with a problem");

  await sms.getByRole("button", { name: "Change SMS" }).click();
  await expect(dialog).toContainText("Stored. Leave it empty to keep it.");
  await dialog.getByLabel("Secret", { exact: true }).fill(GATEWAY_KEY);
  await dialog.getByLabel("Your password").fill("not the password");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toContainText("Wrong password.");
  await dialog.getByLabel("Your password").fill(password);
  const answer = Promise.withResolvers<void>();
  await page.route(page.url() + "**", async (route) => {
    if ("rsc" in route.request().headers()) await answer.promise;
    await route.continue();
  });
  const refresh = page.waitForRequest((request) => "rsc" in request.headers());
  await dialog.getByRole("button", { name: "Save" }).click();
  await refresh;
  // Opened before the page has the saved settings, the form would show and send the older ones.
  await expect(dialog.getByRole("button", { name: "Save" })).toBeDisabled();
  answer.resolve();
  await expect(dialog).toBeHidden();
  await sms.getByRole("button", { name: "Change SMS" }).click();
  await field(page, "Sender").fill("Phewa");
  await dialog.getByLabel("Your password").fill(password);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await sms.getByRole("button", { name: "Check SMS" }).click();
  await expect(sms).toContainText("Credit left: 412");

  await sms.getByRole("button", { name: "Remove SMS" }).click();
  await dialog.getByLabel("Your password").fill(password);
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(visibleText(page, "SMS was removed.")).toBeVisible();
  await expect(visibleText(page, "No channel is set up")).toBeVisible();
});

test("saving a channel that a colleague changed meanwhile is refused, and keeps the typed values", async ({
  page,
  context,
  gateway,
}) => {
  const { home, password } = await openBusiness(page);
  await page.goto(`${home}/settings/messages/channels`);
  await setUpByKeyboard(page, { url: gateway.url, key: GATEWAY_KEY, password });
  const other = await context.newPage();
  await other.goto(`${home}/settings/messages/channels`);
  for (const [screen, sender] of [
    [page, "Mine"],
    [other, "Theirs"],
  ] as const) {
    await card(screen, "SMS").getByRole("button", { name: "Change SMS" }).click();
    const dialog = screen.getByRole("dialog");
    await field(screen, "Sender").fill(sender);
    await dialog.getByLabel("Your password").fill(password);
  }
  await other.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(other.getByRole("dialog")).toBeHidden();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toContainText("Somebody changed these settings in the meantime");
  await expect(field(page, "Sender")).toHaveValue("Mine");
  // The newer version arrives a moment after the refusal.
  await expect(async () => {
    const save = dialog.getByRole("button", { name: "Save" });
    if (await save.isVisible()) await save.click({ timeout: 2_000 });
    await expect(dialog).toBeHidden({ timeout: 2_000 });
  }).toPass();
});

test("the dashboard offers channels for a service that sends no messages, and a viewer may not set up channels", async ({
  page,
  browser,
}) => {
  await openOwnSeller(page, "/settings/messages/channels");
  await expect(visibleText(page, "Automatic reminders")).toBeVisible();
  await page.getByRole("link", { name: "Sent", exact: true }).click();
  await expect(visibleText(page, "This service sends no messages")).toBeVisible();
  await page.getByRole("link", { name: "Channels", exact: true }).click();
  await page.getByRole("button", { name: "Send with Duebook" }).click();
  const begin = page.getByRole("dialog");
  await expectAccessible(page, "before Duebook sends");
  await begin.getByRole("button", { name: "Send with Duebook" }).click();
  await expect(page.getByRole("button", { name: "Set up SMS" })).toBeVisible();
  const context = await browser.newContext();
  const viewer = await context.newPage();
  const { home } = await openOwnSeller(viewer, "", "viewer");
  const answer = await viewer.goto(`${home}/settings/messages/channels`);
  expect(answer?.status()).toBe(404);
  await viewer.goto(`${home}/settings/messages/sent`);
  await expect(viewer.getByRole("link", { name: "Channels" })).toHaveCount(0);
  await context.close();
});
