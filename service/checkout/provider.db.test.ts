import { describe, expect, it } from "vitest";
import {
  choosePaymentOutcome,
  notifyOfPayment,
  paymentsOf,
  postForm,
  fetchCheckoutPage,
  requestCode,
  submitCodePage,
} from "../testing/checkout-forms.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";
import type { ProviderCharge } from "../providers/provider.ts";
import { followUpSandbox } from "./follow-up.ts";
import { paymentContext } from "./provider.ts";

const service = useTestService();

async function atProvider(pay: { api?: SellerApi; id?: string; early?: boolean } = {}) {
  const api = pay.api ?? (await SellerApi.open(service));
  const id = pay.id ?? (await api.create()).subscription_id;
  const attempt = await requestCode(service, id, pay.early ? { early: "1" } : {});
  const { reference } = await submitCodePage(service, id, attempt);
  const url = `/pay/${id}?attempt=${attempt}`;
  return { api, id, attempt, reference, url };
}

const isRefunded = async (reference: string) => {
  const { rows } = await service.pool.query<{ is_returned: boolean }>(
    "select returned_at is not null as is_returned from sandbox_charge where reference = $1",
    [reference],
  );
  return rows[0]?.is_returned;
};

describe("a provider's answer", () => {
  it("that is pending makes the page reload itself every three seconds until the page shows the receipt", async () => {
    const { api, id, reference, url } = await atProvider();
    expect((await fetchCheckoutPage(service, url)).body).toContain("Waiting for your wallet");
    await choosePaymentOutcome(service, reference, "approve");
    const waiting = await fetchCheckoutPage(service, url);
    expect(waiting.body).toContain("Waiting for your wallet");
    expect(waiting.headers.refresh).toBe("3");
    expect((await api.read(id)).status).toBe("pending_checkout");
    expect((await fetchCheckoutPage(service, url)).body).toContain("Payment received");
    expect((await api.read(id)).status).toBe("active");
  });

  it("that is repeated or later contradicted adds no payment and no event", async () => {
    const { api, id, reference } = await atProvider();
    await choosePaymentOutcome(service, reference, "approve");
    for (let times = 0; times < 5; times += 1)
      expect((await notifyOfPayment(service, reference)).status).toBe(204);
    await choosePaymentOutcome(service, reference, "decline");
    await notifyOfPayment(service, reference);
    expect(await api.events(id)).toHaveLength(2);
    expect(await paymentsOf(service, id)).toHaveLength(1);
  });

  it.each([
    ["decline", "declined", "was declined"],
    ["insufficient_balance", "insufficient_balance", "not enough balance"],
    ["time_out", "timed_out", "timed out"],
  ])(
    "of %s sends checkout.failed with the reason, and the link can still be paid",
    async (...row) => {
      const [choice, reason, texts] = row;
      const { api, id, reference, url } = await atProvider();
      await choosePaymentOutcome(service, reference, choice);
      await notifyOfPayment(service, reference);
      await notifyOfPayment(service, reference);
      expect((await fetchCheckoutPage(service, url)).body).toContain(texts);
      expect(await api.events(id)).toEqual([
        `checkout.failed: pending_checkout > pending_checkout (${reason})`,
      ]);
      expect(await api.pay(id)).toBe("paid");
    },
  );

  it("that the buyer left shows the payment as not confirmed, and sends no event", async () => {
    const { api, id, reference, url } = await atProvider();
    await choosePaymentOutcome(service, reference, "abandon");
    await fetchCheckoutPage(service, url);
    expect((await fetchCheckoutPage(service, url)).body).toContain("not confirmed");
    expect(await api.events(id)).toEqual([]);
  });

  it("that was lost is requested again by the next sweep", async () => {
    const { api, id, reference } = await atProvider();
    await choosePaymentOutcome(service, reference, "approve");
    const inquiries: (string | null)[] = [];
    const payments = paymentContext(service.context);
    const sandbox = payments.sandbox && {
      ...payments.sandbox,
      inquire: async (charge: ProviderCharge) => {
        inquiries.push(charge.reference);
        if (inquiries.filter((one) => one === reference).length > 1)
          return {
            state: "approved",
            ...charge,
            transaction_id: "1",
            fee: null,
            at: null,
          } as const;
        throw new Error("the line is dead");
      },
    };
    await followUpSandbox({ ...payments, sandbox });
    expect((await api.read(id)).status).toBe("pending_checkout");
    await followUpSandbox({ ...payments, sandbox });
    expect((await api.read(id)).status).toBe("active");
  });

  it("that arrives as a notice about an unknown payment gets a 404", async () => {
    const unknown = await notifyOfPayment(service, "11111111-1111-4111-8111-111111111111");
    const malformed = await postForm(service, "/pay-notices/sandbox", { reference: "x" });
    expect([unknown.status, malformed.status]).toEqual([404, 404]);
  });
});

describe("a payment that is no longer owed", () => {
  it("from a second tab is refunded, and the page of that tab says so", async () => {
    const first = await atProvider();
    const second = await atProvider(first);
    for (const { reference } of [first, second]) {
      await choosePaymentOutcome(service, reference, "approve");
      await notifyOfPayment(service, reference);
      await notifyOfPayment(service, reference);
    }
    expect((await fetchCheckoutPage(service, first.url)).body).toContain("Payment received");
    expect((await fetchCheckoutPage(service, second.url)).body).toContain(
      "will be refunded to your wallet",
    );
    expect([await isRefunded(first.reference), await isRefunded(second.reference)]).toEqual([
      false,
      true,
    ]);
    expect(await paymentsOf(service, first.id)).toHaveLength(1);
  });

  it("is refunded if the buyer changed the order during the payment", async () => {
    const { api, id, reference, url } = await atProvider();
    await api.create(api.periods.yearly);
    await choosePaymentOutcome(service, reference, "approve");
    await fetchCheckoutPage(service, url);
    expect((await fetchCheckoutPage(service, url)).body).toContain("order was changed");
    expect(await isRefunded(reference)).toBe(true);
    expect((await api.read(id)).status).toBe("pending_checkout");
  });

  it("made in a second tab for the same early renewal buys no second period", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    const tabs = [
      await atProvider({ api, id, early: true }),
      await atProvider({ api, id, early: true }),
    ];
    for (const { reference } of tabs) await choosePaymentOutcome(service, reference, "approve");
    for (let times = 0; times < 2; times += 1)
      await Promise.all(tabs.map(({ reference }) => notifyOfPayment(service, reference)));
    expect((await api.read(id)).next_billing_cycle).toBe("2026-05-10T06:15:00.000Z");
    expect(await paymentsOf(service, id)).toHaveLength(2);
  });

  it("C2: is refunded when twenty concurrent payments pay one period: one is kept, nineteen are refunded", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    const tabs: Awaited<ReturnType<typeof atProvider>>[] = [];
    for (let tab = 0; tab < 20; tab += 1) tabs.push(await atProvider({ api, id }));
    await Promise.all(
      tabs.map(({ reference }) => choosePaymentOutcome(service, reference, "approve")),
    );
    for (let times = 0; times < 3; times += 1)
      await Promise.all(tabs.map(({ reference }) => notifyOfPayment(service, reference)));
    expect(await paymentsOf(service, id)).toHaveLength(1);
    const refunds = await Promise.all(tabs.map(({ reference }) => isRefunded(reference)));
    expect(refunds.filter(Boolean)).toHaveLength(19);
    expect(await api.events(id)).toHaveLength(2);
  });
});
