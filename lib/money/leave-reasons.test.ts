import { expect, test } from "vitest";
import { createTranslator } from "next-intl";
import english from "#lib/i18n/messages/en/leaving.json" with { type: "json" };
import { nameLeaveReason, readLeaveReasons } from "./leave-reasons.ts";

const t = createTranslator({
  locale: "en",
  messages: { leaving: english },
  namespace: "leaving",
}) as Parameters<typeof nameLeaveReason>[0];

test("a list keeps standard reasons by name, and a seller's own as they are written", () => {
  const read = readLeaveReasons(t, " Too expensive \r\n\nदूध  चाहिएन\nMoved away\nMoved away");
  expect(read).toEqual(["too_expensive", "दूध चाहिएन", "moved_away"]);
  expect([...read, null].map((reason) => nameLeaveReason(t, reason))).toEqual([
    "Too expensive",
    "दूध चाहिएन",
    "Moved away",
    "No reason chosen",
  ]);
});
