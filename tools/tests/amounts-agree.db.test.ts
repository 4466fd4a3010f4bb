import { beforeAll, afterAll, expect, test } from "vitest";
import { ProductPage, type BillingPeriod, type Product } from "#contract/products.ts";
import { Subscription, SubscriptionPage } from "#contract/subscriptions.ts";
import { addDays } from "#lib/format/calendar.ts";
import { readQueueCounts, readQueue } from "#lib/collection/queue-store.ts";
import { sumCounts } from "#lib/collection/queue-counts.ts";
import { sumCharges } from "#lib/customers/rules.ts";
import { amountsOwed, sumToPay } from "#lib/money/debt.ts";
import { addDecimals } from "#lib/format/decimal.ts";
import { readReportOf } from "#lib/reports/read-report.ts";
import { anchorDayOf, billingDays } from "#lib/reports/rules.ts";
import { parseReportSearch } from "#lib/reports/search.ts";
import { amountToPay } from "#lib/money/price.ts";
import type { ToPay } from "#lib/format/format.ts";
import { moveBillingDateWithSettlement, readDebt } from "#lib/subscriptions/goodwill/store.ts";
import { isPayable } from "#lib/money/payable.ts";
import { createTestDatabase, type TestDatabase } from "#tools/testing/database.ts";
import type { SeededSeller } from "../../service/seed/seed.ts";
import { runAdmin } from "../../service/testing/admin.ts";
import { startTestService, type TestService } from "../../service/testing/service.ts";
import { clientOf } from "../testing/servers/billing-server.ts";
import {
  ALL_ROWS,
  queueParameters,
  createActor,
} from "../testing/fixtures/collection-fixture.ts";
import { pool, useDashboardDatabase } from "../testing/dashboard-database.ts";
import { createIndexedSeller } from "../testing/fixtures/records-fixture.ts";
import { amountsOf, filesOf, number, shownIn, textsTo } from "../testing/shown-amounts.ts";

/** Every text and every sum of the dashboard must show the amount that the demonstration's checkout asks for. */
useDashboardDatabase();
const ZONE = "Asia/Kathmandu";
let database: TestDatabase;
let service: TestService;
let products: Product[];
let subscriptions: Subscription[];
let today: string;
let key: string;

beforeAll(async () => {
  database = await createTestDatabase("service");
  const { output } = await runAdmin(database.url, ["seed", "--json"]);
  const [seller] = (JSON.parse(output) as { sellers: [SeededSeller] }).sellers;
  service = await startTestService(database.url);
  service.clock.set(new Date().toISOString());
  today = dayOf(new Date());
  key = seller.keys[0]?.key ?? "";
  products = await readAll(key, "products", ProductPage);
  subscriptions = await readAll(key, "subscriptions", SubscriptionPage);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const dayOf = (moment: Date) =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime())
    .toZonedDateTimeISO(ZONE)
    .toPlainDate()
    .toString();

async function readAll<Row>(
  key: string,
  noun: string,
  Page: { parse: (page: unknown) => { results: Row[]; next: string | null } },
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await service.app.inject({
      url: `/api/v1/${noun}/?page=${page}&page_size=100`,
      headers: { authorization: `Bearer ${key}` },
    });
    const { results, next } = Page.parse(JSON.parse(body));
    rows.push(...results);
    if (next === null) return rows;
  }
}

function* everyDay(from: string, to: string) {
  for (let day = from; day <= to; day = addDays(day, 1)) yield day;
}

/** The days to test: today, and every day from the day before an offer to the day after it. */
const daysOf = ({ offers }: BillingPeriod) => [
  ...new Set([
    today,
    ...offers.flatMap(({ starts_at, valid_until }) => [
      ...everyDay(addDays(starts_at, -1), addDays(valid_until, 1)),
    ]),
  ]),
];
const periodsOf = () =>
  products.flatMap(({ plan }) => plan.flatMap(({ billing_periods }) => billing_periods));

/** An open checkout of a new buyer. */
async function waitingFor({ pbp_id }: BillingPeriod, at: number): Promise<Subscription> {
  const payload = {
    pbp_id,
    return_url: "https://shop.example/",
    client: {
      phone: `98510${String(at).padStart(5, "0")}`,
      full_name: "Asha Rai",
      email: "asha@example.com",
      address: "Pokhara",
    },
  };
  const headers = { authorization: `Bearer ${key}`, "idempotency-key": `amounts-agree-${at}` };
  const made = await service.app.inject({
    method: "POST",
    url: "/api/v1/subscriptions/",
    headers,
    payload,
  });
  expect(made.statusCode, `${pbp_id}: ${made.body}`).toBe(201);
  const { subscription_id } = JSON.parse(made.body) as { subscription_id: string };
  const url = `/api/v1/subscriptions/${subscription_id}/`;
  const { body } = await service.app.inject({ url, headers });
  return Subscription.parse(JSON.parse(body));
}

test("the checkout and every message show the same amount to pay for each seeded period on each day of its offers", async () => {
  const owner = await createIndexedSeller(pool, { products, subscriptions });
  const [differing, walked] = [new Set<string>(), new Set<string>()];
  const periods = periodsOf();
  for (const [at, period] of periods.entries()) {
    service.clock.set(new Date().toISOString());
    const record = await waitingFor(period, at);
    for (const day of daysOf(period)) {
      service.clock.set(`${day}T06:00:00Z`);
      const { body } = await service.app.inject({ url: `/pay/${record.subscription_id}` });
      const to_pay = amountToPay(await amountsOf(owner, day), record.product);
      expect(to_pay).toMatchObject({ currency: "NPR", is_list_price: false });
      expect(body, `${period.pbp_id} on ${day}`).toContain(shownIn.en(to_pay.amount));
      for (const { language, text } of textsTo(record, to_pay, today))
        expect(text).toContain(shownIn[language](to_pay.amount));
      if (to_pay.amount !== period.price) differing.add(period.pbp_id);
    }
    walked.add(period.pbp_id);
  }
  expect([...walked].toSorted()).toEqual(periods.map(({ pbp_id }) => pbp_id).toSorted());
  expect(differing.size).toBeGreaterThan(2);
});

const sum = (texts: string[]) => number(texts.reduce(addDecimals, "0"));

const knownBy = ({ is_list_price }: ToPay) => (is_list_price ? "list price" : "checkout");

test("sums in collection, reports, bulk changes and files match the amounts to pay on each day of the offers", async () => {
  const owner = await createIndexedSeller(pool, { products, subscriptions });
  const worker = await createActor(owner);
  const due = subscriptions.filter(({ status }) => status === "due");
  const days = [...new Set(periodsOf().flatMap(daysOf))].toSorted();
  const owedSums = new Set<number>();
  for (const day of days) {
    const amounts = await amountsOf(owner, day);
    const asks = ({ product }: Subscription) => amountToPay(amounts, product);
    const dueSum = sum(due.map((record) => asks(record).amount));
    owedSums.add(dueSum);
    // One subscription has a period that is no longer sold.
    const hasListPrice = due.some((record) => asks(record).is_list_price);

    const asked = queueParameters(worker, { now: `${day}T06:00:00Z` });
    const rows = await readQueue(pool, owner, asked, ALL_ROWS);
    for (const { record, place } of rows)
      expect(number(place.amount)).toBe(number(asks(record).amount));
    const [collected] = sumCounts(
      await readQueueCounts(pool, owner, asked),
      asked.search,
    ).amounts;
    expect(number(collected?.amount)).toBe(sum(rows.map(({ record }) => asks(record).amount)));

    const query = { search: parseReportSearch({}), time_zone: ZONE, now: asked.now };
    expect(await readReportOf(pool, owner, "owed", query)).toMatchObject({
      figure: { currencies: [{ amount: dueSum.toFixed(2), is_list_price: hasListPrice }] },
    });

    // The amount that the bulk dialog says a reschedule would waive.
    const owing = sumToPay(due.flatMap((record) => amountsOwed(record, asks(record), null)));
    expect(owing.map(({ amount }) => number(amount))).toEqual([dueSum]);
    const charges = sumCharges(due.map((one) => ({ ...asks(one), label: "" })));
    expect(charges.map(({ amount }) => number(amount))).toEqual([dueSum]);

    const told = subscriptions
      .toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1))
      .map((record) =>
        isPayable(record)
          ? [record.subscription_id, number(asks(record).amount), knownBy(asks(record))]
          : [record.subscription_id, 0, ""],
      );
    for (const file of await filesOf(owner, amounts)) expect(file).toEqual(told);
  }
  expect(owedSums.size).toBeGreaterThan(2);
  expect(owedSums).not.toContain(sum(due.map(({ product }) => product.price)));
});

test("expected revenue is the sum of the amounts to pay on each billing date", async () => {
  const owner = await createIndexedSeller(pool, { products, subscriptions });
  const every = new Map(
    periodsOf().map((one) => [one.pbp_id, `${one.interval_type}:${one.interval_count}`]),
  );
  const now = `${today}T06:00:00Z`;
  const query = { search: parseReportSearch({}), time_zone: ZONE, now };
  const read = await readReportOf(pool, owner, "expected", query);
  if (read.state !== "ready") throw new Error(read.state);
  const dayIn = (moment: string | null) => moment && dayOf(new Date(moment));
  for (const { days, currencies } of read.figure.horizons) {
    const asked: string[] = [];
    for (const { status, product, current_period_start, next_billing_cycle } of subscriptions) {
      const next_day = dayIn(next_billing_cycle);
      if (status !== "active" || !next_day || next_day < today) continue;
      const anchor = anchorDayOf(next_day, dayIn(current_period_start));
      const bills = { every: every.get(product.pbp_id) ?? null, next_day, anchor };
      for (const day of billingDays(bills, addDays(today, days)))
        asked.push(amountToPay(await amountsOf(owner, day), product).amount);
    }
    expect(currencies.map(({ amount }) => number(amount))).toEqual([sum(asked)]);
  }
});

test("a goodwill extension that keeps the debt stores the amount to pay on that day", async () => {
  const owner = await createIndexedSeller(pool, { products, subscriptions });
  const { person_id: id, person_name: name } = await createActor(owner);
  const due = subscriptions.filter(({ status }) => status === "due");
  expect(due.length).toBeGreaterThan(5);
  for (const before of due) {
    const mover = {
      owner,
      user: { id, name },
      seller: { time_zone: ZONE },
      scope: { seller: "", mode: "live" as const },
      billing: clientOf(),
      now: `${today}T06:00:00Z`,
    };
    const settlement = { owed: "kept", reason: "away", words: "" } as const;
    const move = { before, day: addDays(today, 7), settlement };
    await moveBillingDateWithSettlement(pool, mover, move, async () => null);
    const moved = { ...before, next_billing_cycle: `${addDays(today, 7)}T06:00:00Z` };
    const debt = await readDebt(pool, mover, moved);
    const amounts = await amountsOf(owner, today);
    const { amount, is_list_price } = amountToPay(amounts, before.product);
    expect([number(debt?.amount), debt?.is_list_price]).toEqual([
      number(amount),
      is_list_price,
    ]);
  }
});

test("the amount to pay for a seeded subscription is its price less the offer, plus VAT", async () => {
  const owner = await createIndexedSeller(pool, { products });
  const umesh = subscriptions.find(
    ({ client, status }) => client.phone === "9800000025" && status === "due",
  );
  const amounts = await amountsOf(owner, today);
  expect(umesh?.product.price).toBe("1899.00");
  expect(umesh && amountToPay(amounts, umesh.product).amount).toBe("1806.87");
});
