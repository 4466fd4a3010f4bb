import { describe, expect, test } from "vitest";
import type { SimulatedPayment, Step } from "#contract/sandbox.ts";
import { translatorOf } from "#tools/testing/messages.ts";
import {
  describeChange,
  serviceTimeAt,
  countDeliveries,
  countEvents,
  describePayment,
  describeReasons,
  clockLead,
  paymentObstacle,
  summarizeChanges,
  reasonWords,
  scenarioTitle,
} from "./rules.ts";

const t = translatorOf("sandbox");

const step = (changes: Partial<Step> = {}): Step => ({
  at: "2026-11-22T18:15:00.000Z",
  full_name: "Asmita Rai",
  subscription_id: "3f1b3b57-7a0c-4a52-9a2f-0d1c5a3f9d11",
  old_status: "active",
  new_status: "due",
  reason: "billing_date_passed",
  events: ["subscription.status_changed"],
  ...changes,
});
const hook = "https://shop.example/hook";
const span = (steps: Step[], count: number | null = steps.length) => ({
  from: "2026-11-21T03:00:00.000Z",
  to: "2026-12-21T03:00:00.000Z",
  count,
  reasons: [],
  events: [],
  moments: [],
  steps,
});

describe("a summary of simulated changes", () => {
  test("keeps the first 100 steps and the totals of all steps", () => {
    const abandoned = step({ reason: "abandoned", events: ["checkout.failed"] });
    const passage = summarizeChanges(span([...Array<Step>(150).fill(step()), abandoned]));
    expect(passage).toMatchObject({
      count: 151,
      reasons: [
        ["billing_date_passed", 150],
        ["abandoned", 1],
      ],
    });
    expect(passage.steps).toHaveLength(100);
    expect(countEvents(passage)).toBe(151);
    expect(describeReasons(t, passage.reasons)).toEqual([
      "150 become due",
      "1 checkout counts as abandoned",
    ]);
  });

  test("counts the steps if the service sends no total", () => {
    expect(summarizeChanges(span([step()], null)).count).toBe(1);
    expect(summarizeChanges(span([step()], 2_000)).count).toBe(2_000);
  });

  test("counts one delivery for each endpoint of an event", () => {
    const { events } = summarizeChanges(span([step(), step({ events: ["checkout.failed"] })]));
    expect(
      countDeliveries({
        events,
        receivers: { "subscription.status_changed": [hook, hook, hook] },
      }),
    ).toBe(3);
    expect(countDeliveries({ events, receivers: {} })).toBe(0);
    expect(countDeliveries({ events, receivers: null })).toBeNull();
  });

  test("shows unknown reasons and events as the service sends them", () => {
    expect(describeReasons(t, [["moon_rises", 2]])).toEqual(["2 × moon_rises"]);
    expect(reasonWords(t, "moon_rises")).toBe("moon rises");
    expect(describeChange(t, { old_status: "paused", new_status: "on_hold" })).toBe(
      "paused → on hold",
    );
    expect(describeChange(t, { old_status: "due", new_status: "due" })).toBe("stays due");
    expect(scenarioTitle(t, "month_of_history")).toBe("Month of history");
  });
});

describe("the sandbox clock", () => {
  const real_now = "2026-11-21T03:00:00.000Z";

  test.each([
    ["2026-11-21T03:00:20.000Z", null],
    ["2026-11-20T03:00:00.000Z", null],
    ["not a time", null],
    ["2026-11-21T03:01:00.000Z", { unit: "minutes", count: 1 }],
    ["2026-11-21T08:00:05.000Z", { unit: "hours", count: 5 }],
    ["2026-11-22T02:59:50.000Z", { unit: "days", count: 1 }],
    ["2026-12-21T02:59:40.000Z", { unit: "days", count: 30 }],
  ])("that shows %s is ahead by %o", (now, lead) => {
    expect(clockLead({ now, real_now })).toEqual(lead);
  });

  test("advances with the time of the page and never goes back", () => {
    const now = "2026-12-21T03:00:00.000Z";
    const clock = { now, real_now };
    expect(serviceTimeAt(clock, "2026-11-21T03:05:00.000Z")).toBe("2026-12-21T03:05:00.000Z");
    expect(serviceTimeAt(clock, "2026-11-21T02:59:00.000Z")).toBe(now);
    expect(serviceTimeAt({ now, real_now: "" }, real_now)).toBe(now);
  });
});

describe("a simulated payment", () => {
  const payment = (changes: Partial<SimulatedPayment>): SimulatedPayment => ({
    subscription_id: "s-1",
    result: "paid",
    reason: null,
    old_status: "due",
    new_status: "active",
    events: [],
    ...changes,
  });

  test.each([
    [{}, "Paid. The subscription went from due to active."],
    [{ old_status: "active" }, "Paid. The subscription stays active."],
    [
      { result: "failed", reason: "insufficient_balance", new_status: "due" },
      "The payment failed: not enough balance. The subscription stays due.",
    ],
    [
      { result: "failed", reason: "card_eaten", new_status: "due" },
      "The payment failed: card eaten. The subscription stays due.",
    ],
    [
      { result: "returned", reason: "settled", old_status: "active" },
      "The payment went through, but nothing was owed, so it was refunded. The subscription stays active.",
    ],
    [
      { result: "pending", new_status: "pending_checkout" },
      "The payment has no result yet. The subscription is pending checkout.",
    ],
  ])("is described by its result %o", (changes, text) => {
    expect(describePayment(t, payment(changes))).toBe(text);
  });

  test("is not offered for ended or ending subscriptions", () => {
    const open = ["pending_checkout", "due", "active", "on_hold"].map((status) =>
      paymentObstacle(t, status),
    );
    expect(open).toEqual([null, null, null, null]);
    for (const status of ["cancelled", "inactive", "pending_cancellation"])
      expect(paymentObstacle(t, status)).not.toBeNull();
  });
});
