import { expect, test } from "vitest";
import { ReceivedSubscription } from "#contract/subscriptions.ts";
import { listReuseChanges } from "./reuse-notice.tsx";

const money = (amount: string, currency: string) => `${currency} ${amount}`;
const product = { label: "Monthly", price: "3150.00", currency: "NPR" };
const client = { phone: "9800000001", full_name: "सरस्वती राई", email: "s@example.com" };
const record = (over: object) =>
  ReceivedSubscription.parse({ subscription_id: "s-1", product, client, ...over });

test("a reused subscription with unchanged details lists no changes", () => {
  expect(listReuseChanges(record({}), record({}), money)).toEqual([]);
});

test("a reused subscription lists a changed period, price and name with old values, and a new PAN", () => {
  const after = record({
    product: { label: "Yearly", price: "30000.00", currency: "NPR" },
    client: { ...client, full_name: "Saraswati Rai", billing: { pan_vat: "012345678" } },
  });
  expect(listReuseChanges(record({}), after, money)).toEqual([
    { part: "period", before: "Monthly", after: "Yearly" },
    { part: "price", before: "NPR 3150.00", after: "NPR 30000.00" },
    { part: "name", before: "सरस्वती राई", after: "Saraswati Rai" },
    { part: "panVat", before: "", after: "012345678" },
  ]);
});
