import { NOTHING_SAID } from "#lib/money/leave-reasons.ts";
import { expect, test } from "vitest";
import { ReceivedSubscription } from "#contract/subscriptions.ts";
import { formatOf, translatorOf as wordsOf } from "#tools/testing/messages.ts";
import {
  describeOutcome,
  type OutcomeFormatters,
  type RequestedChange,
} from "./change-outcome.ts";
import { statusLabel } from "#components/subscriptions/subscription-status-badge.tsx";

const clock = { time_zone: "Asia/Kathmandu", now: "2026-11-20T06:15:00Z" };
const telling: OutcomeFormatters = {
  t: wordsOf("subscription"),
  format: formatOf(clock),
  nameStatus: (status) => statusLabel(wordsOf("subscriptions"), status),
  clock,
};

const subscription = (status: string, day: string | null) =>
  ReceivedSubscription.parse({
    subscription_id: "s-1",
    status,
    current_period_start: "2026-10-20",
    current_period_end: day,
    next_billing_cycle: day,
  });

type StatusAndDay = [status: string, day: string | null];
const cancel: RequestedChange = { operation: "cancel", leaving: NOTHING_SAID };
const moveTo = (day: string): RequestedChange => ({ operation: "reschedule", day });

const outcome = (wish: RequestedChange, before: StatusAndDay, after: StatusAndDay | null) =>
  describeOutcome(telling, {
    wish,
    changed: {
      before: subscription(...before),
      record: after && {
        subscription: subscription(...after),
        checkout_url: null,
        reached: null,
        debt: null,
        tags: [],
      },
    },
  });

test("a scheduled cancellation shows the last day of the subscription and can be undone", () => {
  const words = outcome(
    cancel,
    ["active", "2026-12-20"],
    ["pending_cancellation", "2026-12-20"],
  );
  expect(words.text).toContain("Ends on 20 Dec 2026");
  expect(words.undo).toEqual({ operation: "resume" });
});

test.each(["cancelled", "inactive"])(
  "a cancellation that leaves the status %s is reported as immediate and cannot be undone",
  (status) => {
    const words = outcome(cancel, ["active", "2026-12-20"], [status, null]);
    expect(words.title).toContain("immediately");
    expect(words.undo).toBeNull();
  },
);

test("a cancellation that left the subscription active is reported with that status", () => {
  const words = outcome(cancel, ["active", "2026-12-20"], ["active", "2026-12-20"]);
  expect(words.title).toContain("shows the status Active");
  expect(words.undo).toBeNull();
});

test("a rescheduling can be undone while the old billing date has not passed", () => {
  const undo = (old: string) =>
    outcome(moveTo("2026-12-27"), ["active", old], ["active", "2026-12-27"]).undo;
  expect(undo("2026-12-20")).toEqual(moveTo("2026-12-20"));
  expect(undo("2026-11-20")).toEqual(moveTo("2026-11-20"));
  expect(undo("2026-11-19")).toBeNull();
});

test("after a due subscription is rescheduled, the result names the status that was read afterwards", () => {
  const before: StatusAndDay = ["due", "2026-11-20"];
  const paid = outcome(moveTo("2026-12-27"), before, ["active", "2026-12-27"]);
  expect(paid.text).toContain("was due before, and is active now. No payment");
  expect(paid.undo).toBeNull();
  const stays = outcome(moveTo("2026-12-27"), before, ["due", "2026-12-27"]);
  expect(stays.text).toBe("Before, it was 20 Nov 2026.");
});

test("the result of a rescheduling names the new date if the service chose another than the requested one", () => {
  const words = outcome(
    moveTo("2026-12-27"),
    ["active", "2026-12-20"],
    ["active", "2026-12-26"],
  );
  expect(words.title).toContain("shows 26 Dec 2026");
});

test("a change cannot be undone if its answer was lost or its record was not read again", () => {
  expect(describeOutcome(telling, { wish: cancel, lost_at: 0 })).toMatchObject({
    title: expect.stringContaining("did not answer"),
    undo: null,
  });
  expect(outcome(cancel, ["active", "2026-12-20"], null)).toMatchObject({
    title: expect.stringContaining("accepted"),
    undo: null,
  });
});

const lost = (wish: RequestedChange, found: StatusAndDay | null | undefined) =>
  describeOutcome(telling, { wish, lost_at: 0, found: found && subscription(...found) });

test("after a lost answer, the reloaded record decides whether the change is reported as gone through", () => {
  expect(lost(cancel, undefined).text).toContain("Reloading the subscription");
  expect(lost(cancel, null).text).toContain("could not be reloaded");
  for (const wish of [cancel, moveTo("2026-12-27")])
    expect(lost(wish, ["active", "2026-12-20"]).title).toContain("has not gone through");
  expect(lost(moveTo("2026-12-27"), ["active", "2026-12-27"]).title).toContain(
    "the change went through",
  );
  expect(lost({ operation: "resume" }, ["active", null]).title).toContain(
    "the change went through",
  );
});

test("a scheduled cancellation that went through although its answer was lost can be undone", () => {
  const words = lost(cancel, ["pending_cancellation", "2026-12-20"]);
  expect(words.title).toContain("the change went through");
  expect(words.undo).toEqual({ operation: "resume" });
  expect(lost(cancel, ["cancelled", null]).undo).toBeNull();
});

test("undoing a goodwill extension sends the reason taken_back", () => {
  const goodwill = { reason: "hardship", words: "" } as const;
  const words = outcome(
    { operation: "reschedule", day: "2026-12-27", goodwill },
    ["active", "2026-12-20"],
    ["active", "2026-12-27"],
  );
  expect(words.undo).toEqual({
    operation: "reschedule",
    day: "2026-12-20",
    goodwill: { reason: "taken_back", words: "" },
  });
});
