import { beforeEach, describe, expect, it } from "vitest";
import { totalAmount } from "#contract/amount.ts";
import { MonthlyStatement } from "#contract/payments.ts";
import { transaction } from "../db/database.ts";
import { lockAccount } from "../sandbox/account/replace.ts";
import type { ProviderDispute } from "../providers/provider.ts";
import { FakeProvider } from "../testing/fake-provider.ts";
import { bookAccount, clearLedger } from "./book.ts";
import { BookedSeller } from "../testing/payments/booked-seller.ts";
import type { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const fake = new FakeProvider();
const service = useTestService("test", { providers: [fake.adapter()] });

const DAY = 86_400_000;

let seller: BookedSeller;
let api: SellerApi;
beforeEach(async () => {
  seller = await BookedSeller.open(service, fake);
  ({ api } = seller);
});

describe("the ledger", () => {
  it("books a charge with the provider's fee and the service's fee", async () => {
    await seller.addProvider();
    const { subscription_id } = await api.create();
    await seller.payAtProvider(subscription_id);
    expect(await seller.balances()).toEqual({
      fake: "1125.00",
      provider_fee: "5.00",
      our_fee: "-22.49",
      seller: "-1107.51",
    });
  });

  it("books a sandbox payment with the service's fee, and a recorded payment without a fee until its reversal", async () => {
    await api.createActive();
    expect(await seller.balances()).toEqual({
      sandbox: "1130.00",
      our_fee: "-22.49",
      seller: "-1107.51",
    });
    const { subscription_id } = await api.create(api.periods.monthly, { phone: "9800000002" });
    const { id } = await seller.recordCash(subscription_id);
    expect(await seller.balances()).toMatchObject({ cash: "1130.00", seller: "-2237.51" });
    await seller.reverse(id);
    expect(await seller.balances()).toEqual({
      sandbox: "1130.00",
      our_fee: "-22.49",
      seller: "-1107.51",
    });
  });

  it("books a payment that was not owed as a debt to the buyer until it is refunded", async () => {
    await seller.addProvider();
    const { subscription_id } = await api.create();
    const one = await seller.goToProvider(subscription_id);
    service.clock.advance(31_000);
    const two = await seller.goToProvider(subscription_id);
    fake.refunding = { state: "under_way", refund_id: "r-1" };
    fake.answer("approve", one);
    fake.answer("approve", two);
    await seller.askAfter();
    expect(await seller.balances()).toMatchObject({ fake: "2250.00", buyer: "-1130.00" });
    fake.refunding = { state: "done", refund_id: "r-1" };
    await seller.askAfter(DAY);
    expect(await seller.balances()).toEqual({
      fake: "1120.00",
      provider_fee: "10.00",
      our_fee: "-22.49",
      seller: "-1107.51",
    });
  });

  it("books each partial refund that the provider made by itself once", async () => {
    await seller.addProvider();
    const { subscription_id } = await api.create();
    const reference = await seller.payAtProvider(subscription_id);
    const told = async (amount: string) => {
      await seller.tellRefunded(reference, amount);
      return (await seller.balances())["refunds"];
    };
    expect(await told("100.00")).toBe("100.00");
    expect(await told("100.00")).toBe("100.00");
    expect(await told("130.00")).toBe("130.00");
  });

  it("books the amounts that a provider takes because of a dispute, returns and keeps", async () => {
    await seller.addProvider();
    const { subscription_id } = await api.create();
    const reference = await seller.payAtProvider(subscription_id);
    const paid = await seller.balances();
    const hear = async (dispute: ProviderDispute, amount = "1130.00") => {
      fake.answer({ state: "held", word: "disputed", amount, dispute }, reference);
      await seller.askAgain(reference);
      // The same answer again books nothing.
      await seller.askAgain(reference);
      const [payment] = await seller.payments();
      return { ...(await seller.balances()), dispute: payment?.dispute };
    };
    const fee = "15.05";
    const open = { state: "open", taken: "0.00", fee: null } as const;
    expect(await hear(open)).toMatchObject({ ...paid, dispute: { state: "open" } });
    const kept = { fake: "-20.05", disputes: "1130.00", provider_fee: "20.05" };
    expect(await hear({ ...open, taken: "1130.00", fee })).toMatchObject(kept);
    // An answer without a fee leaves the booked fee; the provider returns a part of the money, then
    // keeps it again.
    const part = { fake: "979.95", disputes: "130.00" };
    expect(await hear({ ...open, taken: "130.00" })).toMatchObject(part);
    expect(await hear({ ...open, taken: "1130.00" })).toMatchObject(kept);
    const dispute = { state: "won", taken: "0.00", fee } as const;
    const taken = { amount: "1130.00", currency: "NPR", transaction_id: "t", fee: null };
    fake.answer({ state: "approved", ...taken, at: null, dispute }, reference);
    await seller.askAgain(reference);
    expect(await seller.balances()).toEqual({
      ...paid,
      fake: "1109.95",
      provider_fee: "20.05",
    });
    const lost = { state: "lost", taken: "1130.00", fee } as const;
    expect(await hear(lost)).toMatchObject({
      ...kept,
      dispute: { state: "lost", amount: "1130.00", fee },
    });
    const month = await seller.statement("2026-03");
    expect(month.totals).toMatchObject([
      { paid: "1130.00", given_back: "0.00", disputed: "1130.00", provider_fee: "20.05" },
    ]);
    // 1130.00 less 1130.00, 20.05 and 22.49.
    expect(month.totals[0]?.net).toBe("-42.54");
    expect(month.entries.map(({ kind }) => kind)).toEqual([
      "charge",
      "payment",
      ...Array.from({ length: 2 }, () => ["dispute", "dispute_returned"]).flat(),
      "dispute",
    ]);
    expect((await api.read(subscription_id)).status).toBe("active");
    // Replacing an account books the same sums.
    const before = await seller.balances();
    await transaction(service.pool, async (database) => {
      await lockAccount(database, api.seller.seller_id, service.clock.now());
      await clearLedger(database, api.seller.seller_id);
      await bookAccount(database, api.seller.seller_id);
    });
    expect(await seller.balances()).toEqual(before);
  });

  it("refuses changes, an unbalanced entry, and a second entry for a payment", async () => {
    await api.createActive();
    for (const change of [
      "update journal_line set amount = amount + 1",
      "delete from journal_line",
      "delete from journal_entry",
      "truncate journal_entry cascade",
    ])
      await expect(service.pool.query(change)).rejects.toThrow("append-only");
    await expect(
      service.pool.query(
        `insert into journal_line select entry_id, 9, seller_id, 'cash', null, currency, 1
         from journal_line limit 1`,
      ),
    ).rejects.toThrow("add up to zero");
    await expect(
      service.pool.query(
        `insert into journal_entry (seller_id, kind, booked_at, subscription_id, payment_id)
         select seller_id, kind, booked_at, subscription_id, payment_id from journal_entry
         where kind = 'payment'`,
      ),
    ).rejects.toThrow("unique");
  });
});

describe("statements", () => {
  it("open with the previous month's closing balance and add up to the balances and the payments", async () => {
    await seller.addProvider();
    const ids: string[] = [];
    for (const phone of ["9800000001", "9800000002", "9800000003"]) {
      const { subscription_id } = await api.create(api.periods.monthly, { phone });
      ids.push(subscription_id);
      await seller.payAtProvider(subscription_id);
      // 23:45 of the last day in Kathmandu is still the month; a quarter of an hour later is the next.
      if (phone === "9800000001") service.clock.set("2026-03-31T18:00:00Z");
      if (phone === "9800000002") service.clock.set("2026-03-31T18:15:00Z");
    }
    const [, second] = await seller.payments();
    await seller.giveBack(second?.payment_id ?? "", "30.55");
    const months = await Promise.all(
      ["2026-03", "2026-04", "2026-05"].map((m) => seller.statement(m)),
    );
    expect(months.map(({ is_complete }) => is_complete)).toEqual([true, false, false]);
    const all = await seller.balances();
    for (const [index, { accounts, entries, totals }] of months.entries())
      for (const each of accounts) {
        const { opening, debit, credit, closing } = each;
        const signed = (text: string) => BigInt(text.replace(".", ""));
        expect(signed(opening) + signed(debit) - signed(credit)).toBe(signed(closing));
        const lines = entries
          .flatMap(({ lines }) => lines)
          .filter((line) => line.account === each.account && line.provider === each.provider);
        const sum = (side: "debit" | "credit") =>
          totalAmount(lines.map((line) => ({ amount: line[side], count: 1 })));
        expect([sum("debit"), sum("credit")]).toEqual([debit, credit]);
        const next = months[index + 1]?.accounts.find(
          ({ account, provider }) => account === each.account && provider === each.provider,
        );
        expect(next?.opening ?? all[each.provider ?? each.account] ?? "0.00").toBe(closing);
        expect(totals.length).toBe(entries.length > 0 ? 1 : 0);
      }
    const listed = await seller.payments();
    const booked = months.flatMap(({ entries }) =>
      entries.flatMap(({ kind, payment_id }) => (kind === "payment" ? [payment_id] : [])),
    );
    expect(booked.toReversed()).toEqual(listed.map(({ payment_id }) => payment_id));
    expect(
      totalAmount(
        months.flatMap(({ totals }) => totals.map((t) => ({ amount: t.paid, count: 1 }))),
      ),
    ).toBe(totalAmount(listed.map(({ amount }) => ({ amount, count: 1 }))));
    expect(months[1]?.totals).toMatchObject([
      {
        payments: 1,
        paid: "1130.00",
        given_back: "30.55",
        service_fee: "22.49",
        net: "1071.96",
      },
    ]);
    expect(ids).toHaveLength(3);
  });

  it("are paged, show no other seller's entries, and answer 404 to an invalid month", async () => {
    await api.createActive();
    const first = await seller.statement("2026-03", "?page_size=1");
    expect(first.entries).toHaveLength(1);
    const rest = await seller.call((first.next ?? "").replace(/^.*\/account\/v1/, ""));
    expect(MonthlyStatement.parse(rest.json())).toMatchObject({
      next: null,
      entries: [{ kind: "payment" }],
    });
    const other = await BookedSeller.open(service, fake);
    expect(await other.statement("2026-03")).toMatchObject({
      entries: [],
      accounts: [],
    });
    for (const month of ["2026-13", "march", "2026-3"])
      expect((await seller.call(`/statements/${month}/`)).statusCode).toBe(404);
  });
});
