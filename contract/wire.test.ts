import { describe, expect, it } from "vitest";
import { ReceivedProductPage } from "./products.ts";
import {
  ReceivedSubscription,
  ReceivedSubscriptionPage,
  Subscription,
  SubscriptionPage,
} from "./subscriptions.ts";

const record = {
  subscription_id: "3f1b3b57-7a0c-4a52-9a2f-0d1c5a3f9d11",
  status: "active",
  is_active: true,
  client: {
    phone: "9800000001",
    full_name: "Asmita Rai",
    email: "asmita@example.com",
    address: "Patan",
    billing: null,
    shipping: null,
  },
  product: {
    product_id: "0d1c5a3f-7a0c-4a52-9a2f-3f1b3b570d11",
    name: "Milk",
    plan_name: "Litre",
    pbp_id: "pbp_milk",
    label: "Monthly",
    price: "3150.00",
    currency: "NPR",
  },
  current_period_start: "2026-03-01T06:15:00.000Z",
  current_period_end: "2026-04-01T06:15:00.000Z",
  next_billing_cycle: "2026-04-01T06:15:00.000Z",
  created_at: "2026-03-01T06:15:00.000Z",
};
const page = { count: 1, next: null, previous: null, results: [record] };

describe("the strict schemas for API answers", () => {
  it("accept documented answers, and refuse unknown fields and statuses", () => {
    expect(Subscription.parse(record)).toEqual(record);
    expect(Subscription.safeParse({ ...record, extra: 1 }).success).toBe(false);
    expect(Subscription.safeParse({ ...record, status: "paused" }).success).toBe(false);
    expect(SubscriptionPage.safeParse(page).success).toBe(false);
  });
});

describe("the tolerant schemas for API answers", () => {
  it("drop unknown fields, and keep an unknown status as sent", () => {
    const read = ReceivedSubscription.parse({
      ...record,
      status: "paused",
      extra: { deep: [1] },
    });
    expect(read).toEqual({ ...record, status: "paused" });
  });

  it("read a missing or null period date as null, not as an empty string", () => {
    const { current_period_start, next_billing_cycle, ...rest } = record;
    expect([current_period_start, next_billing_cycle]).not.toContain(null);
    expect(ReceivedSubscription.parse({ ...rest, current_period_end: null })).toMatchObject({
      current_period_start: null,
      current_period_end: null,
      next_billing_cycle: null,
    });
  });

  it("fill in other missing fields, even a missing client", () => {
    const read = ReceivedSubscription.parse({ subscription_id: 7, product: { price: 12.5 } });
    expect(read).toMatchObject({
      subscription_id: "7",
      client: { full_name: "", billing: null },
      product: { price: "12.5", currency: "" },
      is_active: false,
    });
  });

  it("read a missing flag as true, and accept flags written as text or as numbers", () => {
    const read = (flags: object) => {
      const period = { pbp_id: "p", ...flags };
      const product = { product_id: "1", plan: [{ plan_id: "1", billing_periods: [period] }] };
      const [found] = ReceivedProductPage.parse({
        results: [{ ...product, ...flags }],
      }).results;
      return [found?.is_active, found?.plan[0]?.billing_periods[0]?.is_current];
    };
    expect(read({})).toEqual([true, true]);
    expect(read({ is_active: false, is_current: "False" })).toEqual([false, false]);
    expect(read({ is_active: "true", is_current: 1 })).toEqual([true, true]);
  });

  it("read an empty next URL as null", () => {
    expect(ReceivedSubscriptionPage.parse({ ...page, next: "" }).next).toBeNull();
  });

  it("read a missing counter as null, not as zero", () => {
    expect(ReceivedSubscriptionPage.parse({ ...page, due_subscriptions: 0 })).toMatchObject({
      total_subscriptions: null,
      due_subscriptions: 0,
    });
  });

  it("refuse a subscription without an ID", () => {
    expect(ReceivedSubscription.safeParse({ ...record, subscription_id: null }).success).toBe(
      false,
    );
  });
});
