import { beforeEach, describe, expect, it } from "vitest";
import { Verification } from "#contract/verification.ts";
import { updateSeller } from "../sellers/store.ts";
import {
  choosePaymentOutcome,
  fetchCheckoutPage,
  notifyOfPayment,
  paymentsOf,
  requestCode,
  submitCodePage,
} from "../testing/checkout-forms.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const WORDS = "This business cannot take payments at the moment.";

let api: SellerApi;
beforeEach(async () => {
  api = await SellerApi.open(service);
});

const suspend = () => updateSeller(service.pool, api.seller.seller_id, { kyc_verified: false });
const release = () => updateSeller(service.pool, api.seller.seller_id, { kyc_verified: true });
async function approve(reference: string) {
  await choosePaymentOutcome(service, reference, "approve");
  // The sandbox answers the first inquiry "pending".
  for (let notices = 0; notices < 2; notices += 1) await notifyOfPayment(service, reference);
}
const page = async (id: string, query = "") =>
  (await fetchCheckoutPage(service, `/pay/${id}${query}`)).body;

describe("a suspended account", () => {
  it("gets a 403 with an explanation from the API, and can read that its state is suspended", async () => {
    const state = async () =>
      Verification.parse((await api.call({ url: "/account/v1/verification/" })).json()).state;
    expect(await state()).toBe("verified");
    await suspend();
    expect(await state()).toBe("suspended");
    const refused = await api.call({ url: "/api/v1/customers/" });
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      {
        detail: "The account of this key is suspended. Only the product list works meanwhile.",
      },
    ]);
    expect((await api.call({ url: "/api/v1/products/" })).statusCode).toBe(200);
    await release();
    expect(await state()).toBe("verified");
    expect((await api.call({ url: "/api/v1/customers/" })).statusCode).toBe(200);
  });

  it("takes no payment: payment links say this to buyers, and work again after the suspension", async () => {
    const { subscription_id: id } = await api.create();
    const attempt = await requestCode(service, id);
    await suspend();
    expect(await page(id)).toContain(WORDS);
    expect(await page(id, `?attempt=${attempt}`)).toContain(WORDS);
    expect(await page(id, "?lang=ne")).toContain("यो व्यवसायले अहिले भुक्तानी लिन मिल्दैन");
    for (const query of ["", `?attempt=${attempt}`, "?choose=1"])
      expect(await page(id, query)).not.toContain("<form");
    expect(await requestCode(service, id)).toBe("");
    expect((await submitCodePage(service, id, attempt)).outcome).toBe("settled");
    expect(await paymentsOf(service, id)).toEqual([]);
    await release();
    const sent = await submitCodePage(service, id, attempt);
    await approve(sent.reference);
    expect(await paymentsOf(service, id)).toHaveLength(1);
  });

  it("keeps a payment that began at the provider before the suspension, and the result page shows the payment", async () => {
    const { subscription_id: id } = await api.create();
    const attempt = await requestCode(service, id);
    const { reference } = await submitCodePage(service, id, attempt);
    await suspend();
    await approve(reference);
    expect(await paymentsOf(service, id)).toHaveLength(1);
    expect(await page(id, `?attempt=${attempt}`)).toContain("Payment received");
    expect(await page(id)).not.toContain(WORDS);
    expect(await page(id, "?early=1")).toContain(WORDS);
  });
});
