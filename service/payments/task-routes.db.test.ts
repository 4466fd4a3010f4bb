import { beforeEach, expect, it } from "vitest";
import { PaymentTask } from "#contract/recorded-payments.ts";
import type { InquiryAnswer } from "../providers/provider.ts";
import { approvedAs, BuyerAtProvider, HARI, SITA } from "../testing/buyer-at-provider.ts";
import {
  fetchCheckoutPage,
  paymentsOf,
  requestCode,
  submitCodePage,
} from "../testing/checkout-forms.ts";
import { FakeProvider } from "../testing/fake-provider.ts";
import { askDueCharges } from "../testing/payment-steps.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const fake = new FakeProvider();
const service = useTestService("test", { providers: [fake.adapter()] });
const URL = "/account/v1/payment-tasks/";

let buyer: BuyerAtProvider;
beforeEach(async () => {
  buyer = await BuyerAtProvider.open(service, fake);
});

const hear = (answer: InquiryAnswer) => buyer.hear(answer);
const list = (query = "") => buyer.tasks(query);
const decide = (...decision: Parameters<BuyerAtProvider["decide"]>) =>
  buyer.decide(...decision);
const seen = async () => (await fetchCheckoutPage(service, buyer.page)).body;
const status = async () => (await buyer.api.read(buyer.id)).status;

it("an open payment task lists its charge and decisions, and only its seller can read and decide it", async () => {
  await hear(approvedAs("1129.00"));
  const other = await SellerApi.open(service);
  const { open, results } = await list();
  expect(open).toBe(1);
  expect(results).toMatchObject([
    {
      kind: "held",
      subscription_id: buyer.id,
      full_name: "Asmita Rai",
      provider_label: "Fake Pay",
      reference: buyer.reference,
      transaction_id: "T-1",
      amount: "1130.00",
      answered_amount: "1129.00",
      decisions: ["count_as_paid", "give_back", "nothing_came", "ask_again"],
    },
  ]);
  const theirs = await withAccountToken(service, other.seller);
  expect((await service.call(theirs, { url: URL })).json()).toEqual({
    open: 0,
    next: null,
    results: [],
  });
  expect((await list("?is_open=false")).results).toEqual([]);
  expect((await list(`?subscription_id=${buyer.id}&page_size=1`)).results).toHaveLength(1);
  expect((await list(`?before=${results[0]?.id}`)).results).toEqual([]);
  const foreign = await service.call(theirs, {
    method: "POST",
    url: `${URL}${results[0]?.id}/decide/`,
    payload: { decision: "nothing_came", note: "x", by: SITA },
    headers: { "content-type": "application/json" },
  });
  expect(foreign.statusCode).toBe(404);
});

it("held money that a member counts as paid pays the asked amount, and the checkout shows the payment", async () => {
  await hear(approvedAs("1129.00"));
  const [task] = (await list()).results;
  const done = await decide(task, "count_as_paid");
  expect(PaymentTask.parse(done.json())).toMatchObject({
    decision: "count_as_paid",
    note: "Seen in the portal",
    closed_by: "Sita Rai",
    decisions: [],
  });
  expect(await status()).toBe("active");
  expect(await paymentsOf(service, buyer.id)).toMatchObject([{ amount: "1130.00" }]);
  expect(await seen()).toContain("Payment received");
  const second = await decide(task, "give_back", { by: HARI });
  expect(second.statusCode).toBe(409);
  expect(second.json()).toEqual({ detail: "Sita Rai decided this task in the meantime." });
  expect(await list("?is_open=false")).toMatchObject({ open: 0, results: [{ id: task?.id }] });
});

it.each([
  ["with the amount asked for", { state: "held", word: "AMBIGUOUS" } as const, "1130.00"],
  ["with the amount taken", approvedAs("1131.00"), "1131.00"],
])(
  "held money that a member counts as paid is refunded %s if nothing is owed any more",
  async (_, answer, back) => {
    await hear(answer);
    const [task] = (await list()).results;
    expect((await buyer.payInCash()).statusCode).toBe(201);
    await decide(task, "count_as_paid");
    await askDueCharges(service);
    expect(fake.refunds).toMatchObject([{ reference: buyer.reference, amount: back }]);
    expect(await paymentsOf(service, buyer.id)).toHaveLength(1);
  },
);

it("held money that a member gives back is refunded in full, and the checkout shows the refund", async () => {
  await hear(approvedAs("1129.00"));
  const [task] = (await list()).results;
  await decide(task, "give_back");
  expect(await seen()).toContain("will be refunded");
  await askDueCharges(service);
  expect(fake.refunds).toMatchObject([{ reference: buyer.reference, amount: "1129.00" }]);
  expect(await status()).toBe("pending_checkout");
  const { rows } = await service.pool.query(
    `select account from journal_line join journal_entry using (entry_id)
     where subscription_id = $1 group by account having sum(amount) <> 0`,
    [buyer.id],
  );
  expect(rows).toEqual([]);
  await buyer.hearAgain({ state: "refunded", amount: null });
  expect(await list()).toMatchObject({ open: 0 });
  const beyond = await service.pool.query(
    "select from journal_entry where subscription_id = $1 and kind = 'provider_refund'",
    [buyer.id],
  );
  expect(beyond.rowCount).toBe(0);
});

it("when a member counts held money as paid, the ledger books the provider's fee", async () => {
  await hear(approvedAs("1129.00", "NPR", "22.58"));
  await decide((await list()).results[0], "count_as_paid");
  const { rows } = await service.pool.query(
    `select l.account, l.amount::text as amount
     from journal_entry e join journal_line l using (entry_id)
     where e.subscription_id = $1 and e.kind = 'charge' order by l.position`,
    [buyer.id],
  );
  expect(rows).toEqual([
    { account: "provider", amount: "1106.42" },
    { account: "provider_fee", amount: "22.58" },
    { account: "buyer", amount: "-1129.00" },
  ]);
});

it("a payment with an amount too large for the database is held, and a payment task is opened", async () => {
  await hear(approvedAs("1000000000000.00"));
  expect((await list()).results).toMatchObject([
    { kind: "held", answered_amount: null, detail: "1000000000000.00 NPR" },
  ]);
});

it("after a member decides that no money came, the provider is not asked again and the buyer can pay", async () => {
  await hear({ state: "held", word: "AMBIGUOUS" });
  await decide((await list()).results[0], "nothing_came");
  expect(await seen()).toContain("Pay");
  fake.asked.length = 0;
  service.clock.advance(2 * 86_400_000);
  await askDueCharges(service);
  expect(fake.asked).not.toContain(buyer.reference);
  await submitCodePage(
    service,
    buyer.id,
    await requestCode(service, buyer.id, { method: "fake" }),
  );
  fake.answer("approve", fake.begun.at(-1)?.reference);
  service.clock.advance(15_000);
  await askDueCharges(service);
  expect(await status()).toBe("active");
});

it("asking again sends a request to the provider, and a final answer closes the payment task", async () => {
  await hear({ state: "held", word: "AMBIGUOUS" });
  const [task] = (await list()).results;
  const again = () => decide(task, "ask_again", { note: "" });
  const tooSoon = await again();
  expect(tooSoon.json()).toEqual({
    detail:
      "The provider was asked just now, or requests to it are paused after errors. Ask again in a minute.",
  });
  service.clock.advance(6_000);
  const still = PaymentTask.parse((await again()).json());
  expect(still).toMatchObject({ closed_at: null, detail: "AMBIGUOUS" });
  expect(still.asked_at).not.toBeNull();
  service.clock.advance(6_000);
  fake.answer("approve", buyer.reference);
  expect((await again()).json()).toMatchObject({ decision: "settled", closed_by: null });
  expect(await status()).toBe("active");
  expect((await decide(task, "nothing_came")).json()).toEqual({
    detail: "The provider's answer decided this task in the meantime.",
  });
});

it("a task for a refund that the provider made can only be noted, and the subscription stays active", async () => {
  await hear(approvedAs("1130.00"));
  await buyer.hearAgain({ state: "refunded", amount: "100.00" });
  const [task] = (await list()).results;
  expect(task).toMatchObject({
    kind: "refunded_by_provider",
    answered_amount: "100.00",
    decisions: ["noted", "ask_again"],
  });
  const refund = await buyer.post(`payments/${task?.payment_id}/refunds/`, {
    amount: "1030.01",
    reason: "All of it",
    by: SITA,
  });
  expect(refund.json()).toEqual({ amount: [expect.stringContaining("at most 1030.00")] });
  expect((await decide(task, "noted", { note: " " })).json()).toEqual({
    note: ["This field may not be blank."],
  });
  expect((await decide(task, "give_back")).json()).toEqual({
    decision: ["This task does not allow this decision."],
  });
  expect((await decide(task, "noted")).statusCode).toBe(200);
  expect(await status()).toBe("active");
});

it("only one of ten concurrent decisions on a payment task counts", async () => {
  await hear(approvedAs("1129.00"));
  const [task] = (await list()).results;
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      decide(task, at % 2 === 0 ? "count_as_paid" : "give_back"),
    ),
  );
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(9);
});
