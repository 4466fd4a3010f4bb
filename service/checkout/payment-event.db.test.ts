import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { processingFee, totalAmount } from "#contract/amount.ts";
import { PAYMENT_OUTCOMES } from "#contract/names.ts";
import {
  choosePaymentOutcome,
  notifyOfPayment,
  requestCode,
  submitCodePage,
} from "../testing/checkout-forms.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
let api: SellerApi;

beforeEach(open);

async function open() {
  api = await SellerApi.open(service);
  for (const event of ["checkout.succeeded", "subscription.status_changed"])
    await api.post("/api/v1/webhooks/", { event, endpoint_url: "http://127.0.0.1:9/hooks" });
}

const setVat = (type: string, percentage: number) =>
  service.pool.query(
    `with changed as (
       update product set is_vat_active = $2, vat_type = $3, vat_percentage = $4
       where seller_id = $1 returning *
     )
     update billing_period b set is_vat_active = p.is_vat_active, vat_type = p.vat_type,
       vat_percentage = p.vat_percentage
     from changed p join plan l using (product_id) where l.plan_id = b.plan_id`,
    [api.seller.seller_id, percentage > 0, type, percentage],
  );
const offer = (discount: string, days: [string, string]) =>
  service.pool.query(
    `insert into offer (id, pbp_id, seller_id, discount_amount, starts_at, valid_until)
     values (gen_random_uuid(), $1, $2, $3, $4, $5)`,
    [api.periods.monthly, api.seller.seller_id, discount, ...days],
  );

/** The `data` of the events of one kind, oldest first. */
async function told(event = "checkout.succeeded") {
  const { rows } = await service.pool.query<{ body: string }>(
    `select d.body from delivery d join event e using (event_id)
     where d.seller_id = $1 and d.event = $2 order by e.sequence`,
    [api.seller.seller_id, event],
  );
  return rows.map(({ body }) => (JSON.parse(body) as { data: Record<string, unknown> }).data);
}

describe("the amounts in checkout.succeeded", () => {
  it("of a renewal are the price minus the offer of the payment day, plus exclusive VAT", async () => {
    await offer("200.00", ["2026-04-11", "2026-04-30"]);
    await offer("90.00", ["2026-04-01", "2026-04-30"]);
    const id = await api.createActive();
    await api.wait(34);
    expect(await api.pay(id)).toBe("paid");
    expect(await told()).toMatchObject([
      { amount: "1130.00", vat: "130.00" },
      { amount: "904.00", currency: "NPR", vat: "104.00", method: "wallet" },
    ]);
  });

  it("contain the VAT that is part of an inclusive price, or null for a price without VAT", async () => {
    await setVat("inclusive", 13);
    await api.createActive();
    await setVat("inclusive", 0);
    await api.createActive(api.periods.monthly, { phone: "9800000002" });
    expect(await told()).toMatchObject([
      { amount: "1000.00", vat: "115.04" },
      { amount: "1000.00", vat: null },
    ]);
  });

  it.each([
    ["exclusive", 5],
    ["inclusive", 0],
  ])(
    "keep the VAT of the payment's start when the product's VAT later changes to %s, %i %%",
    async (type, now) => {
      const { subscription_id: id } = await api.create();
      const { reference } = await submitCodePage(service, id, await requestCode(service, id));
      await setVat(type, now);
      await choosePaymentOutcome(service, reference, "approve");
      for (let notices = 0; notices < 2; notices += 1)
        await notifyOfPayment(service, reference);
      expect(await told()).toMatchObject([{ amount: "1130.00", vat: "130.00" }]);
    },
  );

  const step = fc.record({
    buyer: fc.nat(2),
    period: fc.constantFrom("monthly", "yearly", "once"),
    outcome: fc.constantFrom(...PAYMENT_OUTCOMES, "approve" as const),
    price: fc.integer({ min: 0, max: 10_000_000 }),
    days: fc.constantFrom(0, 1, 33),
  });

  it(
    "equal the amounts of the stored payments, one by one and in total",
    { timeout: 60_000 },
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
          service.clock.set("2026-03-10T06:00:00Z");
          await open();
          for (const { buyer, period, outcome, price, days } of steps) {
            await service.pool.query(
              "update billing_period set price = $2 where seller_id = $1 and label <> 'yearly'",
              [api.seller.seller_id, (price / 100).toFixed(2)],
            );
            const created = await api.requestCreate(api.periods[period], {
              phone: `980000000${buyer}`,
            });
            const { rows } = await service.pool.query<{ subscription_id: string }>(
              "select subscription_id from subscription where seller_id = $1 order by position",
              [api.seller.seller_id],
            );
            const id =
              created.json<{ subscription_id?: string }>().subscription_id ??
              rows[buyer % rows.length]?.subscription_id;
            await api.post(`/sandbox/subscriptions/${id}/pay/`, { outcome, method: "bank" });
            await api.wait(days);
          }
          const { rows: payments } = await service.pool.query<Record<string, unknown>>(
            `select p.payment_id, p.amount::text as amount, p.currency, p.vat::text as vat,
             p.fee::text as fee, p.method, a.provider_reference, wire_time(p.paid_at) as paid_at
           from payment p join checkout_attempt a using (attempt_id)
           where p.seller_id = $1 order by p.payment_id`,
            [api.seller.seller_id],
          );
          const events = (await told()).toSorted((one, other) =>
            String(one["payment_id"]) < String(other["payment_id"]) ? -1 : 1,
          );
          expect(events).toMatchObject(payments);
          expect(events).toHaveLength(payments.length);
          expect(events.map(({ amount }) => processingFee(String(amount)))).toEqual(
            payments.map(({ fee }) => fee),
          );
          const sum = await service.pool.query<{ sum: string | null }>(
            "select sum(amount)::text as sum from payment where seller_id = $1",
            [api.seller.seller_id],
          );
          const amounts = events.map(({ amount }) => ({ amount: String(amount), count: 1 }));
          expect(totalAmount(amounts)).toBe(sum.rows[0]?.sum ?? "0.00");
        }),
        { numRuns: 15 },
      ),
  );

  it("are not part of the data of subscription.status_changed", async () => {
    const id = await api.createActive();
    await api.cancel(id);
    const changes = await told("subscription.status_changed");
    expect(changes).toHaveLength(2);
    for (const data of changes)
      expect(Object.keys(data).toSorted()).toEqual([
        "current_period_end",
        "current_period_start",
        "next_billing_cycle",
        "pbp_id",
        "product_id",
      ]);
  });
});
