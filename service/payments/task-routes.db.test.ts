import { beforeEach, expect, it } from "vitest";
import { PaymentTask, PaymentTaskPage } from "#contract/recorded-payments.ts";
import type { InquiryAnswer } from "../providers/provider.ts";
import {
  fetchCheckoutPage,
  paymentsOf,
  requestCode,
  submitCodePage,
} from "../testing/checkout-forms.ts";
import { addFakeAccount, FakeProvider } from "../testing/fake-provider.ts";
import { askDueCharges } from "../testing/payment-steps.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const fake = new FakeProvider();
const service = useTestService("test", { providers: [fake.adapter()] });
const URL = "/account/v1/payment-tasks/";
const sita = { id: "1", name: "Sita Rai" };
const hari = { id: "2", name: "Hari Thapa" };

let api: SellerApi;
let account: TestSeller;
let id: string;
let reference: string;
let page: string;

/** A buyer who is at the provider. */
beforeEach(async () => {
  fake.refunds.length = 0;
  api = await SellerApi.open(service);
  account = await withAccountToken(service, api.seller);
  await addFakeAccount(service, api.seller);
  id = (await api.create()).subscription_id;
  const attempt = await requestCode(service, id, { method: "fake" });
  await submitCodePage(service, id, attempt);
  reference = fake.begun.at(-1)?.reference ?? "";
  page = `/pay/${id}?attempt=${attempt}`;
});

async function hear(answer: InquiryAnswer) {
  fake.answer(answer, reference);
  service.clock.advance(15_000);
  await askDueCharges(service);
}

const approved = (amount: string, currency = "NPR"): InquiryAnswer => ({
  state: "approved",
  amount,
  currency,
  transaction_id: "T-1",
  fee: null,
  at: null,
});

const list = async (query = "", as = account) =>
  PaymentTaskPage.parse((await service.call(as, { url: `${URL}${query}` })).json());
const decide = (task: PaymentTask | undefined, decision: string, more: object = {}) =>
  service.call(account, {
    method: "POST",
    url: `${URL}${task?.id}/decide/`,
    payload: { decision, note: "Seen in the portal", by: sita, ...more },
    headers: { "content-type": "application/json" },
  });
const seen = async () => (await fetchCheckoutPage(service, page)).body;
const status = async () => (await api.read(id)).status;

it("lists open tasks, newest first and page by page, only to their seller", async () => {
  await hear(approved("1129.00"));
  const other = await SellerApi.open(service);
  const { open, results } = await list();
  expect(open).toBe(1);
  expect(results).toMatchObject([
    {
      kind: "held",
      subscription_id: id,
      full_name: "Asmita Rai",
      provider_label: "Fake Pay",
      reference,
      transaction_id: "T-1",
      amount: "1130.00",
      answered_amount: "1129.00",
      decisions: ["count_as_paid", "give_back", "nothing_came", "ask_again"],
    },
  ]);
  const theirs = await withAccountToken(service, other.seller);
  expect(await list("", theirs)).toEqual({ open: 0, next: null, results: [] });
  expect((await list("?is_open=false")).results).toEqual([]);
  expect((await list(`?subscription_id=${id}&page_size=1`)).results).toHaveLength(1);
  expect((await list(`?before=${results[0]?.id}`)).results).toEqual([]);
  const foreign = await service.call(theirs, {
    method: "POST",
    url: `${URL}${results[0]?.id}/decide/`,
    payload: { decision: "nothing_came", note: "x", by: sita },
    headers: { "content-type": "application/json" },
  });
  expect(foreign.statusCode).toBe(404);
});

it("held money that counts as paid pays the asked amount, and the buyer's page shows it", async () => {
  await hear(approved("1129.00"));
  const [task] = (await list()).results;
  const done = await decide(task, "count_as_paid");
  expect(PaymentTask.parse(done.json())).toMatchObject({
    decision: "count_as_paid",
    note: "Seen in the portal",
    closed_by: "Sita Rai",
    decisions: [],
  });
  expect(await status()).toBe("active");
  expect(await paymentsOf(service, id)).toMatchObject([{ amount: "1130.00" }]);
  expect(await seen()).toContain("Payment received");
  const second = await decide(task, "give_back", { by: hari });
  expect(second.statusCode).toBe(409);
  expect(second.json()).toEqual({ detail: "Sita Rai decided it in the meantime." });
  expect(await list("?is_open=false")).toMatchObject({ open: 0, results: [{ id: task?.id }] });
});

it.each([
  ["as it was asked for", { state: "held", word: "AMBIGUOUS" } as const, "1130.00"],
  ["as much as was taken", approved("1131.00"), "1131.00"],
])(
  "held money that counts as paid goes back where nothing is owed any more, %s",
  async (_, answer, back) => {
    await hear(answer);
    const [task] = (await list()).results;
    const paid = await service.call(account, {
      method: "POST",
      url: `/account/v1/subscriptions/${id}/payments/`,
      payload: {
        amount: "1130.00",
        period_start: null,
        method: "cash",
        received_on: service.clock.now().toISOString().slice(0, 10),
        by: hari,
      },
      headers: { "content-type": "application/json" },
    });
    expect(paid.statusCode).toBe(201);
    await decide(task, "count_as_paid");
    await askDueCharges(service);
    expect(fake.refunds).toMatchObject([{ reference, amount: back }]);
    expect(await paymentsOf(service, id)).toHaveLength(1);
  },
);

it("as much held money is given back as was taken, and the buyer's page shows it", async () => {
  await hear(approved("1129.00"));
  const [task] = (await list()).results;
  await decide(task, "give_back");
  expect(await seen()).toContain("will be refunded");
  await askDueCharges(service);
  expect(fake.refunds).toMatchObject([{ reference, amount: "1129.00" }]);
  expect(await status()).toBe("pending_checkout");
  const { rows } = await service.pool.query(
    `select account from journal_line join journal_entry using (entry_id)
     where subscription_id = $1 group by account having sum(amount) <> 0`,
    [id],
  );
  expect(rows).toEqual([]);
  await service.pool.query("update charge set next_at = begun_at where reference = $1", [
    reference,
  ]);
  await hear({ state: "refunded", amount: null });
  expect(await list()).toMatchObject({ open: 0 });
  const beyond = await service.pool.query(
    "select from journal_entry where subscription_id = $1 and kind = 'provider_refund'",
    [id],
  );
  expect(beyond.rowCount).toBe(0);
});

it("held money of another currency is given back by hand", async () => {
  await hear(approved("10.00", "USD"));
  await decide((await list()).results[0], "give_back");
  await askDueCharges(service);
  expect(fake.refunds).toEqual([]);
  const { rows } = await service.pool.query(
    "select state, place from refund where subscription_id = $1",
    [id],
  );
  expect(rows).toEqual([{ state: "by_hand", place: "merchant.fake.example" }]);
});

it("a payment that never came ends, is asked about no more, and the buyer can pay again", async () => {
  await hear({ state: "held", word: "AMBIGUOUS" });
  await decide((await list()).results[0], "nothing_came");
  expect(await seen()).toContain("Pay");
  fake.asked.length = 0;
  service.clock.advance(2 * 86_400_000);
  await askDueCharges(service);
  expect(fake.asked).not.toContain(reference);
  await submitCodePage(service, id, await requestCode(service, id, { method: "fake" }));
  fake.answer("approve", fake.begun.at(-1)?.reference);
  service.clock.advance(15_000);
  await askDueCharges(service);
  expect(await status()).toBe("active");
});

it("asking again asks the provider now, and an answer that decides closes the task", async () => {
  await hear({ state: "held", word: "AMBIGUOUS" });
  const [task] = (await list()).results;
  const again = () => decide(task, "ask_again", { note: "" });
  const tooSoon = await again();
  expect(tooSoon.json()).toEqual({
    detail:
      "The provider was asked just now, or its account rests after errors. Ask again in a minute.",
  });
  service.clock.advance(6_000);
  const still = PaymentTask.parse((await again()).json());
  expect(still).toMatchObject({ closed_at: null, detail: "AMBIGUOUS" });
  expect(still.asked_at).not.toBeNull();
  service.clock.advance(6_000);
  fake.answer("approve", reference);
  expect((await again()).json()).toMatchObject({ decision: "settled", closed_by: null });
  expect(await status()).toBe("active");
  expect((await decide(task, "nothing_came")).json()).toEqual({
    detail: "The provider's answer decided it in the meantime.",
  });
});

it("money that a provider took back is noted, needs a note, and changes no status", async () => {
  await hear(approved("1130.00"));
  await service.pool.query("update charge set next_at = begun_at where reference = $1", [
    reference,
  ]);
  await hear({ state: "refunded", amount: "100.00" });
  const [task] = (await list()).results;
  expect(task).toMatchObject({
    kind: "refunded_by_provider",
    answered_amount: "100.00",
    decisions: ["noted", "ask_again"],
  });
  const refund = await service.call(account, {
    method: "POST",
    url: `/account/v1/payments/${task?.payment_id}/refunds/`,
    payload: { amount: "1030.01", reason: "All of it", by: sita },
    headers: { "content-type": "application/json" },
  });
  expect(refund.json()).toEqual({ amount: [expect.stringContaining("at most 1030.00")] });
  expect((await decide(task, "noted", { note: " " })).json()).toEqual({
    note: ["This field may not be blank."],
  });
  expect((await decide(task, "give_back")).json()).toEqual({
    decision: ["This cannot be decided about it."],
  });
  expect((await decide(task, "noted")).statusCode).toBe(200);
  expect(await status()).toBe("active");
});

it("of ten decisions at once one counts", async () => {
  await hear(approved("1129.00"));
  const [task] = (await list()).results;
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      decide(task, at % 2 === 0 ? "count_as_paid" : "give_back"),
    ),
  );
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(9);
});
