import { expect, test } from "vitest";
import { wrongWords } from "#tools/checks/page-words.ts";
import { messagesOfPages } from "#tools/testing/page-messages.ts";
import sent from "./page-words.json" with { type: "json" };

test("every page sends the browser exactly the messages that its client code uses", () => {
  expect(wrongWords(sent)).toEqual([]);
}, 60_000);

test("a message that a page uses but does not send, or sends but does not use, is reported", () => {
  const list = sent["subscriptions/list"].filter((path) => path !== "subscriptions.status");
  const wrong = wrongWords({ ...sent, "subscriptions/list": [...list, "webhooks.add"] });
  expect(wrong).toEqual([
    expect.stringMatching(/^'subscriptions\/list' sends no 'subscriptions.status', which /),
    "'subscriptions/list' sends 'webhooks.add', which no part of it uses.",
  ]);
}, 60_000);

test("the messages of a page include those of its components, but not those of lazily loaded parts", () => {
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
