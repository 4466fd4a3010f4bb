import { expect, test } from "vitest";
import { reminderOutcomesOf, type RemindedCase } from "./rules.ts";

const day = (number: number) => `2026-11-${String(number).padStart(2, "0")}T00:00:00.000Z`;
const reminded = (id: string, at: number, paidOn: number | null): RemindedCase => ({
  subscription_id: id,
  channel: "sms",
  person_id: "p",
  person_name: "Asha",
  reminders: 1,
  from: day(at),
  paid: paidOn === null ? null : { at: day(paidOn), amount: "100.00", currency: "NPR" },
});

test("a buyer who was reminded several times counts once, with both payments in the amount", () => {
  const cases = [
    reminded("twice", 12, null),
    reminded("twice", 8, 10),
    reminded("twice", 2, 3),
    reminded("once", 2, null),
  ];
  expect(reminderOutcomesOf(cases, day(20))).toEqual({
    count: 2,
    paid: 1,
    within: { 1: { paid: 1, of: 2 }, 3: { paid: 1, of: 2 }, 7: { paid: 1, of: 2 } },
    median_days: 1,
    amounts: [{ currency: "NPR", amount: "200.00" }],
  });
});
