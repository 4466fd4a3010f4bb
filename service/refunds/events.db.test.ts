import { beforeEach, expect, it } from "vitest";
import { requestCode, submitCodePage } from "../testing/checkout-forms.ts";
import { addFakeAccount, FakeProvider } from "../testing/fake-provider.ts";
import { askDueCharges } from "../testing/payment-steps.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const fake = new FakeProvider();
const service = useTestService("test", { providers: [fake.adapter()] });
const by = { id: "1", name: "Sita Rai" };

let api: SellerApi;
beforeEach(async () => {
  api = await SellerApi.open(service);
  fake.refunding = { state: "done", refund_id: "re_1" };
  const endpoint_url = "http://127.0.0.1:9/hooks";
  for (const event of ["payment.refunded", "payment.refund_failed", "payment.disputed"])
    await api.post("/api/v1/webhooks/", { event, endpoint_url });
});

/** The bodies of the announced events, oldest first. */
async function told() {
  const { rows } = await service.pool.query<{ body: string }>(
    "select body from delivery where seller_id = $1 order by delivery_id",
    [api.seller.seller_id],
  );
  return rows.map(({ body }) => JSON.parse(body) as { data: Record<string, unknown> });
}

async function post(path: string, payload: object) {
  const account = await withAccountToken(service, api.seller);
  const url = `/account/v1${path}`;
  return (await service.call(account, { method: "POST", url, payload })).json();
}

async function onlyPayment() {
  const account = await withAccountToken(service, api.seller);
  const answer = await service.call(account, { url: "/account/v1/payments/" });
  return answer.json().results[0];
}

/** Sends a buyer to the provider, which has taken the money when they come back. */
async function payAtProvider(id: string) {
  await submitCodePage(service, id, await requestCode(service, id, { method: "fake" }));
  const reference = fake.begun.at(-1)?.reference ?? "";
  fake.answer("approve", reference);
  return reference;
}

async function work(milliseconds: number) {
  service.clock.advance(milliseconds);
  await askDueCharges(service);
}

it("a refund by hand is announced once it is made, with what is left of the payment", async () => {
  const subscription_id = await api.createActive();
  const { payment_id } = await onlyPayment();
  const { id } = await post(`/payments/${payment_id}/refunds/`, {
    amount: "500.5",
    reason: "Two weeks away",
    by,
  });
  expect(await told()).toEqual([]);
  for (const reference of ["T 88", "T 89"])
    await post(`/refunds/${id}/confirm/`, { reference, by });
  expect(await told()).toMatchObject([
    {
      event: "payment.refunded",
      subscription_id,
      old_status: "active",
      new_status: "active",
      reason: "requested",
      data: {
        refund_id: id,
        payment_id,
        amount: "500.50",
        currency: "NPR",
        payment_left: "629.50",
        way: "by_hand",
        reference: "T 88",
        refunded_at: service.clock.now().toISOString(),
      },
    },
  ]);
});

it("refunds by a provider, requested or not, add up to the payment's refunded amount", async () => {
  await addFakeAccount(service, api.seller);
  const { subscription_id } = await api.create();
  const reference = await payAtProvider(subscription_id);
  await work(15_000);
  const { payment_id } = await onlyPayment();
  await post(`/payments/${payment_id}/refunds/`, { amount: "500.50", reason: "Away", by });
  await work(0);
  fake.answer({ state: "refunded", amount: "600.50" }, reference);
  await service.pool.query("update charge set next_at = begun_at where reference = $1", [
    reference,
  ]);
  await work(15_000);
  expect((await told()).map(({ data }) => data)).toMatchObject([
    { amount: "500.50", payment_left: "629.50", way: "api", reference: "re_1" },
    { amount: "100.00", payment_left: "529.50", way: "provider", reference: null },
  ]);
  expect(await onlyPayment()).toMatchObject({ refunded: "600.50" });
});

it("a refund that fails after it was made is owed again, and waits for a person", async () => {
  await addFakeAccount(service, api.seller);
  const { subscription_id } = await api.create();
  await payAtProvider(subscription_id);
  await work(15_000);
  const { payment_id } = await onlyPayment();
  const { id } = await post(`/payments/${payment_id}/refunds/`, {
    amount: "500",
    reason: "Away",
    by,
  });
  await work(0);
  await work(86_400_000);
  expect(await onlyPayment()).toMatchObject({ refunded: "500.00", refund_owed: "0.00" });
  fake.refunding = { state: "refused", text: "The card is lost.", again: false };
  await work(86_400_000);
  await work(86_400_000);
  expect(await onlyPayment()).toMatchObject({ refunded: "0.00", refund_owed: "500.00" });
  expect(await told()).toMatchObject([
    { event: "payment.refunded", data: { refund_id: id, payment_left: "630.00" } },
    { event: "payment.refund_failed", data: { refund_id: id, payment_left: "1130.00" } },
  ]);
  const { rows } = await service.pool.query<{ refund_id: string }>(
    "select refund_id, closed_at from payment_task where seller_id = $1",
    [api.seller.seller_id],
  );
  expect(rows).toMatchObject([{ closed_at: null }]);
  const again = rows[0]?.refund_id ?? "";
  expect(await kept()).toEqual([{ kind: "refund", sum: "500.00" }, FAILED]);
  await post(`/refunds/${again}/by-hand/`, {});
  await post(`/refunds/${again}/confirm/`, { reference: "Bank 7", by });
  expect(await onlyPayment()).toMatchObject({ refunded: "500.00", refund_owed: "0.00" });
  expect(await kept()).toEqual([
    { kind: "refund", sum: "500.00" },
    FAILED,
    { kind: "refund", sum: "500.00" },
  ]);
  const { rows: closed } = await service.pool.query<object>(
    "select decision from payment_task where seller_id = $1",
    [api.seller.seller_id],
  );
  expect(closed).toEqual([{ decision: "settled" }]);
  // The credit note of the first refund stands: the buyer got that money once.
  const account = await withAccountToken(service, api.seller);
  const bills = await service.call(account, { url: "/account/v1/bills/" });
  expect(bills.json().results).toMatchObject([
    { kind: "receipt", amount: "1130.00" },
    { kind: "credit_note", amount: "500.00" },
  ]);
});

it("a debit note takes back the credit note of a failed refund that is given up", async () => {
  await addFakeAccount(service, api.seller);
  const { subscription_id } = await api.create();
  await payAtProvider(subscription_id);
  await work(15_000);
  const { payment_id } = await onlyPayment();
  const path = `/payments/${payment_id}/refunds/`;
  await post(path, { amount: "500.01", reason: "Away", by });
  await work(0);
  fake.refunding = { state: "refused", text: "The card is lost.", again: false };
  await work(86_400_000);
  const { rows } = await service.pool.query<{ refund_id: string }>(
    "select refund_id from refund where seller_id = $1 and ended_at is null",
    [api.seller.seller_id],
  );
  const again = rows[0]?.refund_id ?? "";
  // A refund that is still to be made keeps its part of the credit note.
  const other = await post(path, { amount: "200", reason: "Away", by });
  await work(0);
  for (let times = 0; times < 2; times += 1)
    await post(`/refunds/${again}/refuse/`, { reason: "The buyer keeps it", by });
  expect(await notes()).toEqual([
    "receipt R-2082/83-00001 1130.00 130.00",
    "credit_note C-2082/83-00001 500.01 57.52",
    "debit_note D-2082/83-00001 300.01 34.51",
  ]);
  await post(`/refunds/${other.id}/refuse/`, { reason: "None of it", by });
  fake.refunding = { state: "done", refund_id: "re_3" };
  await post(path, { amount: "1130", reason: "All of it", by });
  await work(0);
  expect((await notes()).slice(3)).toEqual([
    "debit_note D-2082/83-00002 200.00 23.01",
    "credit_note C-2082/83-00002 1130.00 130.00",
  ]);
  const account = await withAccountToken(service, api.seller);
  const answer = await service.call(account, { url: "/account/v1/bills/" });
  const { totals, results } = answer.json();
  expect(
    totals.map(({ kind, amount, vat }: Record<string, string>) => [kind, amount, vat]),
  ).toEqual([
    ["receipt", "1130.00", "130.00"],
    ["debit_note", "500.01", "57.52"],
    ["credit_note", "1630.01", "187.52"],
  ]);
  const debit = results.find(({ kind }: { kind: string }) => kind === "debit_note");
  const file = await service.call(account, { url: `/account/v1/bills/${debit.id}/pdf/` });
  expect(Buffer.from(file.json().content, "base64").subarray(0, 5).toString()).toBe("%PDF-");
  expect(await onlyPayment()).toMatchObject({ refunded: "1130.00", refund_owed: "0.00" });
});

it("a refund that was made is asked about for 30 days, also while the provider is silent", async () => {
  await addFakeAccount(service, api.seller);
  const { subscription_id } = await api.create();
  const reference = await payAtProvider(subscription_id);
  await work(15_000);
  const { payment_id } = await onlyPayment();
  await post(`/payments/${payment_id}/refunds/`, { amount: "500", reason: "Away", by });
  await work(0);
  fake.refunding = "silent";
  const day = 86_400_000;
  const isAsked = [];
  for (const days of [1, 1, 27, 1, 1]) {
    await work(days * day);
    const { rows } = await service.pool.query<{ next_at: Date | null }>(
      "select next_at from refund where seller_id = $1",
      [api.seller.seller_id],
    );
    isAsked.push(...rows.map(({ next_at }) => next_at !== null));
  }
  expect(isAsked).toEqual([true, true, true, false, false]);
  expect(fake.refunds.filter(({ reference: of }) => of === reference)).toHaveLength(1);
});

it("a refund that failed stays owed when another one of the same amount is made", async () => {
  await addFakeAccount(service, api.seller);
  const { subscription_id } = await api.create();
  const reference = await payAtProvider(subscription_id);
  await work(15_000);
  const { payment_id } = await onlyPayment();
  const request = { amount: "500", reason: "Away", by };
  await post(`/payments/${payment_id}/refunds/`, request);
  await work(0);
  fake.refunding = { state: "refused", text: "The card is lost.", again: false };
  await work(86_400_000);
  fake.refunding = "silent";
  await post(`/payments/${payment_id}/refunds/`, request);
  await work(0);
  fake.answer({ state: "refunded", amount: "500.00" }, reference);
  await service.pool.query("update charge set next_at = begun_at where reference = $1", [
    reference,
  ]);
  await work(6_000);
  expect(await onlyPayment()).toMatchObject({ refunded: "0.00", refund_owed: "1000.00" });
  fake.refunding = { state: "done", refund_id: "re_2" };
  await work(86_400_000);
  expect(await onlyPayment()).toMatchObject({ refunded: "500.00", refund_owed: "500.00" });
});

async function notes() {
  const { rows } = await service.pool.query<{ text: string }>(
    `select concat_ws(' ', kind, label, amount, vat) as text from bill where seller_id = $1
     order by entry_id, number`,
    [api.seller.seller_id],
  );
  return rows.map(({ text }) => text);
}

const FAILED = { kind: "refund_failed", sum: "-500.00" };

/** The ledger's entries of refunds, oldest first. */
async function kept() {
  const { rows } = await service.pool.query<object>(
    `select e.kind, l.amount::text as sum from journal_entry e join journal_line l using (entry_id)
     where e.seller_id = $1 and l.account = 'refunds' order by e.entry_id`,
    [api.seller.seller_id],
  );
  return rows;
}

it("a dispute that the provider reports twice is one event, with its amount", async () => {
  await addFakeAccount(service, api.seller);
  const { subscription_id } = await api.create();
  const reference = await payAtProvider(subscription_id);
  await work(15_000);
  const { payment_id } = await onlyPayment();
  for (let times = 0; times < 2; times += 1) {
    fake.answer({ state: "held", word: "disputed", amount: "30.00" }, reference);
    await service.pool.query("update charge set next_at = begun_at where reference = $1", [
      reference,
    ]);
    await work(15_000);
  }
  expect(await told()).toMatchObject([
    {
      event: "payment.disputed",
      old_status: "active",
      new_status: "active",
      data: { payment_id, amount: "30.00", currency: "NPR", provider_reference: reference },
    },
  ]);
});

it("the refund of money that was not owed has no event, because its payment had none", async () => {
  await addFakeAccount(service, api.seller);
  const { subscription_id } = await api.create();
  await payAtProvider(subscription_id);
  service.clock.advance(31_000);
  await payAtProvider(subscription_id);
  await work(15_000);
  await work(15_000);
  const { rows } = await service.pool.query<object>(
    "select state, payment_id from refund where seller_id = $1",
    [api.seller.seller_id],
  );
  expect(rows).toEqual([{ state: "done", payment_id: null }]);
  expect(await told()).toEqual([]);
});
