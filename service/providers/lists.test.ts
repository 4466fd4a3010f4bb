import { describe, expect, it } from "vitest";
import type { ListedPayment } from "./provider.ts";
import {
  adapterOf,
  bookOf,
  expectClean,
  faultOf,
  io,
  NAMES,
  open,
  settingsOf,
  simulatorOf,
  simulators,
  usePaymentSimulators,
} from "../testing/payment-providers.ts";

usePaymentSimulators();

const DAY = 86_400_000;
const WITH_LIST = ["khalti", "stripe"] as const;
type WithList = (typeof WITH_LIST)[number];

const readPage = (name: WithList, page: string | null, changed = {}) => {
  const now = Date.now();
  const query = { from: new Date(now - DAY), to: new Date(now + DAY), page };
  const answer = adapterOf(name).list?.(query, settingsOf(name, changed), io());
  if (!answer) throw new Error(`${name} has no list`);
  return answer;
};

async function readAll(name: WithList, changed = {}) {
  const pages: ListedPayment[][] = [];
  let page: string | null = null;
  do {
    const read = await readPage(name, page, changed);
    pages.push(read.payments);
    page = read.next;
  } while (page !== null && pages.length < 50);
  return pages;
}

/** A row in the provider's own form, of a payment that this service did not begin. */
const otherRow = (name: WithList, word: string) =>
  name === "khalti"
    ? {
        idx: "other-1",
        state: { name: word },
        amount: 50_000,
        created_on: "2026-03-10T11:00:00",
      }
    : {
        id: "cs_test_other",
        status: word,
        amount_total: 50_000,
        currency: "npr",
        metadata: {},
      };

it("only the adapters of Khalti and Stripe can list payments", () => {
  expect(NAMES.filter((name) => "list" in adapterOf(name))).toEqual(WITH_LIST);
});

describe.each(WITH_LIST)("the list of payments at %s", (name) => {
  it("contains the amount, currency and state of every payment, even if its pages overlap", async () => {
    const charges = [];
    for (const outcome of ["approve", "approve", "refund", "cancel", "say"] as const) {
      const charge = await open(name);
      if (outcome !== "cancel") bookOf(name).decide(charge.reference, "approve");
      if (outcome === "refund") bookOf(name).decide(charge.reference, "refund");
      if (outcome === "say") bookOf(name).say(charge.reference, "Under investigation");
      charges.push(charge);
    }
    Object.assign(simulators.lists[name], { size: 2, overlaps: true });
    const pages = await readAll(name);
    expect(pages.map(({ length }) => length)).toEqual([2, 3, 2]);
    const read = new Map(
      pages.flat().map((each) => [each.reference ?? each.transaction_id, each]),
    );
    const found = charges.map(({ reference }) => {
      const { transaction } = bookOf(name).payments.get(reference) ?? {};
      return read.get(name === "stripe" ? reference : (transaction ?? reference));
    });
    const states = ["paid", "paid", "refunded", "unpaid"];
    // A payment counts as paid only if Stripe calls it complete.
    expect(found.map((each) => each?.state)).toEqual([
      ...states,
      name === "stripe" ? "unpaid" : "unclear",
    ]);
    for (const each of found) {
      expect(each).toMatchObject({ amount: "1200.50", currency: "NPR", isOther: false });
      expect(Math.abs((each?.at?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
    }
    expectClean(pages);
  });

  it("omits other programs' payments at Stripe, and marks unknown payments at Khalti as configured", async () => {
    const charge = await open(name);
    bookOf(name).decide(charge.reference, "approve");
    simulators.lists[name].others.push(otherRow(name, "Completed"));
    const [payments = []] = await readAll(name);
    if (name === "stripe") {
      expect(payments.map(({ reference }) => reference)).toEqual([charge.reference]);
      return;
    }
    expect(payments.map(({ isOther }) => isOther)).toEqual([false, false]);
    const [ignored = []] = await readAll(name, { unknownPayments: "ignore" });
    expect(ignored.map(({ isOther }) => isOther)).toEqual([true, true]);
  });

  it.each([
    "hang_before",
    "server_error",
    "html",
    "empty",
    "close_mid_answer",
    "too_many",
  ] as const)("cannot be read during the provider failure %s", async (fault) => {
    simulatorOf(name).next(fault);
    const { kind } = await faultOf(readPage(name, null, { askSeconds: 1 }));
    expect(kind).toBe(fault === "too_many" ? "busy" : "unknown");
  });

  it.each([null, {}, { amount: "x", amount_total: "x" }, { state: 7, status: 7 }, []])(
    "is read even if it contains a malformed row such as %j",
    async (row) => {
      const charge = await open(name);
      bookOf(name).decide(charge.reference, "approve");
      const { transaction } = bookOf(name).payments.get(charge.reference) ?? {};
      simulators.lists[name].others.push(row as object);
      const payments = (await readAll(name)).flat();
      const isOurs = ({ reference, transaction_id }: ListedPayment) =>
        name === "stripe" ? reference === charge.reference : transaction_id === transaction;
      expect(payments.filter(isOurs).map(({ state }) => state)).toEqual(["paid"]);
      for (const { state } of payments.filter((each) => !isOurs(each)))
        expect(["unclear", "unpaid"]).toContain(state);
    },
  );
});
