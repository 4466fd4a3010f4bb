import type { DeskPage } from "#lib/collection/queries.ts";
import { buyer, nameOfRow, openDesk, rows } from "../support/collection-desk.ts";
import { act, createMember } from "../support/intruder.ts";
import { inDashboardDatabase } from "../support/person.ts";
import { expectAtWork, press } from "../support/press.ts";
import { seenField, seenText } from "../support/seen.ts";
import { duebookUrl, expect, expectCopied, signIn, test } from "../support/seller.ts";
import { expectWithinReach, PHONE } from "../support/within-reach.ts";

test("messages to those who were chosen are prepared one after the other, by keyboard and on a phone", async ({
  page,
}) => {
  const { seller, opened } = await openDesk(
    page,
    "Bina Gurung",
    "/collection?group=soon&ahead=14",
  );
  const boxes = page.getByRole("checkbox", { name: /^Select / }).filter({ visible: true });
  const open = page
    .getByRole("button", { name: /^Open in WhatsApp/ })
    .filter({ visible: true });
  const at = (text: string | RegExp) => expect(seenText(page, text)).toBeVisible();
  await expectAtWork(page, open);
  await expectAtWork(page, boxes.nth(1));
  const names = await Promise.all([5, 6, 7, 8].map((row) => nameOfRow(page, row)));
  const id = await rows(page).nth(8).getAttribute("data-row");
  // From the sixth row to the ninth, and without the one between.
  await rows(page).nth(5).getByRole("link").focus();
  await press(page, "x", "j", "j", "j", "Shift+X");
  await at("4 selected");
  await expectWithinReach(page, "selected");
  await press(page, "w");
  await at("Message 1 of 4");
  await expect(buyer(page)).toHaveText(names[0] ?? "");
  await expect(buyer(page)).toBeFocused();
  await press(page, "m");
  await at("Message 2 of 4");
  await expect(buyer(page)).toHaveText(names[1] ?? "");
  await expect.poll(() => opened.length).toBe(1);
  await expect(page.getByRole("link", { name: "Open again" })).toHaveAttribute(
    "href",
    /wa\.me/,
  );
  // What was taken back is the next again.
  await press(page, "u");
  await at("Message 1 of 4");
  await press(page, "m");
  await at("Message 2 of 4");
  // A reload goes on where it was.
  await page.reload();
  await at("Message 2 of 4");
  await expectAtWork(page, open);
  await press(page, "s");
  await at(`${names[1]} skipped.`);
  // What is pressed before belongs to whoever is still open.
  await expect(buyer(page)).toHaveText(names[2] ?? "");
  await expect(buyer(page)).toBeFocused();
  await press(page, "p");
  await expect(page.getByRole("menuitem").first()).toBeFocused();
  await press(page, "Enter");
  await at("Message 4 of 4");
  // Somebody else is quicker.
  const { cookie } = await createMember(seller, "support");
  const input = { subscription_id: id, channel: "viber", language: null, seen: null };
  const scope = { seller, mode: "test" };
  const answer = await act("remindAction", seller, [scope, input], { cookie });
  expect(answer).toMatchObject({ ok: true });
  await press(page, "Escape");
  await at("1 message is still to be prepared.");
  await page.reload();
  await at("1 message is still to be prepared.");
  await expectAtWork(page, page.getByRole("button", { name: /^Go on/ }));
  await press(page, "w");
  await at("The support has written to them meanwhile.");
  await expectWithinReach(page, "a message");
  await press(page, "s");
  await expect(page.getByRole("heading", { name: "4 messages gone through" })).toBeFocused();
  await at("1 written to · 1 noted down · 1 reached by a colleague · 1 skipped");
  await expectWithinReach(page, "summary");
  await page.getByRole("button", { name: names[1] ?? "" }).click();
  await at("Message 2 of 4");
  await expectAtWork(page, open);
  await press(page, "m");
  await at("2 written to · 1 noted down · 1 reached by a colleague");
  await press(page, "Escape");
  await expect(seenText(page, "4 messages gone through")).toHaveCount(0);

  await page.setViewportSize(PHONE);
  await page.goto(`${duebookUrl()}/${seller}/test/collection?group=waiting`);
  await expectAtWork(page, boxes.nth(2));
  await boxes.nth(1).click();
  await boxes.nth(2).click();
  await expectWithinReach(page, "selected on a phone");
  await page.getByRole("button", { name: "Prepare 2 messages" }).click();
  await at("Message 1 of 2");
  await expectWithinReach(page, "a message on a phone");
  await page.getByRole("button", { name: "Skip" }).click();
  await at("Message 2 of 2");
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Leave it" }).click();
  await expect(seenText(page, "1 message is still to be prepared.")).toHaveCount(0);
});

test("an answer that comes late calls nobody away, and who is chosen later waits behind the others", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  // As browsers do that let nobody copy once a server has answered.
  await page.addInitScript(() => {
    document.execCommand = () => false;
    navigator.clipboard.writeText = () => Promise.reject(new Error("not in a press"));
  });
  await openDesk(page, "Hira Magar", "/collection?group=soon&ahead=30");
  const text = seenField(page, "Text, ready to be changed");
  const copy = page.getByRole("button", { name: /^Copy link/ }).filter({ visible: true });
  const box = (row: number) => rows(page).nth(row).getByRole("checkbox");
  const at = (words: string | RegExp) => expect(seenText(page, words)).toBeVisible();
  const goTo = (row: number) => rows(page).nth(row).getByRole("link").focus();
  /** Until it is let go no action is answered, and then as it is told. */
  async function holdActions(end: "fallback" | "abort" = "fallback") {
    const gate = Promise.withResolvers<void>();
    const url = /\/test\/collection\?/;
    await page.route(url, async (route) => {
      const isAction = route.request().method() === "POST";
      if (isAction) await gate.promise;
      await route[isAction ? end : "fallback"]();
    });
    return async () => {
      // What is still held when its route goes is let through.
      const ended = end === "abort" && page.waitForEvent("requestfailed");
      gate.resolve();
      await ended;
      return page.unroute(url);
    };
  }
  await expectAtWork(page, copy);
  await expectAtWork(page, box(12));
  const names = await Promise.all([10, 11, 12, 13, 14].map((row) => nameOfRow(page, row)));
  await goTo(10);
  await press(page, "x", "j", "x", "j", "x", "w");
  await at("Message 1 of 3");
  await expectAtWork(page, copy);
  let letGo = await holdActions();
  await press(page, "l", "s");
  await expect(buyer(page)).toHaveText(names[1] ?? "");
  await at("Message 2 of 3");
  await press(page, "s");
  await at("Message 3 of 3");
  await expect(buyer(page)).toHaveText(names[2] ?? "");
  const typed = `Dear ${names[2]}, ${await text.inputValue()}`;
  await text.fill(typed);
  await letGo();
  await at(`Link for ${names[0]} copied.`);
  await expectCopied(page, /\/pay\/[\w-]+$/);
  await at("1 written to · 1 skipped");
  await expect(buyer(page)).toHaveText(names[2] ?? "");
  await expect(text).toHaveValue(typed);

  // What is taken back late waits for its turn.
  await buyer(page).focus();
  letGo = await holdActions();
  await press(page, "u");
  await rows(page).nth(14).getByRole("link").click();
  await expect(buyer(page)).toHaveText(names[4] ?? "");
  await letGo();
  await at("Taken back.");
  await at("2 messages are still to be prepared.");
  await expect(buyer(page)).toHaveText(names[4] ?? "");

  // What fails late is told by name, and what was said stays.
  await expectAtWork(page, copy);
  letGo = await holdActions("abort");
  await press(page, "l");
  await rows(page).nth(13).getByRole("link").click();
  await expect(buyer(page)).toHaveText(names[3] ?? "");
  await letGo();
  const told = page.getByRole("region", { name: "Notifications" });
  await expect(told).toContainText(`${names[4]} (copied link): Duebook did not answer`);
  await told.getByLabel("Dismiss").click();
  await at("Taken back.");
  await expect(buyer(page)).toHaveText(names[3] ?? "");
  await rows(page).nth(14).getByRole("link").click();
  await expect(buyer(page)).toHaveText(names[4] ?? "");

  const keyed = page.locator("[aria-keyshortcuts=w]").filter({ visible: true });
  await expect(keyed).toHaveText(/^Go on/);
  await goTo(13);
  await press(page, "x");
  await expect(keyed).toHaveText(/^Add 1 message/);
  await expectWithinReach(page, "one more is chosen");
  await press(page, "w");
  await at("Message 3 of 4");
  await expect(buyer(page)).toHaveText(names[2] ?? "");

  // Who has left the queue meanwhile is not chosen.
  const id = await rows(page).nth(12).getAttribute("data-row");
  await page.route(/\/api\/[^/]+\/test\/collection\?/, async (route) => {
    const answer = await route.fetch();
    const found = (await answer.json()) as DeskPage;
    const entries = found.entries.filter((one) => one.subscription.subscription_id !== id);
    await route.fulfill({ json: { ...found, entries } });
  });
  await press(page, "Escape");
  await page.getByRole("button", { name: "Leave it" }).click();
  await rows(page).nth(14).getByRole("link").click();
  await expect(buyer(page)).toHaveText(names[4] ?? "");
  await expectAtWork(page, copy);
  await press(page, "l");
  await expect(rows(page).nth(12)).toContainText("Left the queue");
  await goTo(12);
  await press(page, "x", "k", "x");
  await at("1 selected");
  await expect(box(12)).not.toBeChecked();
});

test("the seller's own words come on the desk by subscriptionData, language and app, and a courtesy with its reason", async ({
  page,
}) => {
  await page.addInitScript(() => {
    // No app here takes a message: Chromium would ask for one, and take no press until it is answered.
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      if (this.protocol !== "sms:") HTMLElement.prototype.click.call(this);
    };
  });
  await signIn(page);
  const home = page.url().replace(/\/subscriptions$/, "");
  const form = page.getByRole("form", { name: "Renewal" });
  const openTexts = async () => {
    await page.goto(`${home}/settings/messages`);
    await expectAtWork(page, form.getByRole("button", { name: "Save" }));
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
  // What will not do has the focus.
  await expect(form.getByLabel("In English")).toBeFocused();
  await form.getByLabel("In English").fill("Short for {name}: {link}");
  await save();

  await page.goto(`${home}/collection?group=soon&ahead=30`);
  const text = seenField(page, "Text, ready to be changed");
  await expectAtWork(page, page.getByRole("button", { name: /^Open in / }));
  const row = rows(page).nth(20);
  const name = (await row.getByRole("link").textContent()) ?? "";
  await row.getByRole("link").click();
  await expect(buyer(page)).toHaveText(name);
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
    /Choose why/,
  );
  await expectWithinReach(page, "a courtesy");
  await dialog.getByLabel("Reason", { exact: true }).selectOption("Festival or holidays");
  await dialog.getByLabel("In your words").fill("Tihar");
  await dialog.getByRole("button", { name: "Move the date" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(
    seenText(page, /^Billing date moved from .*: Festival or holidays: Tihar/),
  ).toBeVisible();

  await page.getByRole("button", { name: "SMS", exact: true }).click();
  await expect(seenText(page, `Opened as SMS for ${name}.`)).toBeVisible();
  const again = await page.getByRole("link", { name: "Open again" }).getAttribute("href");
  expect(decodeURIComponent(again ?? "")).toContain(`body=Short for ${name}: http`);

  await openTexts();
  await form.getByRole("button", { name: "Ours in Nepali" }).click();
  await part("SMS").click();
  await form.getByRole("button", { name: "Ours in English" }).click();
  await save();
});

test("a code that is looked at is no message; one that was shown is noted at a press", async ({
  page,
}) => {
  const name = "Sarita Oli";
  await openDesk(page, name, "/collection?group=soon&ahead=14");
  const noted = () =>
    inDashboardDatabase("select kind, channel from contact where person_name = $1", [name]);
  const code = page.getByRole("button", { name: /^QR code/ }).filter({ visible: true });
  const shown = page.getByRole("dialog", { name: "QR code of the link" });
  await expectAtWork(page, code);
  await code.click();
  await expect(shown.getByRole("img")).toBeVisible();
  await press(page, "Escape");
  await expect(shown).toBeHidden();
  expect(await noted()).toEqual([]);
  await code.click();
  await shown.getByRole("button", { name: "Note as shown to the buyer" }).click();
  await expect(shown).toBeHidden();
  await expect.poll(noted).toEqual([{ kind: "reminder", channel: "qr" }]);
});
