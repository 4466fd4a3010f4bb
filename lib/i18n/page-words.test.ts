import { expect, test } from "vitest";
import { wrongWords } from "#tools/checks/page-words.ts";
import { messagesOfPages } from "#tools/testing/page-messages.ts";
import sent from "./page-words.json" with { type: "json" };

test("every page sends the browser the words that it uses there, and no others", () => {
  expect(wrongWords(sent)).toEqual([]);
}, 60_000);

test("a missing word and an unused word are found", () => {
  const list = sent["subscriptions/list"].filter((path) => path !== "subscriptions.status");
  const wrong = wrongWords({ ...sent, "subscriptions/list": [...list, "webhooks.add"] });
  expect(wrong).toEqual([
    expect.stringMatching(/^'subscriptions\/list' sends no 'subscriptions.status', which /),
    "'subscriptions/list' sends 'webhooks.add', which no part of it uses.",
  ]);
}, 60_000);

test("the words of a page are found across its components, without those that lazy parts fetch", () => {
  const pages = messagesOfPages();
  const askedBy = (end: string) => [
    ...(pages.find(({ page }) => page.endsWith(`/${end}`))?.asked.keys() ?? []),
  ];
  const list = askedBy("subscriptions/(list)/page.tsx");
  expect(list).toEqual(
    expect.arrayContaining([
      "bulk.bar.selected",
      "finding.found.count",
      "subscriptions.status.due",
    ]),
  );
  expect(list).not.toContain("bulk.plan.start");
  expect(list).not.toContain("views.saveLabel");
  // The code names these keys by a variable, by a translator from another file, and by a template.
  expect(askedBy("messages/channels/page.tsx")).toContain("sending.channel.whatsapp");
  expect(askedBy("reports/page.tsx")).toContain("reports.heads.day");
  expect(askedBy("subscriptions/(record)/[id]/page.tsx")).toContain(
    "subscription.outcome.scheduled",
  );
}, 60_000);
