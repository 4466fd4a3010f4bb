import { describe, expect, it } from "vitest";
import {
  Clock,
  ReceivedClock,
  ReceivedScenarioList,
  ReceivedSimulatedPayment,
  ReceivedTimeSpan,
  SimulatePayment,
  TimeSpan,
} from "./sandbox.ts";

const clock = {
  now: "2026-12-21T03:00:00.000Z",
  real_now: "2026-11-21T03:00:00.000Z",
  is_ahead: true,
  time_zone: "Asia/Kathmandu",
  next_transition_at: null,
};
const step = {
  at: "2026-11-22T18:15:00.000Z",
  subscription_id: "3f1b3b57-7a0c-4a52-9a2f-0d1c5a3f9d11",
  full_name: "Asmita Rai",
  old_status: "active",
  new_status: "due",
  reason: "billing_date_passed",
  events: ["subscription.status_changed"],
};

describe("the strict schemas for sandbox answers", () => {
  it("accept documented answers, and refuse unknown fields and statuses", () => {
    const span = {
      from: clock.real_now,
      to: clock.now,
      count: 1,
      reasons: [{ reason: step.reason, count: 1 }],
      events: [{ event: "subscription.status_changed", count: 1 }],
      moments: [{ at: step.at, count: 1 }],
      steps: [step],
    };
    expect(Clock.parse(clock)).toEqual(clock);
    expect(TimeSpan.parse(span)).toEqual(span);
    expect(Clock.safeParse({ ...clock, extra: 1 }).success).toBe(false);
    const odd = { ...span, steps: [{ ...step, new_status: "paused" }] };
    expect(TimeSpan.safeParse(odd).success).toBe(false);
  });
});

describe("the tolerant schemas for sandbox answers", () => {
  it("fill in the missing fields of a clock", () => {
    expect(ReceivedClock.parse({})).toEqual({
      now: "",
      real_now: "",
      is_ahead: false,
      time_zone: "",
      next_transition_at: null,
    });
  });

  it("keep unknown statuses, events and results, and drop unknown fields", () => {
    const odd = { ...step, new_status: "paused", events: ["moon.risen"], extra: 1 };
    expect(ReceivedTimeSpan.parse({ to: clock.now, steps: [odd] })).toMatchObject({
      count: null,
      steps: [{ new_status: "paused", events: ["moon.risen"] }],
    });
    expect(ReceivedScenarioList.parse({ results: [{ name: "quiet" }] }).results).toEqual([
      { name: "quiet", description: "", is_current: false },
    ]);
    expect(
      ReceivedSimulatedPayment.parse({ subscription_id: 7, result: "frozen" }),
    ).toMatchObject({ subscription_id: "7", result: "frozen", reason: null, events: [] });
  });
});

it("a request to simulate a payment uses the wallet by default, and must have a known outcome", () => {
  expect(SimulatePayment.parse({ outcome: "approve" }).method).toBe("wallet");
  expect(SimulatePayment.safeParse({ outcome: "steal" }).success).toBe(false);
});
