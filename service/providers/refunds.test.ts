import { describe, expect, it } from "vitest";
import {
  simulators,
  usePaymentSimulators,
  type Name,
  adapterOf,
  io,
  settingsOf,
  bookOf,
  simulatorOf,
  inquire,
  refund,
  open,
  expectClean,
  faultOf,
} from "../testing/payment-providers.ts";

usePaymentSimulators();

describe("a refund", () => {
  const paid = async (name: Name) => {
    const charge = await open(name);
    bookOf(name).decide(charge.reference, "approve");
    const answer = await inquire(name, charge);
    if (answer.state !== "approved") throw new Error("not approved");
    return { ...charge, transaction_id: answer.transaction_id };
  };

  it.each(["khalti", "stripe"] as const)(
    "is made only once at %s, even if it is requested twice",
    async (name) => {
      const charge = await paid(name);
      expect(await refund(name, charge)).toMatchObject({ state: "done" });
      expect(await inquire(name, charge)).toEqual({ state: "refunded", amount: "1200.50" });
      expect(await refund(name, charge)).toMatchObject({ state: "done" });
      expect(await inquire(name, charge)).toEqual({ state: "refunded", amount: "1200.50" });
    },
  );

  it.each(["khalti", "stripe"] as const)(
    "succeeds at %s when it is requested again after a lost answer",
    async (name) => {
      const charge = await paid(name);
      // The adapter first asks whether the refund was made before, then makes it.
      const asked = simulatorOf(name).arrival();
      const made = faultOf(refund(name, charge));
      await asked;
      simulatorOf(name).next("close_after");
      expect((await made).kind).toBe("unknown");
      expect(await refund(name, charge)).toMatchObject({ state: "done" });
      expect(await inquire(name, charge)).toEqual({ state: "refunded", amount: "1200.50" });
    },
  );

  it.each(["khalti", "stripe"] as const)(
    "that %s refuses for good leaves the payment approved",
    async (name) => {
      const charge = await paid(name);
      bookOf(name).refunds = "refused";
      const answer = await refund(name, charge);
      expect(answer).toMatchObject({ state: "refused", again: false });
      expectClean(answer);
      expect(await inquire(name, charge)).toMatchObject({ state: "approved" });
    },
  );

  it("has to be made by hand at Khalti if it is partial or the payment came through a bank", async () => {
    const charge = await paid("khalti");
    const by_hand = { state: "by_hand", where: "test-admin.khalti.com" };
    expect(await refund("khalti", charge, "200.00")).toEqual(by_hand);
    bookOf("khalti").refunds = "mobile";
    expect(await refund("khalti", charge)).toEqual(by_hand);
  });

  it("of a payment that Khalti has not completed is refused, but can be tried again later", async () => {
    const charge = await open("khalti");
    expect(await refund("khalti", charge)).toMatchObject({ state: "refused", again: true });
  });

  it("of a part of the amount is made once per idempotency key at Stripe, and the remainder can follow", async () => {
    const charge = await paid("stripe");
    expect(await refund("stripe", charge, "200.25", "one")).toMatchObject({ state: "done" });
    expect(await refund("stripe", charge, "200.25", "one")).toMatchObject({ state: "done" });
    expect(await inquire("stripe", charge)).toEqual({ state: "refunded", amount: "200.25" });
    expect(await refund("stripe", charge, "1000.25", "two")).toMatchObject({ state: "done" });
    expect(await inquire("stripe", charge)).toEqual({ state: "refunded", amount: "1200.50" });
  });

  it("at Stripe can be pending, then succeed, and still fail afterwards", async () => {
    const charge = await paid("stripe");
    bookOf("stripe").refunds = "pending";
    const answer = await refund("stripe", charge);
    if (answer.state !== "under_way") throw new Error("not under way");
    const ask = () =>
      adapterOf("stripe").inquireRefund?.(charge, answer.refund_id, settingsOf("stripe"), io());
    expect(await ask()).toEqual(answer);
    simulators.stripeRefunds.end(answer.refund_id, "succeeded");
    expect(await ask()).toEqual({ state: "done", refund_id: answer.refund_id });
    simulators.stripeRefunds.end(answer.refund_id, "failed");
    expect(await ask()).toMatchObject({ state: "refused", again: false });
    expect(await inquire("stripe", charge)).toMatchObject({ state: "approved" });
  });

  it("is refused by Stripe while the seller's balance is too low, and succeeds later", async () => {
    const charge = await paid("stripe");
    bookOf("stripe").refunds = "insufficient";
    expect(await refund("stripe", charge)).toMatchObject({ state: "refused", again: true });
    bookOf("stripe").refunds = "normal";
    expect(await refund("stripe", charge)).toMatchObject({ state: "done" });
  });

  it.each(["esewa", "connectips", "fonepay", "fonepay_qr"] as const)(
    "has to be made by hand at %s",
    async (name) => {
      const charge = await paid(name);
      expect(await refund(name, charge)).toMatchObject({ state: "by_hand" });
    },
  );

  it("that the seller made by hand at eSewa is found by a status inquiry", async () => {
    const charge = await paid("esewa");
    bookOf("esewa").decide(charge.reference, "refund");
    expect(await inquire("esewa", charge)).toEqual({ state: "refunded", amount: "1200.50" });
  });
});
