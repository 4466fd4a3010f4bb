import { expect, test } from "vitest";
import { createTranslator } from "next-intl";
import english from "#lib/i18n/messages/en/leaving.json" with { type: "json" };
import {
  nameLeaveReason,
  NOTHING_SAID,
  readLeaveReasons,
  wordsOfBuyer,
} from "./leave-reasons.ts";

const t = createTranslator({
  locale: "en",
  messages: { leaving: english },
  namespace: "leaving",
}) as Parameters<typeof nameLeaveReason>[0];

test("standard reasons to leave are stored by key, and a seller's own reasons as typed", () => {
  const read = readLeaveReasons(t, " Too expensive \r\n\nदूध  चाहिएन\nMoved away\nMoved away");
  expect(read).toEqual(["too_expensive", "दूध चाहिएन", "moved_away"]);
  expect([...read, null].map((reason) => nameLeaveReason(t, reason))).toEqual([
    "Too expensive",
    "दूध चाहिएन",
    "Moved away",
    "No reason chosen",
  ]);
});

test("a buyer's own explanation is stored without a standard reason, on one line, up to 200 characters", () => {
  expect(wordsOfBuyer("  We move\nto Pokhara. ")).toEqual({
    reason: null,
    words: "We move to Pokhara.",
  });
  expect(wordsOfBuyer("")).toEqual(NOTHING_SAID);
  expect(Array.from(wordsOfBuyer("😀".repeat(500)).words)).toHaveLength(200);
});
