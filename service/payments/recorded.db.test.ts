import { beforeEach, describe, expect, it } from "vitest";
import { AccountPaymentPage } from "#contract/payments.ts";
import {
  OwedPayment,
  RecordedPayment,
  RecordedPaymentPage,
} from "#contract/recorded-payments.ts";
import {
  choosePaymentOutcome,
  notifyOfPayment,
  requestCode,
  submitCodePage,
} from "../testing/checkout-forms.ts";
import { pngOf } from "../testing/documents.ts";
import { Follower, namedChanges } from "../testing/follower.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const URL = "/account/v1";
const sita = { id: "1", name: "Sita Rai" };
const hari = { id: "2", name: "Hari Thapa" };
const reason = "The transfer did not arrive.";

let api: SellerApi;
let account: TestSeller;
beforeEach(async () => {
  api = await SellerApi.open(service);
  account = await withAccountToken(service, api.seller);
});

const get = (url: string) => service.call(account, { url: `${URL}${url}` });
const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  service.call(account, {
    method: "POST",
    url: `${URL}${url}`,
    payload,
    headers: { "content-type": "application/json", ...headers },
  });
const owedOf = async (id: string) =>
  OwedPayment.parse((await get(`/subscriptions/${id}/payments/`)).json());
const payments = async (query = "") =>
  AccountPaymentPage.parse((await get(`/payments/${query}`)).json()).results;

const cash = {
  amount: "1130.00",
  period_start: null as string | null,
  method: "cash",
  reference: "Book 12, page 4",
  received_on: "2026-03-10",
  by: sita,
};
const record = (id: string, input: Partial<typeof cash> & { photo?: string } = {}) =>
  post(`/subscriptions/${id}/payments/`, { ...cash, ...input });
const recorded = async (id: string, input: Partial<typeof cash> & { photo?: string } = {}) => {
  const answer = await record(id, input);
  expect([answer.statusCode, answer.body]).toEqual([201, expect.anything()]);
  return RecordedPayment.parse(answer.json());
};
const askApproval = async (above: string) => {
  const { version } = (await get("/profile/")).json<{ version: string }>();
  const answer = await service.call(account, {
    method: "PATCH",
    url: `${URL}/profile/`,
    payload: { version, approve_payments_above: above },
    headers: { "content-type": "application/json" },
  });
  expect(answer.statusCode).toBe(200);
};
const pending = async (client = {}) =>
  (await api.create(api.periods.monthly, client)).subscription_id;

describe("a payment recorded by hand", () => {
  it("has the same amount, status change, events and receipt as a payment at the checkout", async () => {
    const id = await pending();
    const follower = await Follower.begin(api);
    expect((await owedOf(id)).owed).toEqual({
      amount: "1130.00",
      vat: "130.00",
      currency: "NPR",
      period_start: null,
      is_early: false,
      needs_approval: false,
    });
    expect(await recorded(id)).toMatchObject({ state: "counted", recorded_by: "Sita Rai" });
    expect(await api.events(id)).toEqual([
      "checkout.succeeded: pending_checkout > active (payment)",
      "subscription.status_changed: pending_checkout > active (payment)",
    ]);
    expect(await api.read(id)).toMatchObject({ status: "active" });
    const [payment] = await payments();
    expect(payment).toMatchObject({
      amount: "1130.00",
      vat: "130.00",
      fee: "0.00",
      method: "cash",
      recorded: { by: "Sita Rai", reference: "Book 12, page 4", has_photo: false },
    });
    expect(namedChanges(await follower.news())).toContain(
      `payment created ${payment?.payment_id}`,
    );
    const page = await service.call(null, { url: `/pay/${id}` });
    expect(page.body).toContain(payment?.reference);
    expect(page.body).toContain("Cash");
  });

  it("renews a due subscription, and can be an early renewal", async () => {
    const id = await api.createActive();
    service.clock.set("2026-04-12T06:00:00Z");
    const { owed } = await owedOf(id);
    expect(owed).toMatchObject({ is_early: false, period_start: "2026-04-10T06:15:00.000Z" });
    await recorded(id, { period_start: owed?.period_start ?? null, received_on: "2026-04-11" });
    expect((await api.read(id)).next_billing_cycle).toBe("2026-05-10T06:15:00.000Z");
    service.clock.set("2026-04-12T07:00:00Z");
    const early = (await owedOf(id)).owed;
    expect(early).toMatchObject({ is_early: true });
    await recorded(id, { period_start: early?.period_start ?? null, method: "transfer" });
    expect((await payments()).map(({ method }) => method)).toEqual([
      "transfer",
      "cash",
      "wallet",
    ]);
  });

  it.each([
    [{ amount: "1000" }, "amount", /record exactly that/],
    [{ amount: "1130.01" }, "amount", /give the rest back/],
    [{ received_on: "2026-03-11" }, "received_on", /in the future/],
    [{ received_on: "2026-03-09" }, "received_on", /made after/],
    [{ method: "wallet" }, "method", /cash, transfer, other/],
    [{ photo: "PHN2Zy8+" }, "photo", /PNG or JPEG/],
  ])("with %j is refused with a message", async (input, field, words) => {
    const id = await pending();
    const answer = await record(id, input);
    expect(answer.statusCode).toBe(400);
    expect(String(answer.json<Record<string, string[]>>()[field])).toMatch(words);
    expect(await payments()).toEqual([]);
    expect((await api.read(id)).status).toBe("pending_checkout");
  });

  it("is stored once for an Idempotency-Key and once for a billing period", async () => {
    const id = await pending();
    const send = () =>
      post(`/subscriptions/${id}/payments/`, cash, { "idempotency-key": "one" });
    const [first, second] = [await send(), await send()];
    expect([first.statusCode, second.body]).toEqual([201, first.body]);
    expect((await record(id)).statusCode).toBe(409);
    expect(await payments()).toHaveLength(1);
  });

  it("is refused with a message that gives the reason when no payment is owed any more", async () => {
    const id = await api.createActive();
    await api.cancel(id);
    expect((await owedOf(id)).refusal).toMatch(/Undo the cancellation/);
    expect((await record(id)).statusCode).toBe(409);
    const once = await api.createActive(api.periods.once, { phone: "9800000009" });
    expect((await owedOf(once)).refusal).toMatch(/one-time purchase is paid/);
  });

  it("counts once if ten members record it while the buyer pays at the checkout", async () => {
    const id = await pending();
    const results = await Promise.all([
      api.pay(id),
      ...Array.from({ length: 10 }, () => record(id).then(({ statusCode }) => statusCode)),
    ]);
    expect(await payments()).toHaveLength(1);
    const counted = results.filter((one) => one === "paid" || one === 201);
    expect(counted).toHaveLength(1);
  });

  it("causes the refund of a later checkout payment for the same billing period", async () => {
    const id = await pending();
    const attempt = await requestCode(service, id);
    const { reference } = await submitCodePage(service, id, attempt);
    await recorded(id);
    await choosePaymentOutcome(service, reference, "approve");
    await notifyOfPayment(service, reference);
    await notifyOfPayment(service, reference);
    const { rows } = await service.pool.query(
      "select state, reason from checkout_attempt where attempt_id = $1",
      [attempt],
    );
    expect(rows).toEqual([{ state: "returned", reason: "settled" }]);
    expect((await payments()).map(({ method }) => method)).toEqual(["cash"]);
  });

  it("keeps a photo that only its own seller can read", async () => {
    const content = pngOf(40, 40);
    const { id } = await recorded(await pending(), { photo: content.toString("base64") });
    const photo = await get(`/recorded-payments/${id}/photo/`);
    expect(photo.json()).toEqual({
      name: "photo",
      media_type: "image/png",
      content: content.toString("base64"),
    });
    const other = await withAccountToken(service, await service.createSeller());
    const foreign = { url: `${URL}/recorded-payments/${id}/photo/` };
    expect((await service.call(other, foreign)).statusCode).toBe(404);
  });

  it("for another seller's subscription gets 404", async () => {
    const id = await pending();
    account = await withAccountToken(service, await service.createSeller());
    expect((await record(id)).statusCode).toBe(404);
    expect((await get(`/subscriptions/${id}/payments/`)).statusCode).toBe(404);
    expect((await get("/subscriptions/1/payments/")).statusCode).toBe(404);
  });
});

describe("approval by a second member", () => {
  beforeEach(() => askApproval("1129.99"));
  const approve = (id: string, by = hari) => post(`/recorded-payments/${id}/approve/`, { by });

  it("is required above the account's limit, must be by another member, and makes the payment count", async () => {
    const id = await pending();
    expect((await owedOf(id)).owed?.needs_approval).toBe(true);
    const waiting = await recorded(id);
    expect(waiting).toMatchObject({ state: "waiting", payment_id: null });
    expect((await api.read(id)).status).toBe("pending_checkout");
    const listed = await get("/recorded-payments/?state=waiting");
    expect(RecordedPaymentPage.parse(listed.json()).results).toEqual([waiting]);
    expect((await record(id)).json()).toMatchObject({
      detail: "A payment for this subscription already waits for approval.",
    });
    expect((await approve(waiting.id, sita)).json()).toMatchObject({
      detail: expect.stringContaining("Ask another member"),
    });
    expect((await approve(waiting.id)).json()).toMatchObject({
      state: "counted",
      decided_by: "Hari Thapa",
    });
    expect((await api.read(id)).status).toBe("active");
    expect((await payments())[0]?.recorded).toMatchObject({
      by: "Sita Rai",
      approved_by: "Hari Thapa",
    });
    expect((await approve(waiting.id)).statusCode).toBe(409);
  });

  it("is not required for a payment that equals the limit", async () => {
    await askApproval("1130");
    expect(await recorded(await pending())).toMatchObject({ state: "counted" });
  });

  it("is refused once the buyer has paid at the checkout", async () => {
    const id = await pending();
    const waiting = await recorded(id);
    expect(await api.pay(id)).toBe("paid");
    const late = await approve(waiting.id);
    expect([late.statusCode, late.body]).toEqual([
      409,
      expect.stringContaining("give the money back to the buyer"),
    ]);
    const declined = await post(`/recorded-payments/${waiting.id}/decline/`, {
      by: hari,
      reason,
    });
    expect(declined.json()).toMatchObject({ state: "declined", reason });
    expect(await payments()).toHaveLength(1);
  });

  it("counts once if three requests approve the payment concurrently", async () => {
    const waiting = await recorded(await pending());
    const answers = await Promise.all([1, 2, 3].map(() => approve(waiting.id)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409,
    ]);
    expect(await payments()).toHaveLength(1);
  });
});

describe("the reversal of a recorded payment", () => {
  const reverse = (id: string) =>
    post(`/recorded-payments/${id}/reverse/`, { by: hari, reason });

  it("keeps the payment in the list and does not change the subscription", async () => {
    const id = await pending();
    const follower = await Follower.begin(api);
    const { id: recordedId, payment_id } = await recorded(id);
    await follower.news();
    const before = await api.events(id);
    expect((await reverse(recordedId)).json()).toMatchObject({
      state: "reversed",
      reason,
      decided_by: "Hari Thapa",
    });
    expect(await payments()).toMatchObject([
      { payment_id, amount: "1130.00", reversed_at: "2026-03-10T06:00:00.000Z" },
    ]);
    expect((await api.read(id)).status).toBe("active");
    expect(await api.events(id)).toEqual(before);
    expect(namedChanges(await follower.news())).toEqual([`payment changed ${payment_id}`]);
    expect((await reverse(recordedId)).statusCode).toBe(409);
    const page = await service.call(null, { url: `/pay/${id}` });
    expect(page.body).not.toContain(payment_id?.slice(0, 8).toUpperCase());
  });

  it("allows a new payment after the billing date is set to the same day again", async () => {
    const id = await api.createActive();
    service.clock.set("2026-04-12T06:00:00Z");
    const due = (await owedOf(id)).owed?.period_start ?? null;
    const { id: recordedId } = await recorded(id, {
      period_start: due,
      received_on: "2026-04-12",
    });
    await reverse(recordedId);
    await api.reschedule(id, "2026-04-12");
    service.clock.set("2026-04-13T06:00:00Z");
    expect(await api.pay(id)).toBe("paid");
  });

  it("is refused once a refund was requested", async () => {
    const { id, payment_id } = await recorded(await pending());
    await post(`/payments/${payment_id}/refunds/`, { amount: "1", reason, by: sita });
    const answer = await reverse(id);
    expect([answer.statusCode, answer.body]).toEqual([
      409,
      expect.stringContaining("has a refund"),
    ]);
  });
});
