import { describe, expect, it } from "vitest";
import { SUBSCRIPTION_STATUSES } from "#contract/names.ts";
import { findTransition, TRIGGERS } from "./transitions.ts";

const recurring = { isOneTime: false };

describe("transition", () => {
  // A row for each status and a column for each trigger, in the order of TRIGGERS; "=" is
  // unchanged, "-" is refused.
  const table = {
    pending_checkout: "active pending_checkout - - - - - - active cancelled",
    active: "active active pending_cancellation = active - due - - cancelled",
    due: "active due - - active - - inactive - cancelled",
    pending_cancellation: "- - = active - cancelled - - - cancelled",
    cancelled: "- - - - - - - - - =",
    inactive: "- - - - - - - - - -",
  };
  for (const status of SUBSCRIPTION_STATUSES) {
    it(`moves a subscription with the status ${status} as the specification's table says`, () => {
      const cells = TRIGGERS.map((trigger) => {
        const result = findTransition(status, trigger, recurring);
        if (result.outcome === "changed") return result.to;
        return result.outcome === "unchanged" ? "=" : "-";
      });
      expect(cells.join(" ")).toBe(table[status]);
    });
  }

  it("sends checkout.succeeded and subscription.status_changed for a successful payment", () => {
    expect(findTransition("pending_checkout", "payment_succeeded", recurring)).toMatchObject({
      events: ["checkout.succeeded", "subscription.status_changed"],
    });
  });

  it("sends only checkout.failed for a failed payment", () => {
    expect(findTransition("pending_checkout", "payment_failed", recurring)).toMatchObject({
      events: ["checkout.failed"],
    });
  });

  it("allows a one-time purchase only a payment, a failed payment or a withdrawal, each before it is paid", () => {
    const allowed = SUBSCRIPTION_STATUSES.flatMap((status) =>
      TRIGGERS.filter(
        (trigger) => findTransition(status, trigger, { isOneTime: true }).outcome !== "refused",
      ).map((trigger) => `${status} ${trigger}`),
    );
    expect(allowed).toEqual([
      "pending_checkout payment_succeeded",
      "pending_checkout payment_failed",
      "pending_checkout withdrawn",
    ]);
  });
});
