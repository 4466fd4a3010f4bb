import { describe, expect, it } from "vitest";
import { SUBSCRIPTION_STATUSES } from "#contract/names.ts";
import { nextTimedChange } from "./timed-changes.ts";

const seller = { time_zone: "Asia/Kathmandu", grace_days: 2 };
const next_billing_cycle = new Date("2026-04-10T06:15:00Z");

describe("nextTimedChange", () => {
  it("Spec, Transitions: returns the next change that time causes in each status, day by day", () => {
    const days = ["10", "11", "12", "13"];
    const table = Object.fromEntries(
      SUBSCRIPTION_STATUSES.map((status) => [
        status,
        days.map((day) => {
          const next = nextTimedChange({ status, next_billing_cycle }, seller);
          return next && next.at <= new Date(`2026-04-${day}T06:00:00Z`) ? next.trigger : null;
        }),
      ]),
    );
    const never = [null, null, null, null];
    expect(table).toEqual({
      pending_checkout: never,
      active: [null, ...Array<string>(3).fill("billing_date_passed")],
      due: [null, null, null, "grace_elapsed"],
      pending_cancellation: [null, ...Array<string>(3).fill("period_ended")],
      cancelled: never,
      inactive: never,
    });
  });

  it("returns null for a subscription without a billing date", () => {
    expect(nextTimedChange({ status: "active", next_billing_cycle: null }, seller)).toBeNull();
  });
});
