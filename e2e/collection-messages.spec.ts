import { buyer, nameOfRow, openDesk, rows } from "./collection-desk.ts";
import { act, createMember } from "./intruder.ts";
import { expectAtWork, press } from "./press.ts";
import { seenText } from "./seen.ts";
import { duebookUrl, expect, test } from "./seller.ts";
import { expectWithinReach, PHONE } from "./within-reach.ts";

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
