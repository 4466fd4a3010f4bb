import { beforeEach, describe, expect, it } from "vitest";
import { AccountPaymentPage } from "#contract/payments.ts";
import { Refund, RefundPage } from "#contract/recorded-payments.ts";
import { untilBlocked } from "#tools/testing/database.ts";
import { requestCode, submitCodePage } from "../testing/checkout-forms.ts";
import { addFakeAccount, FakeProvider } from "../testing/fake-provider.ts";
import { Follower, namedChanges } from "../testing/follower.ts";
import { askDueCharges } from "../testing/payment-steps.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const fake = new FakeProvider();
/** A provider where no refund can be repeated. */
const once = new FakeProvider();
once.repeatRefund = "never";
const service = useTestService("test", { providers: [fake.adapter(), once.adapter("once")] });
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
const refund = (paymentId: string, amount: string) =>
  post(`/payments/${paymentId}/refunds/`, { amount, reason: "Two weeks away", by: sita });
const payments = async () => AccountPaymentPage.parse((await get("/payments/")).json()).results;

describe("a refund", () => {
  const paid = async () => {
    await api.createActive();
    return (await payments())[0]?.payment_id ?? "";
  };

  it("is owed until a person confirms it, and all refunds together are at most the payment", async () => {
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

  it("that is declined cannot be confirmed, and a new refund can be requested", async () => {
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

  it("requested ten times concurrently never exceeds the payment", async () => {
    const payment = await paid();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(payment, "500")));
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(2);
    expect(await payments()).toMatchObject([{ refund_owed: "1000.00" }]);
  });

  it("for another seller's payment or an unknown payment gets 404", async () => {
    const payment = await paid();
    account = await withAccountToken(service, await service.createSeller());
    expect((await refund(payment, "1")).statusCode).toBe(404);
    expect((await refund("1", "1")).statusCode).toBe(404);
  });
});

describe("a refund at a payment provider", () => {
  const DAY = 86_400_000;
  const open = async () =>
    RefundPage.parse((await get("/refunds/?is_open=true")).json()).results;
  const ended = async () =>
    RefundPage.parse((await get("/refunds/?is_open=false")).json()).results;
  const work = async (milliseconds = DAY) => {
    service.clock.advance(milliseconds);
    await askDueCharges(service);
  };

  beforeEach(() => {
    for (const each of [fake, once]) {
      each.refunds.length = 0;
      each.refunding = { state: "done", refund_id: "r-1" };
    }
  });

  /** Sends a buyer to the provider, which has taken the money when they come back. */
  async function pay(id: string, method: string) {
    const provider = method === "fake" ? fake : once;
    const attempt = await requestCode(service, id, { method });
    await submitCodePage(service, id, attempt);
    const reference = provider.begun.at(-1)?.reference ?? "";
    provider.answer("approve", reference);
    return { attempt, reference };
  }

  async function paid(method = "fake") {
    await addFakeAccount(service, api.seller, method);
    const { subscription_id: id } = await api.create();
    const { reference } = await pay(id, method);
    await work(15_000);
    const [payment] = await payments();
    return { payment: payment?.payment_id ?? "", reference };
  }

  /** A buyer pays twice, in two tabs; the second payment is not owed. */
  async function paidTwice() {
    await addFakeAccount(service, api.seller);
    const { subscription_id: id } = await api.create();
    await pay(id, "fake");
    service.clock.advance(31_000);
    return pay(id, "fake");
  }

  const ask = async (payment: string, amount: string) =>
    Refund.parse((await refund(payment, amount)).json());
  const decide = (id: string, what: string, body: object = {}) =>
    post(`/refunds/${id}/${what}/`, body);

  it("in two parts is sent to the provider's API, each part with its own idempotency key", async () => {
    const { payment } = await paid();
    for (const amount of ["500.50", "629.50"]) {
      expect(await ask(payment, amount)).toMatchObject({
        state: "owed",
        cause: "requested",
        provider_label: "Fake Pay",
      });
      await work(1_000);
    }
    expect(await open()).toEqual([]);
    expect(await ended()).toMatchObject([
      { state: "done", amount: "629.50", ended_by: null, reference: null },
      { state: "done", amount: "500.50" },
    ]);
    expect(await payments()).toMatchObject([{ refunded: "1130.00", refund_owed: "0.00" }]);
    expect(new Set(fake.refunds.map(({ key }) => key)).size).toBe(2);
  });

  it("is under way until the provider says that it is done", async () => {
    const { payment } = await paid();
    fake.refunding = { state: "under_way", refund_id: "r-9" };
    await ask(payment, "1130");
    await work(0);
    await work();
    expect(await open()).toMatchObject([{ state: "under_way" }]);
    fake.refunding = { state: "done", refund_id: "r-9" };
    await work();
    expect(await ended()).toMatchObject([{ state: "done" }]);
    expect(fake.refunds).toHaveLength(1);
  });

  it("that the provider refuses stays open, and a person can send it again", async () => {
    const { payment } = await paid();
    fake.refunding = { state: "refused", text: "Too old.", again: false };
    const { id } = await ask(payment, "1130");
    await work(0);
    expect(await open()).toMatchObject([
      { state: "refused", refusal: "Too old.", ended_at: null },
    ]);
    expect((await decide(id, "retry")).json()).toMatchObject({ state: "owed" });
    fake.refunding = { state: "done", refund_id: "r-2" };
    await work(0);
    expect(await ended()).toMatchObject([{ id, state: "done" }]);
    const [first, second] = fake.refunds;
    expect(first?.key).not.toBe(second?.key);
    expect((await decide(id, "retry")).statusCode).toBe(409);
  });

  it("that the provider refuses can be paid by hand or declined", async () => {
    const { payment } = await paid();
    fake.refunding = { state: "refused", text: "Too old.", again: false };
    const one = await ask(payment, "500");
    const other = await ask(payment, "630");
    await work(0);
    expect((await decide(one.id, "by-hand")).json()).toMatchObject({
      state: "by_hand",
      place: "merchant.fake.example",
    });
    const done = await decide(one.id, "confirm", { reference: "Bank 7", by: hari });
    expect(done.json()).toMatchObject({ state: "done", reference: "Bank 7" });
    const none = await decide(other.id, "refuse", { reason: "Agreed otherwise", by: hari });
    expect(none.json()).toMatchObject({ state: "refused", ended_by: "Hari Thapa" });
    expect(await payments()).toMatchObject([{ refunded: "500.00", refund_owed: "0.00" }]);
  });

  it("can be changed to a refund by hand while another transaction locks its charge, without a deadlock", async () => {
    const { payment } = await paid();
    fake.refunding = { state: "refused", text: "Too old.", again: false };
    const { id } = await ask(payment, "1130");
    await work(0);
    const recording = await service.pool.connect();
    // In a deadlock this connection fails; the request would be repeated.
    await recording.query("begin; set local deadlock_timeout = '10ms'");
    await recording.query("select from charge for update");
    const leaving = decide(id, "by-hand");
    await untilBlocked(service.pool);
    await recording.query("select from refund for update; commit");
    recording.release();
    expect((await leaving).json()).toMatchObject({ state: "by_hand" });
  });

  it("whose answer was lost is sent again with the same idempotency key", async () => {
    const { payment } = await paid();
    fake.refunding = "silent";
    await ask(payment, "1130");
    await work(0);
    expect(await open()).toMatchObject([{ state: "sent" }]);
    fake.refunding = { state: "done", refund_id: "r-3" };
    await work();
    expect(await ended()).toMatchObject([{ state: "done" }]);
    expect(fake.refunds.length).toBeGreaterThan(1);
    expect(new Set(fake.refunds.map(({ key }) => key)).size).toBe(1);
  });

  it("whose answer was lost waits for a person if the provider has no idempotency keys", async () => {
    const { payment } = await paid("once");
    once.refunding = "silent";
    const { id } = await ask(payment, "1130");
    await work(0);
    await work();
    expect(await open()).toMatchObject([
      { id, state: "by_hand", is_uncertain: true, place: "merchant.fake.example" },
    ]);
    expect(once.refunds).toHaveLength(1);
  });

  it("of a payment that was not owed stays open after the provider's refusal, and cannot be declined", async () => {
    fake.refunding = { state: "refused", text: "Too old.", again: false };
    await paidTwice();
    await work(15_000);
    await work(15_000);
    const [refund] = await open();
    expect(refund).toMatchObject({
      state: "refused",
      cause: "settled",
      payment_id: null,
      requested_by: null,
      reason: null,
      amount: "1130.00",
    });
    const id = refund?.id ?? "";
    const refused = await decide(id, "refuse", { reason: "No", by: hari });
    expect(refused.statusCode).toBe(409);
    await decide(id, "confirm", { reference: "Cash", by: hari });
    expect(await ended()).toMatchObject([{ id, state: "done", payment_id: null }]);
    expect(await payments()).toMatchObject([{ refunded: "0.00" }]);
  });

  it("that a person made at the provider is done once the provider reports its amount as refunded", async () => {
    const { payment, reference } = await paid();
    fake.refunding = { state: "by_hand", where: "merchant.fake.example" };
    await ask(payment, "500");
    const { id } = await ask(payment, "630");
    await work(0);
    fake.answer({ state: "refunded", amount: "630.00" }, reference);
    await work();
    expect(await open()).toMatchObject([{ amount: "500.00", state: "by_hand" }]);
    expect(await ended()).toMatchObject([{ id, state: "done", ended_by: null }]);
    fake.answer({ state: "refunded", amount: "1130.00" }, reference);
    await work();
    expect(await open()).toEqual([]);
    expect(await payments()).toMatchObject([{ refunded: "1130.00", refund_owed: "0.00" }]);
  });

  it("is counted once if workers and members complete it concurrently", async () => {
    const { payment, reference } = await paid();
    fake.refunding = { state: "by_hand", where: "merchant.fake.example" };
    const { id } = await ask(payment, "1130");
    await work(0);
    fake.answer({ state: "refunded", amount: null }, reference);
    service.clock.advance(DAY);
    await Promise.all([
      askDueCharges(service),
      askDueCharges(service),
      ...[1, 2, 3].map((each) => decide(id, "confirm", { reference: `T ${each}`, by: hari })),
    ]);
    expect(await payments()).toMatchObject([{ refunded: "1130.00", refund_owed: "0.00" }]);
    expect(await ended()).toHaveLength(1);
  });

  it("requested four times concurrently is sent twice, because two refunds use up the payment", async () => {
    const { payment } = await paid();
    const asked = Array.from({ length: 4 }, () =>
      post(`/payments/${payment}/refunds/`, { amount: "500", reason: "Away", by: sita }),
    );
    const codes = (await Promise.all(asked))
      .map(({ statusCode }) => statusCode)
      .toSorted((one, other) => one - other);
    expect(codes).toEqual([201, 201, 400, 400]);
    await Promise.all([askDueCharges(service), askDueCharges(service), askDueCharges(service)]);
    expect(fake.refunds).toHaveLength(2);
    expect(await payments()).toMatchObject([{ refunded: "1000.00", refund_owed: "0.00" }]);
  });
});
