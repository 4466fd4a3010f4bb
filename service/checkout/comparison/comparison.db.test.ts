import { beforeEach, expect, it } from "vitest";
import { ComparedStatement, SavedPaymentAccount } from "#contract/payment-accounts.ts";
import {
  ProviderFault,
  type ListedPayment,
  type ProviderAdapter,
} from "../../providers/provider.ts";
import { paymentsOf, requestCode, submitCodePage } from "../../testing/checkout-forms.ts";
import { addFakeAccount, FakeProvider } from "../../testing/fake-provider.ts";
import { askDueCharges } from "../../testing/payment-steps.ts";
import { SellerApi } from "../../testing/seller-api.ts";
import { withAccountToken, type TestSeller } from "../../testing/service.ts";
import { useTestService } from "../../testing/use-service.ts";
import { paymentContext } from "../provider.ts";
import { createComparisonWorker } from "./worker.ts";

const fake = new FakeProvider();
let pages: ListedPayment[][] | "silent" = [];
const listing: ProviderAdapter = {
  ...fake.adapter(),
  list: async ({ page }) => {
    if (pages === "silent") throw new ProviderFault("unknown", "The provider gave no answer.");
    const place = Number(page ?? 0);
    const next = place + 1 < pages.length ? String(place + 1) : null;
    return { payments: pages[place] ?? [], next };
  },
};
const service = useTestService("test", { providers: [listing, fake.adapter("portal")] });
const HOUR = 3_600_000;

let buyers = 0;
let account: TestSeller;
let api: SellerApi;
beforeEach(async () => {
  fake.answer({ state: "pending" });
  pages = [];
  api = await SellerApi.open(service);
  account = await withAccountToken(service, api.seller);
});

const URL_OF = (provider: string) => `/account/v1/payment-accounts/${provider}/`;
const call = (url: string, payload?: object) =>
  service.call(account, {
    url,
    ...(payload && {
      method: "POST" as const,
      payload,
      headers: { "content-type": "application/json" },
    }),
  });

/** A charge whose buyer is at the provider. @returns its subscription's id and its reference */
async function begin(provider: string) {
  const phone = `98${String((buyers += 1)).padStart(8, "0")}`;
  const { subscription_id: id } = await api.create(undefined, { phone });
  const attempt = await requestCode(service, id, { method: provider });
  await submitCodePage(service, id, attempt);
  return { id, reference: fake.begun.at(-1)?.reference ?? "" };
}

async function pay(provider: string) {
  const charge = await begin(provider);
  fake.answer("approve", charge.reference);
  service.clock.advance(15_000);
  await askDueCharges(service);
  expect(await paymentsOf(service, charge.id)).toHaveLength(1);
  return charge;
}

const listed = (reference: string, changes: Partial<ListedPayment> = {}): ListedPayment => ({
  reference,
  transaction_id: `t-${reference}`,
  amount: "1130.00",
  currency: "NPR",
  state: "paid",
  at: service.clock.now(),
  isOther: false,
  ...changes,
});

const newWorker = () =>
  createComparisonWorker({
    payments: paymentContext(service.context),
    onError: (error) => {
      throw error;
    },
  });

/** Runs the worker after the clock has moved on. */
async function compareAfter(hours: number) {
  service.clock.advance(hours * HOUR);
  const worker = newWorker();
  await worker.compareDue();
  await worker.close();
}

async function stateOf(provider: string) {
  const answer = await call("/account/v1/payment-accounts/");
  const { results } = answer.json<{ results: unknown[] }>();
  return results
    .map((each) => SavedPaymentAccount.parse(each))
    .find((each) => each.provider === provider)?.comparison;
}

const tasks = async () => {
  const { rows } = await service.pool.query<object>(
    `select kind, reference, amount::text, answered_amount::text, payment_id is not null as is_paid,
       closed_at is null as is_open, decision
     from payment_task where seller_id = $1
       and kind in ('statement_only', 'service_only', 'amount_differs') order by kind, reference`,
    [api.seller.seller_id],
  );
  return rows;
};

it("the daily comparison with the provider's list opens one task per difference, and closes the task when the difference is gone", async () => {
  await addFakeAccount(service, api.seller);
  const [same, dearer] = [await pay("fake"), await pay("fake")];
  const [missing, denied] = [await pay("fake"), await pay("fake")];
  const late = await begin("fake");
  fake.answer("approve", late.reference);
  const rest = [
    listed("stranger"),
    listed("elsewhere", { isOther: true }),
    listed("odd", { state: "unclear", amount: null }),
    listed(denied.reference, { state: "unpaid" }),
    listed(late.reference),
    // The buyer paid once more under the same reference.
    listed(same.reference, { transaction_id: "t-again" }),
  ];
  pages = [
    [listed(same.reference), listed(dearer.reference, { amount: "1130.01" })],
    [listed(same.reference), ...rest],
  ];
  await compareAfter(25);
  const counts = { listed: 8, matched: 2, statement_only: 2, service_only: 2, differing: 1 };
  expect(await stateOf("fake")).toMatchObject({
    has_list: true,
    is_running: false,
    last: { source: "daily", ...counts, unclear: 1, problem: null },
    last_statement: null,
  });
  // The charge was asked about, and is paid only by the provider's answer.
  expect(await paymentsOf(service, late.id)).toHaveLength(1);
  const open = { is_open: true, decision: null };
  const paid = { ...open, amount: "1130.00", is_paid: true, answered_amount: "1130.00" };
  const unknown = { ...paid, kind: "statement_only", amount: null, is_paid: false };
  const found = [
    {
      ...paid,
      kind: "amount_differs",
      reference: dearer.reference,
      answered_amount: "1130.01",
    },
    { ...paid, kind: "service_only", reference: denied.reference },
    { ...paid, kind: "service_only", reference: missing.reference, answered_amount: null },
    { ...unknown, reference: "t-again" },
    { ...unknown, reference: "t-stranger" },
  ];
  const sorted = (all: object[]) => all.map((each) => JSON.stringify(each)).toSorted();
  expect(await tasks()).toHaveLength(found.length);
  expect(await tasks()).toEqual(expect.arrayContaining(found));
  const before = sorted(await tasks());
  await compareAfter(25);
  expect(sorted(await tasks())).toEqual(before);

  pages = [[dearer, missing, denied, same].map(({ reference }) => listed(reference))];
  await compareAfter(25);
  const after = await tasks();
  expect(after.filter((task) => (task as { is_open: boolean }).is_open)).toMatchObject([
    { kind: "statement_only", reference: "t-again" },
    { kind: "statement_only", reference: "t-stranger" },
  ]);
  expect(after).toHaveLength(found.length);
});

it("the comparison closes the task of a payment even if the payment account was removed and set up again", async () => {
  await addFakeAccount(service, api.seller);
  const { reference } = await pay("fake");
  expect((await call(`${URL_OF("fake")}remove/`, {})).statusCode).toBe(200);
  await addFakeAccount(service, api.seller);
  pages = [[listed(reference, { amount: "1130.01" })]];
  await compareAfter(25);
  expect(await tasks()).toMatchObject([{ kind: "amount_differs", is_open: true }]);
  pages = [[listed(reference)]];
  await compareAfter(25);
  expect(await tasks()).toMatchObject([{ is_open: false, decision: "settled" }]);
});

it("the comparison asks the provider only once about a payment that the list shows as refunded", async () => {
  await addFakeAccount(service, api.seller);
  const { reference } = await pay("fake");
  fake.answer({ state: "refunded", amount: "1130.00" }, reference);
  pages = [[listed(reference, { state: "refunded" })]];
  await compareAfter(25);
  await askDueCharges(service);
  await compareAfter(25);
  expect(await stateOf("fake")).toMatchObject({ last: { matched: 1 } });
  expect(fake.asked.filter((each) => each === reference)).toHaveLength(2);
});

it("a comparison without an answer from the provider notes the problem and is tried again an hour later", async () => {
  await addFakeAccount(service, api.seller);
  const { reference } = await pay("fake");
  pages = "silent";
  await compareAfter(25);
  expect(await stateOf("fake")).toMatchObject({
    last: { problem: "The provider gave no answer.", listed: 0, service_only: 0 },
  });
  expect(await tasks()).toEqual([]);
  pages = [[listed(reference)]];
  await compareAfter(0.9);
  expect(await stateOf("fake")).toMatchObject({ last: { matched: 0 } });
  await compareAfter(0.2);
  expect(await stateOf("fake")).toMatchObject({ last: { problem: null, matched: 1 } });
});

it("a provider's list with 101 unknown payments opens no tasks, and the comparison notes the problem", async () => {
  await addFakeAccount(service, api.seller);
  pages = [Array.from({ length: 101 }, (_, at) => listed(`other-${at}`))];
  await compareAfter(25);
  expect(await tasks()).toEqual([]);
  const state = await stateOf("fake");
  expect(state?.last?.problem).toContain("101 payments at the provider are unknown here");
});

it("the comparison of a statement first stores nothing, and after the confirmation opens tasks", async () => {
  await addFakeAccount(service, api.seller, "portal");
  const [same, missing] = [await pay("portal"), await pay("portal")];
  const left = await begin("portal");
  const entry = (reference: string, changes: object = {}) => ({
    reference,
    amount: "1130.00",
    currency: "NPR",
    state: "paid",
    at: service.clock.now().toISOString(),
    ...changes,
  });
  const day = service.clock.now().getTime();
  const statement = {
    entries: [
      entry(same.reference),
      entry("stranger", { amount: "50.00" }),
      entry("unreadable", { amount: null, state: "unclear" }),
      entry(left.reference),
    ],
    covers_from: new Date(day - 24 * HOUR).toISOString(),
    covers_to: new Date(day + 24 * HOUR).toISOString(),
  };
  const compare = async (changes: object = {}) => {
    const answer = await call(`${URL_OF("portal")}statement/`, { ...statement, ...changes });
    expect(answer.statusCode).toBe(200);
    return ComparedStatement.parse(answer.json());
  };
  const dry = await compare();
  const counts = { listed: 4, matched: 1, statement_only: 2, service_only: 1, unclear: 1 };
  expect(dry).toMatchObject({ is_confirmed: false, ...counts, differing: 0, opened: 0 });
  expect(dry.results).toMatchObject([
    { outcome: "statement_only", place: 2, reference: "stranger", subscription_id: null },
    { outcome: "unclear", place: 3 },
    { outcome: "statement_only", place: 4, subscription_id: left.id, amount: "1130.00" },
    { outcome: "service_only", place: null, subscription_id: missing.id },
  ]);
  expect(await tasks()).toEqual([]);
  expect(await stateOf("portal")).toMatchObject({ has_list: false, last_statement: null });

  const confirmed = { is_confirmed: true, takes_unknown: false };
  expect(await compare(confirmed)).toMatchObject({ opened: 2 });
  expect(await compare(confirmed)).toMatchObject({ opened: 0 });
  expect(await compare({ is_confirmed: true })).toMatchObject({ opened: 1 });
  expect(await stateOf("portal")).toMatchObject({
    last_statement: { source: "statement", matched: 1 },
  });
  // The provider is asked at once, and only its answer pays.
  fake.answer("approve", left.reference);
  service.clock.advance(6_000);
  await askDueCharges(service);
  expect(await paymentsOf(service, left.id)).toHaveLength(1);
  await compareAfter(25);
  const stillOpen = (await tasks()).filter((task) => (task as { is_open: boolean }).is_open);
  expect(stillOpen).toMatchObject([
    { kind: "service_only", reference: missing.reference },
    { kind: "statement_only", reference: "stranger" },
  ]);
});

it("a statement that is empty, too long, or has impossible values is refused", async () => {
  await addFakeAccount(service, api.seller, "portal");
  const url = `${URL_OF("portal")}statement/`;
  const entry = { reference: "r", amount: "1.00", currency: "NPR", state: "paid" };
  const wrong: [object, string][] = [
    [{ entries: [] }, "entries"],
    [{ entries: Array.from({ length: 2_001 }, () => entry) }, "entries"],
    [{ entries: [{ ...entry, amount: "1" }] }, "entries"],
    [{ entries: [{ ...entry, reference: null }] }, "entries"],
    [{ entries: [{ ...entry, reference: "x".repeat(200) }] }, "entries"],
    [
      {
        entries: [entry],
        covers_from: "2026-02-02T00:00:00Z",
        covers_to: "2026-02-01T00:00:00Z",
      },
      "covers_to",
    ],
  ];
  for (const [body, field] of wrong) {
    const answer = await call(url, body);
    expect([answer.statusCode, Object.keys(answer.json<object>())]).toEqual([400, [field]]);
  }
  const other = await SellerApi.open(service);
  const stranger = await withAccountToken(service, other.seller);
  const answer = await service.call(stranger, {
    method: "POST",
    url,
    payload: { entries: [entry] },
    headers: { "content-type": "application/json" },
  });
  expect(answer.statusCode).toBe(404);
});
