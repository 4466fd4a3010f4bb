import { expect, test } from "vitest";
import type { Step } from "#contract/sandbox.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { makeSubscription } from "#tools/testing/fixtures/records-fixture.ts";
import { readBuyerNames } from "./data.ts";

const step = (subscription_id: string, full_name: string): Step => ({
  at: "2026-11-22T00:00:00Z",
  subscription_id,
  full_name,
  old_status: "active",
  new_status: "due",
  reason: "billing_date",
  events: [],
});
const record = (subscription_id: string, full_name: string): Subscription =>
  makeSubscription({ subscription_id, client: { full_name } });

const service = (newest: Subscription[], others: Subscription[] = []) => {
  const asked: string[] = [];
  return {
    asked,
    listSubscriptions: async () => {
      asked.push("list");
      return {
        count: newest.length,
        next: null,
        previous: null,
        results: newest,
        total_subscriptions: null,
        active_subscriptions: null,
        due_subscriptions: null,
        inactive_subscriptions: null,
      };
    },
    getSubscription: async (id: string) => {
      asked.push(id);
      const found = others.find((one) => one.subscription_id === id);
      if (!found) throw new Error("there is none");
      return found;
    },
  };
};

test("buyer names are looked up only for steps without a name", async () => {
  const billing = service([record("b", "Maya")], [record("c", "Hari")]);
  const steps = [step("a", "Asha"), step("b", ""), step("c", ""), step("d", "")];
  expect(await readBuyerNames(billing, steps)).toEqual({ a: "Asha", b: "Maya", c: "Hari" });
  expect(billing.asked).toEqual(["list", "c", "d"]);
});

test("no subscription is read if all steps have buyer names", async () => {
  const billing = service([]);
  expect(await readBuyerNames(billing, [step("a", "Asha")])).toEqual({ a: "Asha" });
  expect(billing.asked).toEqual([]);
});
