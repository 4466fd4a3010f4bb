import { describe, expect, test } from "vitest";
import { ReceivedSubscription } from "#contract/subscriptions.ts";
import { failureOfAnswer } from "#lib/billing/answer.ts";
import { hasOpenCheckout, isOneTimePurchase, nextBilling } from "#lib/money/payable.ts";
import { formatOf, translatorOf } from "#tools/testing/messages.ts";
import {
  areCountersWhole,
  billingDay,
  billingDayChoices,
  shiftBillingDay,
  describeMove,
  describeSubscriptionStatus,
  mayBeDuplicate,
  unavailableReason,
  detectReuse,
  uncountedRows,
} from "./rules.ts";

const none = { current_period_start: null, current_period_end: null, next_billing_cycle: null };
const some = "2026-11-20T00:00:00Z";

test("an active subscription without any period dates is a one-time purchase", () => {
  expect(isOneTimePurchase({ status: "active", ...none })).toBe(true);
});

test.each([
  { status: "pending_checkout", ...none },
  { status: "cancelled", ...none },
  { status: "active", ...none, next_billing_cycle: some },
  { status: "active", ...none, current_period_end: some },
])("the subscription %o is not a one-time purchase", (record) => {
  expect(isOneTimePurchase(record)).toBe(false);
});

test("an ended subscription has no next billing date", () => {
  const dated = (status: string) => nextBilling({ status, next_billing_cycle: some });
  expect(["cancelled", "inactive"].map(dated)).toEqual([null, null]);
  expect(["active", "due", "pending_cancellation", "paused"].map(dated)).toEqual(
    Array(4).fill(some),
  );
});

test("the checkout is open while a subscription is unpaid, active or due", () => {
  const open = ["pending_checkout", "active", "due", "pending_cancellation", "new_word"].filter(
    (status) => hasOpenCheckout({ status }),
  );
  expect(open).toEqual(["pending_checkout", "active", "due"]);
});

test("the number of rows missing from the status counters is 0 unless both totals are known", () => {
  expect(uncountedRows({ count: 250, total_subscriptions: 242 })).toBe(8);
  expect(uncountedRows({ count: 242, total_subscriptions: 250 })).toBe(0);
  expect(uncountedRows({ count: null, total_subscriptions: 242 })).toBe(0);
  expect(uncountedRows({ count: 250, total_subscriptions: null })).toBe(0);
});

test("status counters of a filtered list cover the whole account unless they equal the filtered count", () => {
  const page = { count: 5, total_subscriptions: 242 };
  expect(areCountersWhole(page, "due")).toBe(true);
  expect(areCountersWhole({ ...page, total_subscriptions: 5 }, "due")).toBe(false);
  expect(areCountersWhole({ ...page, total_subscriptions: 5 }, null)).toBe(true);
  expect(areCountersWhole({ ...page, total_subscriptions: null }, "due")).toBe(true);
});

test("only a response 400 with a message can mean that the buyer already has an active subscription", () => {
  const refusedBy = (status: number, body: unknown) =>
    mayBeDuplicate(failureOfAnswer(new Response(null, { status }), body, { isWrite: true }));
  const detail = "In words.";
  expect(refusedBy(400, { detail })).toBe(true);
  expect(refusedBy(400, { pbp_id: [detail] })).toBe(false);
  for (const status of [404, 409, 413, 422, 423, 429, 500])
    expect(refusedBy(status, { detail })).toBe(false);
});

describe("the check whether the service reused an unpaid subscription instead of creating one", () => {
  const at = (subscription_id: string, created_at: string) => ({ subscription_id, created_at });
  const waiting = (next: string | null, ...records: ReturnType<typeof at>[]) => ({
    results: records.map((record) => ReceivedSubscription.parse(record)),
    next,
  });
  const older = at("older", "2026-11-18T00:00:00Z");
  const newest = at("newest", "2026-11-19T00:00:00Z");

  test("says yes, with the earlier record, if the list of unpaid subscriptions already contained it", () => {
    const { is_reused, before } = detectReuse(older, waiting("more", newest, older));
    expect([is_reused, before?.subscription_id]).toEqual([true, "older"]);
  });

  test("says yes if the subscription is older than the newest one of an incomplete list", () => {
    const found = detectReuse(
      at("deep", "2026-01-01T00:00:00Z"),
      waiting("more", newest, older),
    );
    expect(found).toEqual({ is_reused: true, before: null });
  });

  test.each([
    [
      "a complete list of unpaid subscriptions did not contain the subscription",
      at("new", "2026-01-01T00:00:00Z"),
      waiting(null, newest),
    ],
    [
      "the subscription is newer than all in the list",
      at("new", "2026-11-20T00:00:00Z"),
      waiting("more", newest),
    ],
    ["there were no unpaid subscriptions", at("new", "2026-11-20T00:00:00Z"), waiting(null)],
  ])("says no if %s", (_why, created, before) => {
    expect(detectReuse(created, before)).toEqual({ is_reused: false, before: null });
  });

  test("says yes if the search index already had the subscription, whatever the list contains", () => {
    const before = ReceivedSubscription.parse(older);
    for (const list of [null, waiting("more", newest), waiting(null)])
      expect(detectReuse(older, list, { before })).toEqual({ is_reused: true, before });
    // The index was updated meanwhile; the list may still have the earlier record.
    const copied = { before: null };
    expect(detectReuse(older, null, copied)).toEqual({ is_reused: true, before: null });
    expect(detectReuse(older, waiting(null, older), copied)).toEqual({
      is_reused: true,
      before,
    });
  });

  test("says unknown if the list is incomplete and the created subscription has no date", () => {
    const found = detectReuse(at("deep", ""), waiting("more", newest));
    expect(found).toEqual({ is_reused: null, before: null });
  });

  test("says unknown if the list of unpaid subscriptions could not be read", () => {
    expect(detectReuse(newest, null)).toEqual({ is_reused: null, before: null });
  });
});

const clock = { time_zone: "Asia/Kathmandu", now: "2026-11-20T06:15:00Z" };
const recurring = (status: string, day: string | null = "2026-12-20") => ({
  status,
  current_period_start: some,
  current_period_end: day,
  next_billing_cycle: day,
});

describe("the operations that a subscription allows", () => {
  const open = (status: string) =>
    (["cancel", "resume", "reschedule"] as const).filter(
      (operation) => unavailableReason(operation, recurring(status)) === null,
    );

  test.each([
    ["pending_checkout", []],
    ["active", ["cancel", "reschedule"]],
    ["due", ["reschedule"]],
    ["pending_cancellation", ["resume"]],
    ["cancelled", []],
    ["inactive", []],
  ])("with the status %s are %o", (status, operations) => {
    expect(open(status)).toEqual(operations);
  });

  test("with an unknown status are all operations, because the service decides", () => {
    expect(["paused", "__proto__", "constructor"].map(open)).toEqual(
      Array(3).fill(["cancel", "resume", "reschedule"]),
    );
  });
});

describe("the description of a status", () => {
  const stands = (subscription: Parameters<typeof describeSubscriptionStatus>[2], at = clock) =>
    describeSubscriptionStatus(translatorOf("subscription"), formatOf(at), subscription, at);

  test.each([
    [recurring("pending_checkout", null), /^Waiting for the first payment/],
    [recurring("active"), /^Runs until 20 Dec 2026 \(in 30 days\)/],
    [recurring("active", "2026-11-20"), /^Runs until 20 Nov 2026 \(today\)/],
    [recurring("active", "2026-11-16"), /was 16 Nov 2026 \(4 days ago\)/],
    [recurring("active", null), /gives no next billing date/],
    [recurring("due", "2026-11-16"), /since 16 Nov 2026 \(4 days ago\).*grace period/],
    [recurring("due", null), /^A payment is due/],
    [recurring("pending_cancellation"), /^Ends on 20 Dec 2026 \(in 30 days\), and is usable/],
    [recurring("pending_cancellation", "2026-11-16"), /has not ended it yet/],
    [recurring("pending_cancellation", null), /^Ends with its current period/],
    [recurring("cancelled", null), /^Cancelled\. It does not renew/],
    [recurring("inactive", null), /^Ended: not paid within/],
    [recurring("paused"), /does not know this status/],
    [{ status: "active", ...none }, /^A paid one-time purchase/],
  ])("fits the status and billing date of %o", (subscription, told) => {
    expect(stands(subscription)).toMatch(told);
  });

  test.each([
    [{ by: "payment" }, /^Paid until 20 Dec 2026 \(in 30 days\)/],
    [{ by: "move", name: "Asha", is_own: true }, /^Runs until 20 Dec 2026 .*, moved by you\./],
    [{ by: "move", name: "Asha", is_own: false }, /^Runs until 20 Dec 2026 .*moved by Asha\./],
    [{ by: "move", name: null, is_own: false }, /moved by somebody\./],
    [null, /^Runs until 20 Dec 2026 \(in 30 days\)\. Then/],
  ] as const)(
    "says “paid until” only if the billing date comes from a payment: %o",
    (reached, told) => {
      const said = describeSubscriptionStatus(
        translatorOf("subscription"),
        formatOf(clock),
        recurring("active"),
        clock,
        reached,
      );
      expect(said).toMatch(told);
    },
  );

  test.each([
    ["Asia/Kathmandu", "1 Jan 2027"],
    ["America/Los_Angeles", "31 Dec 2026"],
    ["Pacific/Kiritimati", "1 Jan 2027"],
  ])(
    "shows a point in time as its day in %s, and a date without a time unchanged",
    (time_zone, day) => {
      const at = { ...clock, time_zone };
      expect(stands(recurring("active", "2026-12-31T23:30:00Z"), at)).toContain(day);
      expect(stands(recurring("active", "2026-12-31"), at)).toContain("31 Dec 2026");
      expect(billingDay(recurring("active", "2026-12-31"), time_zone)).toBe("2026-12-31");
    },
  );
});

describe("a move of the billing date", () => {
  const days = (day: string | null, today: string) =>
    billingDayChoices(day, today).map((choice) => choice.day);

  test("offers dates that are counted from the current billing date, or from today if that date has passed", () => {
    expect(days("2026-12-20", "2026-11-20")).toEqual([
      "2026-12-27",
      "2027-01-20",
      "2026-12-31",
    ]);
    expect(days("2026-11-16", "2026-11-20")).toEqual([
      "2026-11-27",
      "2026-12-20",
      "2026-11-30",
    ]);
    expect(days(null, "2026-11-20")).toEqual(days("2026-11-16", "2026-11-20"));
  });

  test("by a given number of days counts from the current billing date, or from today if that date has passed", () => {
    const today = "2026-11-20";
    expect(shiftBillingDay("2026-12-20", 7, today)).toBe("2026-12-27");
    expect(shiftBillingDay("2026-11-16", 7, today)).toBe("2026-11-27");
    expect(shiftBillingDay("2026-12-20", -7, today)).toBe("2026-12-13");
    expect(shiftBillingDay(null, 7, today)).toBe("2026-11-27");
  });

  test("by a month ends on the last day of a shorter month", () => {
    expect(days("2027-01-31", "2026-11-20")).toEqual([
      "2027-02-07",
      "2027-02-28",
      "2027-02-28",
    ]);
  });

  test("is described by the days that the buyer gains or loses", () => {
    const moved = (to: string) => describeMove(translatorOf("subscription"), "2026-12-20", to);
    expect(moved("2026-12-27")).toBe("7 days given to the buyer.");
    expect(moved("2026-12-19")).toBe("1 day taken from the buyer.");
  });
});
