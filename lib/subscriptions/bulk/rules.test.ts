import { expect, test } from "vitest";
import { inWords } from "#lib/i18n/message.ts";
import { allWords, formatOf, words } from "#tools/testing/messages.ts";
import { billingDayChoices } from "../rules.ts";
import {
  countStates,
  describeWhy,
  describeWork,
  isAchieved,
  planBack,
  planFor,
  problemOfAim,
  restOf,
  type Aim,
  type BulkRecord,
} from "./rules.ts";

const clock = { time_zone: "Asia/Kathmandu", now: "2026-11-20T10:00:00Z" };

const record = (changes: Partial<BulkRecord> = {}): BulkRecord => ({
  subscription_id: "s1",
  status: "active",
  current_period_start: "2026-11-01T00:00:00Z",
  // Already the 2nd of December in Kathmandu.
  current_period_end: "2026-12-01T18:20:00Z",
  next_billing_cycle: "2026-12-01T18:20:00Z",
  ...changes,
});
const undated = record({
  current_period_start: null,
  current_period_end: null,
  next_billing_cycle: null,
});

const CANCEL: Aim = { operation: "cancel" };
const RESUME: Aim = { operation: "resume" };
const shift = (days: number): Aim => ({ operation: "reschedule", to: "shift", days });
const toDay = (day: string): Aim => ({ operation: "reschedule", to: "day", day });
const back = (old: Record<string, string | null>): Aim => ({
  operation: "reschedule",
  to: "back",
  old,
});

test.each([
  ["cancels an active subscription", CANCEL, record(), "change"],
  [
    "an ending one is cancelled already",
    CANCEL,
    record({ status: "pending_cancellation" }),
    "already",
  ],
  ["an ended one cannot be cancelled", CANCEL, record({ status: "cancelled" }), "refused"],
  [
    "an unpaid one cannot be cancelled",
    CANCEL,
    record({ status: "pending_checkout" }),
    "refused",
  ],
  ["one without a date is cancelled, if the service does it", CANCEL, undated, "change"],
  ["an ending one is resumed", RESUME, record({ status: "pending_cancellation" }), "change"],
  ["an active one needs no resuming", RESUME, record(), "already"],
  ["a due one cannot be resumed", RESUME, record({ status: "due" }), "refused"],
  ["a due one is moved", shift(7), record({ status: "due" }), "change"],
  [
    "an ending one cannot be moved",
    shift(7),
    record({ status: "pending_cancellation" }),
    "refused",
  ],
  ["one that has the date is left", toDay("2026-12-02"), record(), "already"],
  ["one is not moved into the past", shift(-60), record(), "refused"],
  ["one is moved to today", toDay("2026-11-20"), record(), "change"],
  [
    "a date to go back to that has passed is refused",
    back({ s1: "2026-11-19" }),
    record(),
    "refused",
  ],
  ["one without an old date is not moved back", back({}), record(), "refused"],
  [
    "a status of a newer service is the service's to decide",
    CANCEL,
    record({ status: "frozen" }),
    "change",
  ],
] as const)("%s", (_title, aim, given, verdict) => {
  const plan = planFor(aim, given, clock);
  expect(plan.verdict).toBe(verdict);
  expect(plan.message === null).toBe(verdict === "change");
});

test("a bulk change by a week leads to the same day as a single change", () => {
  const today = "2026-11-20";
  for (const day of ["2026-11-01", "2026-11-19", "2026-11-20", "2026-12-20", null]) {
    const one = record({ status: "due", current_period_end: day, next_billing_cycle: day });
    const [week] = billingDayChoices(day, today);
    expect(planFor(shift(7), one, clock)).toMatchObject({
      verdict: "change",
      target: week.day,
    });
  }
});

test("counts days in the seller's time zone", () => {
  expect(planFor(shift(7), record(), clock)).toMatchObject({
    day: "2026-12-02",
    target: "2026-12-09",
  });
  const elsewhere = { ...clock, time_zone: "America/Los_Angeles" };
  expect(planFor(shift(7), record(), elsewhere)).toMatchObject({
    day: "2026-12-01",
    target: "2026-12-08",
  });
});

test("the record shows whether the change happened", () => {
  const zone = clock.time_zone;
  expect(isAchieved("cancel", null, record(), zone)).toBe(false);
  expect(isAchieved("cancel", null, record({ status: "pending_cancellation" }), zone)).toBe(
    true,
  );
  // The specification also says that cancel takes effect immediately.
  expect(isAchieved("cancel", null, record({ status: "cancelled" }), zone)).toBe(true);
  expect(isAchieved("resume", null, record(), zone)).toBe(true);
  expect(isAchieved("reschedule", "2026-12-02", record(), zone)).toBe(true);
  expect(isAchieved("reschedule", "2026-12-01", record(), zone)).toBe(false);
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
] as const)("a wish is judged before any record is read: %o", (aim, words) => {
  const problem = problemOfAim(aim, clock);
  expect(problem && inWords(allWords(), problem)).toBe(words);
});

test("explains an unchanged item in the user's language, and keeps the service's own message", () => {
  const past = planFor(shift(-60), record(), clock);
  const why = (language: "en" | "ne", plan: Parameters<typeof describeWhy>[2]) =>
    describeWhy(allWords(language), formatOf({ language }), plan);
  expect(why("en", past)).toBe(
    "3 Oct 2026 has passed, and a date can only be moved to today or later.",
  );
  expect(why("ne", past)).toContain("२०२६ अक्टोबर ३ बितिसक्यो");
  const refused = planFor(RESUME, record({ status: "due" }), clock);
  expect(why("ne", refused)).toContain("रद्द");
  expect(why("ne", { message: "Frozen by the bank.", target: null })).toBe(
    "Frozen by the bank.",
  );
});

test.each([
  ["an active one that was moved", "reschedule", "active", "active", "2026-12-01", "change"],
  ["a due one whose date has passed", "reschedule", "due", "active", "2026-11-16", "refused"],
  ["one that was due until today", "reschedule", "due", "active", "2026-11-20", "refused"],
  ["one that was due and stayed due", "reschedule", "due", "due", "2026-11-19", "refused"],
  ["one that had no date", "reschedule", "active", "active", null, "refused"],
  [
    "a cancellation that is scheduled",
    "cancel",
    "active",
    "pending_cancellation",
    "2026-12-01",
    "change",
  ],
  [
    "a cancellation that ended it at once",
    "cancel",
    "active",
    "cancelled",
    "2026-12-01",
    "refused",
  ],
  ["one that was resumed", "resume", "pending_cancellation", "active", "2026-12-01", "change"],
  ["one that could not be read since", "cancel", "active", null, "2026-12-01", "change"],
] as const)(
  "whether an item can be undone: %s",
  (_title, operation, status_before, status_after, day_before, verdict) => {
    const days = { day_before, day_after: "2026-12-08" };
    const item = { subscription_id: "s1", status_before, status_after, ...days };
    expect(planBack(operation, item, clock).verdict).toBe(verdict);
  },
);

test("the rest of a run is its waiting, running and unknown items", () => {
  const counts = countStates(
    (["waiting", "running", "unknown", "done", "failed"] as const).map((state) => ({ state })),
  );
  expect(restOf(counts)).toBe(3);
  expect(describeWork(words("bulk"), "cancel", 1)).toBe("Cancel 1 subscription");
  expect(describeWork(words("bulk"), "reschedule", 1_200)).toBe(
    "Reschedule 1,200 subscriptions",
  );
});
