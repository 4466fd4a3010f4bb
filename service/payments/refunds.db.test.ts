import { beforeEach, describe, expect, it } from "vitest";
import { AccountPaymentPage } from "#contract/payments.ts";
import { Refund } from "#contract/recorded-payments.ts";
import { Follower, namedChanges } from "../testing/follower.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const URL = "/account/v1";
const sita = { id: "1", name: "Sita Rai" };
const hari = { id: "2", name: "Hari Thapa" };

let api: SellerApi;
let account: TestSeller;
beforeEach(async () => {
  api = await SellerApi.open(service);
  account = await withAccountToken(service, api.seller);
});

const get = (url: string) => service.call(account, { url: `${URL}${url}` });
const post = (url: string, payload: object) =>
  service.call(account, {
    method: "POST",
    url: `${URL}${url}`,
    payload,
    headers: { "content-type": "application/json" },
  });
const payments = async () => AccountPaymentPage.parse((await get("/payments/")).json()).results;

describe("money back", () => {
  const refund = async (paymentId: string, amount: string) =>
    post(`/payments/${paymentId}/refunds/`, { amount, reason: "Two weeks away", by: sita });
  const paid = async () => {
    await api.createActive();
    return (await payments())[0]?.payment_id ?? "";
  };

  it("in part and in whole is owed by hand until a person confirms it", async () => {
    const payment = await paid();
    const follower = await Follower.begin(api);
    const part = Refund.parse((await refund(payment, "500.5")).json());
    expect(part).toMatchObject({
      state: "by_hand",
      amount: "500.50",
      requested_by: "Sita Rai",
    });
    expect(await payments()).toMatchObject([{ refunded: "0.00", refund_owed: "500.50" }]);
    const open = await get("/refunds/?is_open=true");
    expect(open.json()).toMatchObject({ results: [{ id: part.id }] });
    const done = await post(`/refunds/${part.id}/confirm/`, { reference: "T 88", by: hari });
    expect(done.json()).toMatchObject({
      state: "done",
      reference: "T 88",
      ended_by: "Hari Thapa",
    });
    expect(await payments()).toMatchObject([{ refunded: "500.50", refund_owed: "0.00" }]);
    expect(namedChanges(await follower.news())).toEqual([`payment changed ${payment}`]);
    expect((await refund(payment, "629.51")).json()).toEqual({
      amount: ["Give back more than nothing, and at most 629.50."],
    });
    expect((await refund(payment, "629.50")).statusCode).toBe(201);
    expect((await refund(payment, "0.01")).statusCode).toBe(400);
    expect((await refund(payment, "0")).statusCode).toBe(400);
  });

  it("that is not made can be begun again, and ends once", async () => {
    const payment = await paid();
    const { id } = (await refund(payment, "1130")).json<{ id: string }>();
    const refuse = () => post(`/refunds/${id}/refuse/`, { reason: "Not wanted", by: hari });
    expect((await refuse()).json()).toMatchObject({ state: "refused", refusal: "Not wanted" });
    expect((await refuse()).statusCode).toBe(409);
    expect(
      (await post(`/refunds/${id}/confirm/`, { reference: "x", by: hari })).statusCode,
    ).toBe(409);
    expect((await refund(payment, "1130")).statusCode).toBe(201);
  });

  it("of ten at once is never more than was paid", async () => {
    const payment = await paid();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(payment, "500")));
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(2);
    expect(await payments()).toMatchObject([{ refund_owed: "1000.00" }]);
  });

  it("is for no other seller, and for no payment that is unknown", async () => {
    const payment = await paid();
    account = await withAccountToken(service, await service.createSeller());
    expect((await refund(payment, "1")).statusCode).toBe(404);
    expect((await refund("1", "1")).statusCode).toBe(404);
  });
});
