import { beforeEach, describe, expect, it } from "vitest";
import { AccountPaymentPage, type AccountPayment } from "#contract/payments.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const DAY = 86_400_000;
let api: SellerApi;

beforeEach(async () => {
  api = await SellerApi.open(service);
});

const ask = (query = "", as = api) => as.call({ url: `/account/v1/payments/${query}` });
const list = async (query = "", as = api) =>
  AccountPaymentPage.parse((await ask(query, as)).json()).results;
const ids = (payments: AccountPayment[]) =>
  payments.map(({ subscription_id }) => subscription_id);

const subscribe = (buyer: number, period = api.periods.monthly) =>
  api.createActive(period, {
    phone: `980000000${buyer}`,
    full_name: `Buyer ${buyer}`,
    email: `buyer${buyer}@example.com`,
  });

describe("the list of payments", () => {
  it("has the same amounts as the webhook event, with the customer, the product and the subscription", async () => {
    await api.post("/api/v1/webhooks/", {
      event: "checkout.succeeded",
      endpoint_url: "http://127.0.0.1:9/hooks",
    });
    const id = await subscribe(1);
    const { rows } = await service.pool.query<{ body: string }>(
      "select body from delivery where seller_id = $1",
      [api.seller.seller_id],
    );
    const { data } = JSON.parse(rows[0]?.body ?? "") as { data: Record<string, unknown> };
    const { product_id, pbp_id: _, ...paid } = data;
    const [payment] = await list();
    for (const [name, value] of Object.entries(paid))
      if (!/period|cycle/.test(name))
        expect([name, payment?.[name as "vat"]]).toEqual([name, value]);
    expect(payment).toMatchObject({
      subscription_id: id,
      amount: "1130.00",
      vat: "130.00",
      fee: "22.49",
      customer: { full_name: "Buyer 1", buyer_phone: "9800000001" },
      product: { product_id, name: "Milk", plan_name: "Daily litre" },
    });
    const receipt = await service.call(null, { url: `/pay/${id}` });
    expect(receipt.body).toContain(payment?.reference);
  });

  it("is sorted newest first, and its pages contain each payment once", async () => {
    const paid: string[] = [];
    for (const buyer of [1, 2, 3, 4, 5]) {
      paid.unshift(await subscribe(buyer));
      if (buyer % 2 === 0) service.clock.advance(DAY);
    }
    const seen: AccountPayment[] = [];
    let url: string | null = "/account/v1/payments/?page_size=2";
    for (let pages = 1; url !== null; pages += 1) {
      const page: AccountPaymentPage = AccountPaymentPage.parse(
        (await api.call({ url })).json(),
      );
      seen.push(...page.results);
      expect(pages).toBeLessThan(4);
      url = page.next?.replace("http://billing.test", "") ?? null;
    }
    expect(ids(seen).toSorted()).toEqual(paid.toSorted());
    const times = seen.map(({ paid_at }) => paid_at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(await list(`?before=${seen[3]?.payment_id}`)).toEqual(seen.slice(4));
  });

  it("can be searched by a payment's reference, its id and the provider's reference", async () => {
    const [one] = [await subscribe(1), await subscribe(2)];
    const payment = (await list(`?subscription_id=${one}`))[0] as AccountPayment;
    for (const reference of [
      payment.reference,
      payment.reference.toLowerCase(),
      payment.payment_id,
      payment.payment_id.toUpperCase(),
      payment.provider_reference ?? "",
    ])
      expect(ids(await list(`?reference=${reference}`))).toEqual([one]);
    for (const reference of ["none", "0000", "%25%25%25%25", `${payment.payment_id}0`])
      expect(await list(`?reference=${reference}`)).toEqual([]);
  });

  it("can be filtered by customer, amount and the seller's day, alone or combined", async () => {
    const first = await subscribe(1);
    service.clock.set("2026-03-10T18:14:59Z");
    const late = await subscribe(2, api.periods.yearly);
    service.clock.set("2026-03-10T18:15:00Z");
    const next = await subscribe(1, api.periods.weekly);
    const [{ customer }] = (await list(`?subscription_id=${next}`)) as [AccountPayment];
    expect(ids(await list(`?customer_id=${customer.id}`))).toEqual([next, first]);
    expect(ids(await list("?amount=11300"))).toEqual([late]);
    expect(ids(await list("?amount=1130.0"))).toEqual([next, first]);
    expect(ids(await list("?day=2026-03-10"))).toEqual([late, first]);
    expect(ids(await list("?day=2026-03-11"))).toEqual([next]);
    expect(
      ids(await list(`?day=2026-03-10&amount=1130.00&customer_id=${customer.id}`)),
    ).toEqual([first]);
  });

  it("never contains another seller's payments, whatever the filter", async () => {
    const id = await subscribe(1);
    const [{ payment_id, provider_reference, customer }] = (await list()) as [AccountPayment];
    const other = await SellerApi.open(service);
    for (const query of [
      "",
      `?subscription_id=${id}`,
      `?reference=${payment_id}`,
      `?reference=${provider_reference}`,
      `?customer_id=${customer.id}`,
      "?amount=1130.00",
      "?day=2026-03-10",
    ])
      expect(await list(query, other)).toEqual([]);
    expect((await ask(`?before=${payment_id}`, other)).statusCode).toBe(400);
  });

  it.each([
    "amount=-1",
    "amount=1e3",
    "day=2026-02-30",
    "day=0000-01-01",
    "reference=abcd%00",
    "reference=abc",
    "customer_id=0",
    "before=1",
    "page_size=101",
  ])("refuses ?%s with 400 and an error for this parameter", async (query) => {
    const answer = await ask(`?${query}`);
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([
      400,
      [query.split("=")[0]],
    ]);
  });

  it("contains a payment without a payment attempt, with no provider's reference", async () => {
    await subscribe(1);
    await service.pool.query("update payment set attempt_id = null where seller_id = $1", [
      api.seller.seller_id,
    ]);
    expect(await list()).toMatchObject([{ provider_reference: null, fee: "22.49" }]);
  });
});
