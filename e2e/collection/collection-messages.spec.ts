import type { QueuePage } from "#lib/collection/queries.ts";
import {
  openBuyerTitle,
  buyerNameOfRow,
  openCollectionDesk,
  queueRows,
} from "../support/collection-desk.ts";
import { callActionByName, createMember } from "../support/intruder.ts";
import { inDashboardDatabase } from "../support/person.ts";
import { expectInteractive, pressKeys } from "../support/keyboard.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";
import { duebookUrl, expect, expectInClipboard, signIn, test } from "../support/seller.ts";
import { expectAccessible, PHONE_VIEWPORT } from "../support/accessibility.ts";

test("messages to selected buyers are sent one after the other, by keyboard and on a phone", async ({
  page,
}) => {
  const { seller, opened } = await openCollectionDesk(
    page,
    "Bina Gurung",
    "/collection?group=soon&ahead=14",
  );
  const boxes = page.getByRole("checkbox", { name: /^Select / }).filter({ visible: true });
  const open = page
    .getByRole("button", { name: /^Open in WhatsApp/ })
    .filter({ visible: true });
  const at = (text: string | RegExp) => expect(visibleText(page, text)).toBeVisible();
  await expectInteractive(page, open);
  await expectInteractive(page, boxes.nth(1));
  const names = await Promise.all([5, 6, 7, 8].map((row) => buyerNameOfRow(page, row)));
  const id = await queueRows(page).nth(8).getAttribute("data-row");
  // Selects the sixth to the ninth row, and then deselects one of them.
  await queueRows(page).nth(5).getByRole("link").focus();
  await pressKeys(page, "x", "j", "j", "j", "Shift+X");
  await at("4 selected");
  await expectAccessible(page, "selected");
  await pressKeys(page, "w");
  await at("Message 1 of 4");
  await expect(openBuyerTitle(page)).toHaveText(names[0] ?? "");
  await expect(openBuyerTitle(page)).toBeFocused();
  await pressKeys(page, "m");
  await at("Message 2 of 4");
  await expect(openBuyerTitle(page)).toHaveText(names[1] ?? "");
  await expect.poll(() => opened.length).toBe(1);
  await expect(page.getByRole("link", { name: "Open again" })).toHaveAttribute(
    "href",
    /wa\.me/,
  );
  // The recipient of an undone message is the next one again.
  await pressKeys(page, "u");
  await at("Message 1 of 4");
  await expect(openBuyerTitle(page)).toHaveText(names[0] ?? "");
  await pressKeys(page, "m");
  await at("Message 2 of 4");
  // A reload continues with the same buyer.
  await page.reload();
  await at("Message 2 of 4");
  await expectInteractive(page, open);
  await pressKeys(page, "s");
  await at(`${names[1]} skipped.`);
  // A key that is pressed before the next buyer opens still applies to the open one.
  await expect(openBuyerTitle(page)).toHaveText(names[2] ?? "");
  await expect(openBuyerTitle(page)).toBeFocused();
  await pressKeys(page, "p");
  await expect(page.getByRole("menuitem").first()).toBeFocused();
  await pressKeys(page, "Enter");
  await at("Message 4 of 4");
  // A colleague sends a reminder first.
  const { cookie } = await createMember(seller, "support");
  const input = { subscription_id: id, channel: "viber", language: null, seen: null };
  const scope = { seller, mode: "test" };
  const answer = await callActionByName("remindAction", seller, [scope, input], { cookie });
  expect(answer).toMatchObject({ ok: true });
  await pressKeys(page, "Escape");
  await at("1 message left.");
  await page.reload();
  await at("1 message left.");
  await expectInteractive(page, page.getByRole("button", { name: /^Continue/ }));
  await pressKeys(page, "w");
  await at("The support has just contacted this buyer.");
  await expectAccessible(page, "a message");
  await pressKeys(page, "s");
  await expect(page.getByRole("heading", { name: "4 messages done" })).toBeFocused();
  await at("1 message opened · 1 logged · 1 contacted by a colleague · 1 skipped");
  await expectAccessible(page, "summary");
  await page.getByRole("button", { name: names[1] ?? "" }).click();
  await at("Message 2 of 4");
  await expect(openBuyerTitle(page)).toHaveText(names[1] ?? "");
  await expectInteractive(page, open);
  await pressKeys(page, "m");
  await at("2 messages opened · 1 logged · 1 contacted by a colleague");
  await pressKeys(page, "Escape");
  await expect(visibleText(page, "4 messages done")).toHaveCount(0);

  await page.setViewportSize(PHONE_VIEWPORT);
  await page.goto(`${duebookUrl()}/${seller}/test/collection?group=waiting`);
  await expectInteractive(page, boxes.nth(2));
  await boxes.nth(1).click();
  await boxes.nth(2).click();
  await expectAccessible(page, "selected on a phone");
  await page.getByRole("button", { name: "Prepare 2 messages" }).click();
  await at("Message 1 of 2");
  await expectAccessible(page, "a message on a phone");
  await page.getByRole("button", { name: "Skip" }).click();
  await at("Message 2 of 2");
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(visibleText(page, "1 message left.")).toHaveCount(0);
});

test("a late answer does not change the open buyer, and buyers selected later are put at the end of the queue", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  // Simulates a browser that refuses to copy after a request.
  await page.addInitScript(() => {
    document.execCommand = () => false;
    navigator.clipboard.writeText = () => Promise.reject(new Error("not in a press"));
  });
  await openCollectionDesk(page, "Hira Magar", "/collection?group=soon&ahead=30");
  const text = visibleField(page, "Message (editable)");
  const copy = page.getByRole("button", { name: /^Copy link/ }).filter({ visible: true });
  const box = (row: number) => queueRows(page).nth(row).getByRole("checkbox");
  const at = (words: string | RegExp) => expect(visibleText(page, words)).toBeVisible();
  const goTo = (row: number) => queueRows(page).nth(row).getByRole("link").focus();
  /** Holds every action until it is released, and then ends it in the given way. */
  async function holdActions(end: "fallback" | "abort" = "fallback") {
    const gate = Promise.withResolvers<void>();
    const url = /\/test\/collection\?/;
    await page.route(url, async (route) => {
      const isAction = route.request().method() === "POST";
      if (isAction) await gate.promise;
      await route[isAction ? end : "fallback"]();
    });
    return async () => {
      // Waits for the failure, because removing the route lets requests through that are still held.
      const ended =
        end === "abort" &&
        page.waitForEvent("requestfailed", (request) => request.method() === "POST");
      gate.resolve();
      await ended;
      return page.unroute(url);
    };
  }
  await expectInteractive(page, copy);
  await expectInteractive(page, box(12));
  const names = await Promise.all([10, 11, 12, 13, 14].map((row) => buyerNameOfRow(page, row)));
  await goTo(10);
  await pressKeys(page, "x", "j", "x", "j", "x", "w");
  await at("Message 1 of 3");
  await expect(openBuyerTitle(page)).toHaveText(names[0] ?? "");
  await expectInteractive(page, copy);
  let letGo = await holdActions();
  await pressKeys(page, "l", "s");
  await expect(openBuyerTitle(page)).toHaveText(names[1] ?? "");
  await at("Message 2 of 3");
  await pressKeys(page, "s");
  await at("Message 3 of 3");
  await expect(openBuyerTitle(page)).toHaveText(names[2] ?? "");
  const typed = `Dear ${names[2]}, ${await text.inputValue()}`;
  await text.fill(typed);
  await letGo();
  await at(`Link for ${names[0]} copied.`);
  await expectInClipboard(page, /\/pay\/[\w-]+$/);
  await at("1 message opened · 1 skipped");
  await expect(openBuyerTitle(page)).toHaveText(names[2] ?? "");
  await expect(text).toHaveValue(typed);

  // An undo that arrives late waits until the earlier action has ended.
  await openBuyerTitle(page).focus();
  letGo = await holdActions();
  await pressKeys(page, "u");
  await queueRows(page).nth(14).getByRole("link").click();
  await expect(openBuyerTitle(page)).toHaveText(names[4] ?? "");
  await letGo();
  await at("Undone.");
  await at("2 messages left.");
  await expect(openBuyerTitle(page)).toHaveText(names[4] ?? "");

  // A late failure names the buyer, and the message stays.
  await expectInteractive(page, copy);
  letGo = await holdActions("abort");
  await pressKeys(page, "l");
  await queueRows(page).nth(13).getByRole("link").click();
  await expect(openBuyerTitle(page)).toHaveText(names[3] ?? "");
  await letGo();
  const told = page.getByRole("region", { name: "Notifications" });
  await expect(told).toContainText(`${names[4]} (copied link): Duebook did not answer`);
  await told.getByLabel("Dismiss").click();
  await at("Undone.");
  await expect(openBuyerTitle(page)).toHaveText(names[3] ?? "");
  await queueRows(page).nth(14).getByRole("link").click();
  await expect(openBuyerTitle(page)).toHaveText(names[4] ?? "");

  const keyed = page.locator("[aria-keyshortcuts=w]").filter({ visible: true });
  await expect(keyed).toHaveText(/^Continue/);
  await goTo(13);
  await pressKeys(page, "x");
  await expect(keyed).toHaveText(/^Add 1 message/);
  await expectAccessible(page, "one more is chosen");
  await pressKeys(page, "w");
  await at("Message 3 of 4");
  await expect(openBuyerTitle(page)).toHaveText(names[2] ?? "");

  // A buyer who has left the queue since the page was shown is not selected.
  const id = await queueRows(page).nth(12).getAttribute("data-row");
  await page.route(/\/api\/[^/]+\/test\/collection\?/, async (route) => {
    const answer = await route.fetch();
    const found = (await answer.json()) as QueuePage;
    const entries = found.entries.filter((one) => one.subscription.subscription_id !== id);
    await route.fulfill({ json: { ...found, entries } });
  });
  await pressKeys(page, "Escape");
  await page.getByRole("button", { name: "Discard" }).click();
  await queueRows(page).nth(14).getByRole("link").click();
  await expect(openBuyerTitle(page)).toHaveText(names[4] ?? "");
  await expectInteractive(page, copy);
  await pressKeys(page, "l");
  await expect(queueRows(page).nth(12)).toContainText("Left the queue");
  await goTo(12);
  await pressKeys(page, "x", "k", "x");
  await at("1 selected");
  await expect(box(12)).not.toBeChecked();
  // Otherwise a request for the queue would be answered after the test.
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("a message uses the seller's template for its group, language and app, and a goodwill extension needs a reason", async ({
  page,
}) => {
  await page.addInitScript(() => {
    // Replaces the click, because no app is installed: Chromium would ask for one and ignore clicks
    // until then.
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      if (this.protocol !== "sms:") HTMLElement.prototype.click.call(this);
    };
  });
  await signIn(page);
  const home = page.url().replace(/\/subscriptions$/, "");
  const form = page.getByRole("form", { name: "Renewal" });
  const openTexts = async () => {
    await page.goto(`${home}/settings/messages`);
    await expectInteractive(page, form.getByRole("button", { name: "Save" }));
  };
  const save = async () => {
    await form.getByRole("button", { name: "Save" }).click();
    await expect(form.getByText("Saved")).toBeVisible();
  };
  const part = (name: string) => form.getByRole("button", { name, exact: true });
  await openTexts();
  await form.getByLabel("In Nepali").fill("सम्झना {name} जी, {link}");
  await part("SMS").click();
  await form.getByLabel("In English").fill("Short for {name}");
  await form.getByRole("button", { name: "Save" }).click();
  // The invalid field has the focus.
  await expect(form.getByLabel("In English")).toBeFocused();
  await form.getByLabel("In English").fill("Short for {name}: {link}");
  await save();

  await page.goto(`${home}/collection?group=soon&ahead=30`);
  const text = visibleField(page, "Message (editable)");
  await expectInteractive(page, page.getByRole("button", { name: /^Open in / }));
  const row = queueRows(page).nth(20);
  const name = (await row.getByRole("link").textContent()) ?? "";
  await row.getByRole("link").click();
  await expect(openBuyerTitle(page)).toHaveText(name);
  await page.getByRole("button", { name: "नेपाली", exact: true }).click();
  await expect(text).toHaveValue(new RegExp(`^सम्झना ${name} जी, http`));
  await page.getByRole("button", { name: "English", exact: true }).click();
  await expect(text).toHaveValue(new RegExp(`^Hello ${name}`));

  await page.getByRole("button", { name: "Move the date" }).click();
  const dialog = page.getByRole("dialog", { name: "Move the billing date" });
  await dialog.getByRole("button", { name: /^\+1 week/ }).click();
  await expect(dialog.getByLabel("Reason", { exact: true })).toHaveValue("");
  await dialog.getByRole("button", { name: "Move the date" }).click();
  await expect(dialog.getByLabel("Reason", { exact: true })).toBeFocused();
  await expect(dialog.getByLabel("Reason", { exact: true })).toHaveAccessibleDescription(
    /Choose a reason/,
  );
  await expectAccessible(page, "a goodwill extension");
  await dialog.getByLabel("Reason", { exact: true }).selectOption("Festival or holidays");
  await dialog.getByLabel("In your words").fill("Tihar");
  await dialog.getByRole("button", { name: "Move the date" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(
    visibleText(page, /^Billing date moved from .*: Festival or holidays: Tihar/),
  ).toBeVisible();

  await page.getByRole("button", { name: "SMS", exact: true }).click();
  await expect(visibleText(page, `Opened as SMS for ${name}.`)).toBeVisible();
  const again = await page.getByRole("link", { name: "Open again" }).getAttribute("href");
  expect(decodeURIComponent(again ?? "")).toContain(`body=Short for ${name}: http`);

  await openTexts();
  await form.getByRole("button", { name: "Reset Nepali to default" }).click();
  await part("SMS").click();
  await form.getByRole("button", { name: "Reset English to default" }).click();
  await save();
});

test("showing a QR code logs no contact until the member asks for it", async ({ page }) => {
  const name = "Sarita Oli";
  await openCollectionDesk(page, name, "/collection?group=soon&ahead=14");
  const noted = () =>
    inDashboardDatabase("select kind, channel from contact where person_name = $1", [name]);
  const code = page.getByRole("button", { name: /^QR code/ }).filter({ visible: true });
  const shown = page.getByRole("dialog", { name: "QR code of the link" });
  await expectInteractive(page, code);
  await code.click();
  await expect(shown.getByRole("img")).toBeVisible();
  await pressKeys(page, "Escape");
  await expect(shown).toBeHidden();
  expect(await noted()).toEqual([]);
  await code.click();
  await shown.getByRole("button", { name: "Log that the code was shown" }).click();
  await expect(shown).toBeHidden();
  await expect.poll(noted).toEqual([{ kind: "reminder", channel: "qr" }]);
});
