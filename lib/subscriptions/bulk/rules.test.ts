import { expect, test } from "vitest";
import { translateMessage } from "#lib/i18n/message.ts";
import { fullTranslator, formatOf, translatorOf } from "#tools/testing/messages.ts";
import { billingDayChoices } from "../rules.ts";
import {
  countStates,
  describeItemReason,
  bulkRunTitle,
  isChangeVisible,
  planUndo,
  planChange,
  bulkChangeProblem,
  countUnfinished,
  type BulkChange,
  type BulkRecord,
} from "./rules.ts";

const clock = { time_zone: "Asia/Kathmandu", now: "2026-11-20T10:00:00Z" };

const record = (changes: Partial<BulkRecord> = {}): BulkRecord => ({
  subscription_id: "s1",
  status: "active",
  current_period_start: "2026-11-01T00:00:00Z",
  // In Kathmandu this is already 2 December.
  current_period_end: "2026-12-01T18:20:00Z",
  next_billing_cycle: "2026-12-01T18:20:00Z",
  ...changes,
});
const undated = record({
  current_period_start: null,
  current_period_end: null,
  next_billing_cycle: null,
});

const CANCEL: BulkChange = { operation: "cancel" };
const RESUME: BulkChange = { operation: "resume" };
const shift = (days: number): BulkChange => ({ operation: "reschedule", to: "shift", days });
const toDay = (day: string): BulkChange => ({ operation: "reschedule", to: "day", day });
const back = (old: Record<string, string | null>): BulkChange => ({
  operation: "reschedule",
  to: "back",
  old,
});

test.each([
  ["a bulk cancellation changes an active subscription", CANCEL, record(), "change"],
  [
    "a bulk cancellation has nothing to do for a subscription that is already being cancelled",
    CANCEL,
    record({ status: "pending_cancellation" }),
    "already",
  ],
  [
    "a bulk cancellation refuses a cancelled subscription",
    CANCEL,
    record({ status: "cancelled" }),
    "refused",
  ],
  [
    "a bulk cancellation refuses an unpaid subscription",
    CANCEL,
    record({ status: "pending_checkout" }),
    "refused",
  ],
  [
    "a bulk cancellation changes a subscription without a billing date",
    CANCEL,
    undated,
    "change",
  ],
  [
    "a bulk resume changes a subscription with a scheduled cancellation",
    RESUME,
    record({ status: "pending_cancellation" }),
    "change",
  ],
  ["a bulk resume has nothing to do for an active subscription", RESUME, record(), "already"],
  ["a bulk resume refuses a due subscription", RESUME, record({ status: "due" }), "refused"],
  ["a bulk move changes a due subscription", shift(7), record({ status: "due" }), "change"],
  [
    "a bulk move refuses a subscription with a scheduled cancellation",
    shift(7),
    record({ status: "pending_cancellation" }),
    "refused",
  ],
  [
    "a bulk move has nothing to do for a subscription that already has the new billing date",
    toDay("2026-12-02"),
    record(),
    "already",
  ],
  ["a bulk move refuses a billing date in the past", shift(-60), record(), "refused"],
  ["a bulk move may set the billing date to today", toDay("2026-11-20"), record(), "change"],
  [
    "an undo of a bulk move refuses an old billing date that has passed",
    back({ s1: "2026-11-19" }),
    record(),
    "refused",
  ],
  [
    "an undo of a bulk move refuses a subscription whose old billing date is unknown",
    back({}),
    record(),
    "refused",
  ],
  [
    "a bulk cancellation is sent for a subscription with an unknown status",
    CANCEL,
    record({ status: "frozen" }),
    "change",
  ],
] as const)("%s", (_title, aim, given, verdict) => {
  const plan = planChange(aim, given, clock);
  expect(plan.verdict).toBe(verdict);
  expect(plan.message === null).toBe(verdict === "change");
});

test("a bulk move by a week gives the same billing date as moving one subscription by a week", () => {
  const today = "2026-11-20";
  for (const day of ["2026-11-01", "2026-11-19", "2026-11-20", "2026-12-20", null]) {
    const one = record({ status: "due", current_period_end: day, next_billing_cycle: day });
    const [week] = billingDayChoices(day, today);
    expect(planChange(shift(7), one, clock)).toMatchObject({
      verdict: "change",
      target: week.day,
    });
  }
});

test("a bulk move counts the old and new billing date in the seller's time zone", () => {
  expect(planChange(shift(7), record(), clock)).toMatchObject({
    day: "2026-12-02",
    target: "2026-12-09",
  });
  const elsewhere = { ...clock, time_zone: "America/Los_Angeles" };
  expect(planChange(shift(7), record(), elsewhere)).toMatchObject({
    day: "2026-12-01",
    target: "2026-12-08",
  });
});

test("the subscription's status or billing date shows whether a bulk change was made", () => {
  const zone = clock.time_zone;
  expect(isChangeVisible("cancel", null, record(), zone)).toBe(false);
  expect(
    isChangeVisible("cancel", null, record({ status: "pending_cancellation" }), zone),
  ).toBe(true);
  // The specification also says that cancel takes effect immediately.
  expect(isChangeVisible("cancel", null, record({ status: "cancelled" }), zone)).toBe(true);
  expect(isChangeVisible("resume", null, record(), zone)).toBe(true);
  expect(isChangeVisible("reschedule", "2026-12-02", record(), zone)).toBe(true);
  expect(isChangeVisible("reschedule", "2026-12-01", record(), zone)).toBe(false);
});

test.each([
  [CANCEL, null],
  [shift(7), null],
  [shift(0), "Enter a whole number of days, at most 3,650 and not 0."],
  [shift(Number.NaN), "Enter a whole number of days, at most 3,650 and not 0."],
  [shift(1.5), "Enter a whole number of days, at most 3,650 and not 0."],
  [shift(99_999), "Enter a whole number of days, at most 3,650 and not 0."],
  [toDay(""), "Enter a date."],
  [toDay("2026-11-19"), "Choose today or a later day."],
  [toDay("2026-11-20"), null],
] as const)("a bulk change is validated before any record is read: %o", (aim, words) => {
  const problem = bulkChangeProblem(aim, clock);
  expect(problem && translateMessage(fullTranslator(), problem)).toBe(words);
});

test("the reason for a refused change is in the user's language; the service's message is not translated", () => {
  const past = planChange(shift(-60), record(), clock);
  const why = (language: "en" | "ne", plan: Parameters<typeof describeItemReason>[2]) =>
    describeItemReason(fullTranslator(language), formatOf({ language }), plan);
  expect(why("en", past)).toBe(
    "3 Oct 2026 has passed, and a date can only be moved to today or later.",
  );
  expect(why("ne", past)).toContain("२०२६ अक्टोबर ३ बितिसक्यो");
  const refused = planChange(RESUME, record({ status: "due" }), clock);
  expect(why("ne", refused)).toContain("रद्द");
  expect(why("ne", { message: "Frozen by the bank.", target: null })).toBe(
    "Frozen by the bank.",
  );
});

test.each([
  [
    "yes for a moved active subscription",
    "reschedule",
    "active",
    "active",
    "2026-12-01",
    "change",
  ],
  [
    "no for a moved subscription that was due since an earlier day",
    "reschedule",
    "due",
    "active",
    "2026-11-16",
    "refused",
  ],
  [
    "no for a moved subscription that was due today",
    "reschedule",
    "due",
    "active",
    "2026-11-20",
    "refused",
  ],
  [
    "no for a moved subscription that stayed due",
    "reschedule",
    "due",
    "due",
    "2026-11-19",
    "refused",
  ],
  [
    "no for a moved subscription that had no billing date",
    "reschedule",
    "active",
    "active",
    null,
    "refused",
  ],
  [
    "yes for a scheduled cancellation",
    "cancel",
    "active",
    "pending_cancellation",
    "2026-12-01",
    "change",
  ],
  [
    "no for a cancellation that took effect at once",
    "cancel",
    "active",
    "cancelled",
    "2026-12-01",
    "refused",
  ],
  [
    "yes for a resumed subscription",
    "resume",
    "pending_cancellation",
    "active",
    "2026-12-01",
    "change",
  ],
  [
    "yes for a cancelled subscription whose new status was not read",
    "cancel",
    "active",
    null,
    "2026-12-01",
    "change",
  ],
] as const)(
  "whether a bulk change of a subscription can be undone: %s",
  (_title, operation, status_before, status_after, day_before, verdict) => {
    const days = { day_before, day_after: "2026-12-08" };
    const item = { subscription_id: "s1", status_before, status_after, ...days };
    expect(planUndo(operation, item, clock).verdict).toBe(verdict);
  },
);

test("waiting, running and unknown items of a bulk run count as unfinished", () => {
  const counts = countStates(
    (["waiting", "running", "unknown", "done", "failed"] as const).map((state) => ({ state })),
  );
  expect(countUnfinished(counts)).toBe(3);
  expect(bulkRunTitle(translatorOf("bulk"), "cancel", 1)).toBe("Cancel 1 subscription");
  expect(bulkRunTitle(translatorOf("bulk"), "reschedule", 1_200)).toBe(
    "Reschedule 1,200 subscriptions",
  );
});
