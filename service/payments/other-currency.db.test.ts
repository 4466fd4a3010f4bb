import { beforeEach, expect, it } from "vitest";
import { RefundPage } from "#contract/recorded-payments.ts";
import { approvedAs, BuyerAtProvider, SITA } from "../testing/buyer-at-provider.ts";
import { FakeProvider } from "../testing/fake-provider.ts";
import { askDueCharges } from "../testing/payment-steps.ts";
import { useTestService } from "../testing/use-service.ts";

const fake = new FakeProvider();
const service = useTestService("test", { providers: [fake.adapter()] });

let buyer: BuyerAtProvider;
/** The provider has taken USD 10 where NPR 1,130 were asked for. */
beforeEach(async () => {
  buyer = await BuyerAtProvider.open(service, fake);
  await buyer.hear(approvedAs("10.00", "USD"));
});

const openRefunds = async () =>
  RefundPage.parse(
    (await service.call(buyer.account, { url: "/account/v1/refunds/?is_open=true" })).json(),
  ).results;

const queryOwn = async (sql: string) => (await service.pool.query(sql, [buyer.id])).rows;

/**
 * A person counts the charge as paid.
 * @returns the payment's id
 */
async function count(): Promise<string> {
  await buyer.decideNewest("count_as_paid");
  const [payment] = await queryOwn("select payment_id from payment where subscription_id = $1");
  return String((payment as { payment_id: string }).payment_id);
}

it.each([
  ["that a person gives back", "give_back", async () => {}],
  [
    "that counts as paid where nothing is owed any more",
    "count_as_paid",
    () => buyer.payInCash(),
  ],
])(
  "held money in another currency %s is refunded in full by hand",
  async (_, decision, before) => {
    await before();
    await buyer.decideNewest(decision);
    await askDueCharges(service);
    expect(fake.refunds).toEqual([]);
    expect(await openRefunds()).toMatchObject([
      { state: "by_hand", place: "merchant.fake.example", amount: "10.00", currency: "USD" },
    ]);
  },
);

it("held money keeps its currency when the provider's next answer omits the currency", async () => {
  service.clock.advance(3_600_000);
  await buyer.hear({ state: "held", word: "disputed", amount: "10.00" });
  await buyer.decideNewest("give_back");
  await askDueCharges(service);
  expect(fake.refunds).toEqual([]);
  expect(await openRefunds()).toMatchObject([{ amount: "10.00", currency: "USD" }]);
});

it("a partial refund of a payment made in another currency is by hand, in the currency of the price", async () => {
  const refund = { amount: "5.00", reason: "Too much", by: SITA };
  const asked = await buyer.post(`payments/${await count()}/refunds/`, refund);
  expect(asked.statusCode).toBe(201);
  await askDueCharges(service);
  expect(fake.refunds).toEqual([]);
  expect(await openRefunds()).toMatchObject([
    { state: "by_hand", amount: "5.00", currency: "NPR" },
  ]);
});

it.each([
  ["of all that was taken is booked as the whole payment", "10.00", ["1130.00"]],
  ["of a part of it is not booked", "4.00", []],
])(
  "after a payment in another currency, a refund by the provider %s, and opens a task",
  async (_, amount, counted) => {
    await count();
    await buyer.hearAgain({ state: "refunded", amount });
    expect(
      await queryOwn("select amount::text as amount from refund where subscription_id = $1"),
    ).toEqual(counted.map((each) => ({ amount: each })));
    const { results } = await buyer.tasks("?is_open=true");
    expect(results).toMatchObject([{ kind: "refunded_by_provider" }]);
  },
);

it("a dispute in another currency is not booked, and opens a task without an amount", async () => {
  await count();
  const dispute = { state: "open", taken: "10.00", fee: "15.00" } as const;
  await buyer.hearAgain({ state: "held", word: "disputed", amount: "10.00", dispute });
  const { results } = await buyer.tasks("?is_open=true");
  expect(results).toMatchObject([{ kind: "disputed", answered_amount: null }]);
  expect(
    await queryOwn("select from journal_entry where subscription_id = $1 and kind = 'dispute'"),
  ).toEqual([]);
});
