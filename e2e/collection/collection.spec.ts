import type { Page } from "@playwright/test";
import { z } from "zod";
import {
  openBuyerTitle,
  buyerNameOfRow,
  openCollectionDesk,
  queueRows,
  statusMessages,
} from "../support/collection-desk.ts";
import { callActionByName, cookiesOf } from "../support/intruder.ts";
import { openOwnSeller } from "../support/own-seller.ts";
import { openBrowserOf } from "../support/person.ts";
import { expectInteractive, pageHeading } from "../support/keyboard.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";
import { duebookUrl, expect, test } from "../support/seller.ts";
import {
  expectNoOverflow,
  expectAccessible,
  PHONE_VIEWPORT,
} from "../support/accessibility.ts";

const queuePage = z.looseObject({
  entries: z.array(z.looseObject({ status: z.looseObject({}), to_pay: z.unknown() })),
});

/** Counts the key presses on the page. */
function counter(page: Page) {
  const counted = { presses: 0 };
  return {
    counted,
    press: async (...keys: string[]) => {
      for (const key of keys) {
        counted.presses += 1;
        await page.keyboard.press(key);
      }
    },
  };
}

test("a member handles ten due buyers in the collection queue by keyboard alone", async ({
  page,
}) => {
  const { opened } = await openCollectionDesk(page, "Bina Gurung");
  await expect(pageHeading(page, "Overview")).toBeVisible();
  const { press, counted } = counter(page);
  await press("g", "d");
  await expect(pageHeading(page, "To collect")).toBeVisible();
  const open = page.getByRole("button", { name: /^Open in WhatsApp/ });
  await expectInteractive(page, open);
  const names = await Promise.all(
    Array.from({ length: 11 }, (_, at) => buyerNameOfRow(page, at)),
  );
  await expect(openBuyerTitle(page)).toHaveText(names[0] ?? "");
  const begun = Date.now();
  const first = counted.presses;
  const chooseFirst = async (key: string) => {
    await press(key);
    await expect(page.getByRole("menuitem").first()).toBeFocused();
    await press("Enter");
  };
  const handle: Record<number, () => Promise<void>> = {
    6: () => chooseFirst("p"),
    7: () => chooseFirst("z"),
    8: () => press("l"),
    9: async () => {
      await press("n");
      await expect(visibleField(page, "Note about this buyer")).toBeFocused();
      for (const letter of "noon") await press(letter);
      await press("Enter");
      await expect(visibleText(page, /^Note on .* saved\.$/)).toBeVisible();
      await press("m");
    },
  };
  for (let at = 0; at < 10; at += 1) {
    await expect(openBuyerTitle(page)).toHaveText(names[at] ?? "");
    await expectInteractive(page, page.locator("[aria-keyshortcuts=m]"));
    await (handle[at] ?? (() => press("m")))();
    await expect(openBuyerTitle(page)).toHaveText(names[at + 1] ?? "");
    // The next buyer has the focus, so that a screen reader reads it.
    await expect(openBuyerTitle(page)).toBeFocused();
  }
  const seconds = (Date.now() - begun) / 1_000;
  const presses = counted.presses - first;
  console.log(
    `ten buyers: ${presses} presses, ${(presses / 10).toFixed(1)} a buyer, ${seconds.toFixed(1)} s`,
  );
  expect(presses).toBeLessThan(25);
  await expect.poll(() => opened.length).toBe(7);
  await expect(statusMessages(page).filter({ hasText: names[9] ?? "" })).toBeVisible();
  await press("u");
  await expect(visibleText(page, "Undone.")).toBeVisible();
  await expect(openBuyerTitle(page)).toHaveText(names[9] ?? "");
  await press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(keys.getByRole("heading", { name: "In “To collect”" })).toBeVisible();
  await press("Escape");
  // Every contact is on the subscription's history.
  await page.getByRole("link", { name: "Open the subscription" }).click();
  await expect(visibleText(page, "Reminded the buyer").first()).toBeVisible();
  await expect(visibleText(page, "Undid an entry in “To collect”").first()).toBeVisible();
});

test("a member is warned before reminding a buyer whom a colleague has just reminded", async ({
  page,
  browser,
}) => {
  const sitas = await openBrowserOf(browser);
  const { seller } = await openCollectionDesk(sitas, "Sita Rai", "/collection?group=soon");
  const { opened } = await openCollectionDesk(page, "Bina Gurung", "/collection?group=soon");
  expect(seller).not.toBe("");
  for (const desk of [sitas, page]) {
    await queueRows(desk).nth(2).getByRole("link").click();
    await expectInteractive(desk, desk.getByRole("button", { name: /^Open in WhatsApp/ }));
  }
  const name = await buyerNameOfRow(page, 2);
  for (const desk of [sitas, page]) await expect(openBuyerTitle(desk)).toHaveText(name);
  await sitas.keyboard.press("m");
  await expect(
    statusMessages(sitas).filter({ hasText: `Opened in WhatsApp for ${name}.` }),
  ).toBeVisible();
  await page.keyboard.press("m");
  const told = page
    .getByRole("status")
    .filter({ hasText: "Sita Rai wrote just now (WhatsApp)." });
  await expect(told).toContainText("Press again to send anyway.");
  await expect(openBuyerTitle(page)).toHaveText(name);
  expect(opened).toEqual([]);
  await page.keyboard.press("m");
  // After the warning, a second press sends the reminder.
  await expect(
    statusMessages(page).filter({ hasText: `Opened in WhatsApp for ${name}.` }),
  ).toBeVisible();
  await sitas.context().close();
});

test("the collection page is accessible on wide and narrow screens, in both languages and colour schemes", async ({
  page,
}) => {
  const { seller } = await openCollectionDesk(page, "Kamala Shrestha", "/collection");
  await expectInteractive(page, page.getByRole("button", { name: /^Open in WhatsApp/ }));
  await expectAccessible(page, "collection");
  await page.getByRole("button", { name: "Skip to the open buyer" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#open-buyer")).toBeFocused();
  await page.getByRole("button", { name: "नेपाली", exact: true }).click();
  await expect(visibleField(page, "Message (editable)")).toHaveValue(/^नमस्ते/);
  await page.setViewportSize(PHONE_VIEWPORT);
  await page.goto(`${duebookUrl()}/${seller}/test/collection?group=waiting`);
  await expect(queueRows(page).first()).toBeVisible();
  await expectAccessible(page, "collection on a phone");
  await queueRows(page).first().getByRole("link").click();
  await expect(openBuyerTitle(page)).toBeVisible();
  await expectAccessible(page, "buyer on a phone");
  await page.getByRole("link", { name: "Back to the queue" }).click();
  await expect(queueRows(page).first()).toBeVisible();
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoOverflow(page, "collection on a narrow phone");
  await page.route(/\/api\/[^/]+\/test\/collection\?/, async (route) => {
    const response = await route.fetch();
    const queue = queuePage.parse(await response.json());
    const [first] = queue.entries;
    if (!first) throw new Error("The queue is empty.");
    first.status = { ...first.status, group: "waiting", waiting: 28, is_failed: true };
    first.to_pay = { amount: "12345678.50", currency: "NPR", is_list_price: true };
    await route.fulfill({ response, json: queue });
  });
  const main = page.getByRole("main");
  await main.getByRole("link", { name: /^Due soon/ }).click();
  await expect(
    main.getByText("Payment failed").filter({ visible: true }).first(),
  ).toBeVisible();
  await expectNoOverflow(page, "collection with long amounts and two badges");
  await page.unrouteAll();
  await page.goto(`${duebookUrl()}/${seller}/test/collection?group=due&product=nothing`);
  await expect(visibleText(page, "No buyer matches")).toBeVisible();
});

test("an empty collection queue says that nothing is to collect, and a queue that fails to load can be retried", async ({
  page,
}) => {
  const own = await openOwnSeller(page, "/collection");
  await expect(visibleText(page, "Nothing to collect")).toBeVisible({ timeout: 40_000 });
  await expectAccessible(page, "nothing to collect");
  await page.route(/\/api\/[^/]+\/test\/collection\?/, (route) =>
    route.fulfill({ status: 503, json: { kind: "unanswered" } }),
  );
  await page.goto(`${own.home}/collection`);
  await page
    .getByRole("main")
    .getByRole("link", { name: /^Ending soon/ })
    .click();
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("a viewer sees the collection page and cannot contact buyers", async ({ page }) => {
  const own = await openOwnSeller(page, "/collection", "viewer");
  await expect(pageHeading(page, "To collect")).toBeVisible();
  const cookie = await cookiesOf(page.context());
  const scope = { seller: own.seller, mode: "test" };
  const input = {
    subscription_id: "763bea4c-0cfa-45ce-98ec-acade8141838",
    channel: "sms",
    language: null,
    seen: null,
  };
  const answer = await callActionByName("remindAction", own.seller, [scope, input], { cookie });
  expect(answer).toMatchObject({ ok: false, failure: { kind: "forbidden" } });
});
