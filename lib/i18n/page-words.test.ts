import { expect, test } from "vitest";
import { wrongWords } from "#tools/checks/page-words.ts";
import { messagesOfPages } from "#tools/testing/page-messages.ts";
import sent from "./page-words.json" with { type: "json" };

test("every page sends the browser the words that it uses there, and no others", () => {
  expect(wrongWords(sent)).toEqual([]);
}, 60_000);

test("a missing word and one without use are found", () => {
  const list = sent["subscriptions/list"].filter((path) => path !== "subscriptions.status");
  const wrong = wrongWords({ ...sent, "subscriptions/list": [...list, "webhooks.add"] });
  expect(wrong).toEqual([
    expect.stringMatching(/^'subscriptions\/list' sends no 'subscriptions.status', which /),
    "'subscriptions/list' sends 'webhooks.add', which no part of it uses.",
  ]);
}, 60_000);

test("the words of a page are found across its components, without those that lazy parts fetch", () => {
  const list = messagesOfPages().find(({ page }) =>
    page.endsWith("subscriptions/(list)/page.tsx"),
  );
  const asked = [...(list?.asked.keys() ?? [])];
  expect(asked).toEqual(
    expect.arrayContaining([
      "bulk.bar.selected",
      "failures.tryAgain",
      "subscriptions.status.due",
    ]),
  );
  expect(asked).not.toContain("bulk.links.copy");
  expect(asked).not.toContain("views.saveLabel");
}, 60_000);
