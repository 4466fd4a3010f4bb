import { beforeAll, afterAll, expect, test } from "vitest";
import { ProductPage, type Product } from "#contract/products.ts";
import { SubscriptionPage, type Subscription } from "#contract/subscriptions.ts";
import { addDays } from "#lib/calendar.ts";
import { readCells, readQueue } from "#lib/collection/queue/data.ts";
import { addDecimals } from "#lib/decimal.ts";
import { readFigure } from "#lib/figures/copy/data.ts";
import { parseFiguresSearch } from "#lib/figures/search.ts";
import { messageFacts } from "#lib/messages/channels/rules.ts";
import { OUR_REMINDERS, reminderKind } from "#lib/messages/reminders/rules.ts";
import { fillMessage, writerIn } from "#lib/messages/rules.ts";
import { readAmounts } from "#lib/mirror/to-pay.ts";
import { toPayOf } from "#lib/price.ts";
import { openExport, type ExportFile } from "#lib/search/export/file/data.ts";
import { parseFindSearch } from "#lib/search/search.ts";
import { createTestDatabase, type TestDatabase } from "#scripts/testing/database.ts";
import type { SeededSeller } from "../service/seed/seed.ts";
import { runAdmin } from "../service/testing/admin.ts";
import { startTestService, type TestService } from "../service/testing/service.ts";
import { everything, question, workerOf } from "./testing/collection-queue.ts";
import { pool, useDashboardDatabase } from "./testing/dashboard.ts";
import { makeCopy } from "./testing/made-copy.ts";

/** What the demonstration's checkout asks for is what every text and every sum of the dashboard says. */
useDashboardDatabase();
const ZONE = "Asia/Kathmandu";
let database: TestDatabase;
let service: TestService;
let products: Product[];
let subscriptions: Subscription[];
let today: string;

beforeAll(async () => {
  database = await createTestDatabase("service");
  const { output } = await runAdmin(database.url, ["seed", "--json"]);
  const [seller] = (JSON.parse(output) as { sellers: [SeededSeller] }).sellers;
  service = await startTestService(database.url);
  service.clock.set(new Date().toISOString());
  today = dayOf(new Date());
  const key = seller.keys[0]?.key ?? "";
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

const noCatalogue = { listProducts: () => Promise.reject(new Error("the copy is asked")) };
const shown = (amount: string) =>
  Number(amount).toLocaleString("en-US", { minimumFractionDigits: 2 });

test("each seeded period on each day of its offers, at its checkout and in every text", async () => {
  const owner = await makeCopy(pool, { products, subscriptions });
  const periods = products.flatMap(({ plan }) => plan.flatMap((one) => one.billing_periods));
  const differing = new Set<string>();
  for (const period of periods) {
    const payable = ({ status, product }: Subscription) =>
      product.pbp_id === period.pbp_id && ["pending_checkout", "due"].includes(status);
    const record = subscriptions.find(payable);
    if (!record) continue;
    const days = period.offers.flatMap(({ starts_at, valid_until }) => [
      ...everyDay(addDays(starts_at, -1), addDays(valid_until, 1)),
    ]);
    // A link that waits is asked for on any day; one that is due ends soon after today.
    const asked = record.status === "due" ? [today] : [...new Set([today, ...days])];
    for (const day of asked) {
      service.clock.set(`${day}T06:00:00Z`);
      const { body } = await service.app.inject({ url: `/pay/${record.subscription_id}` });
      const amounts = await readAmounts(pool, { owner, billing: noCatalogue }, day);
      const to_pay = toPayOf(amounts, record.product);
      expect(to_pay).toMatchObject({ currency: "NPR", is_list_price: false });
      const text = shown(to_pay.amount);
      expect(body, `${period.pbp_id} on ${day}`).toContain(text);
      const facts = messageFacts(writerIn("en"), record, {
        seller: { name: "Phewa", currency: "NPR", amount_style: "code" },
        link: "https://pay.example.com/1",
        to_pay,
        day: null,
      });
      expect(fillMessage(OUR_REMINDERS[reminderKind(record)].en.any, facts)).toContain(text);
      if (to_pay.amount !== period.price) differing.add(period.pbp_id);
    }
  }
  expect(differing.size).toBeGreaterThan(2);
});

function* everyDay(from: string, to: string) {
  for (let day = from; day <= to; day = addDays(day, 1)) yield day;
}

test("queue, totals, reports and files add up what the checkouts ask for", async () => {
  const owner = await makeCopy(pool, { products, subscriptions });
  const worker = await workerOf(owner);
  const asked = question(worker, { now: `${today}T06:00:00Z` });
  const amounts = await readAmounts(pool, { owner, billing: noCatalogue }, today);
  const rows = await readQueue(pool, owner, asked, everything);
  expect(rows.length).toBeGreaterThan(20);
  for (const { record, place } of rows)
    expect(Number(place.amount)).toBe(Number(toPayOf(amounts, record.product).amount));
  const cells = await readCells(pool, owner, asked);
  const sum = (texts: string[]) => texts.reduce(addDecimals, "0");
  const total = sum(rows.map(({ record }) => toPayOf(amounts, record.product).amount));
  expect(Number(sum(cells.map(({ amount }) => amount)))).toBe(Number(total));

  const search = parseFiguresSearch({});
  const now = `${today}T06:00:00Z`;
  const owed = await readFigure(pool, owner, "owed", { search, time_zone: ZONE, now });
  const due = subscriptions.filter(({ status }) => status === "due");
  const dueSum = sum(due.map(({ product }) => toPayOf(amounts, product).amount));
  expect(owed).toMatchObject({ figure: { currencies: [{ amount: dueSum }] } });

  const named = (key: string) => key;
  const wording = { t: named, tList: named } as unknown as ExportFile["wording"];
  const { body } = await openExport(
    pool,
    owner,
    { search: parseFindSearch({ status: "due" }), words: "", time_zone: ZONE },
    {
      format: "csv",
      columns: ["to_pay"],
      amounts,
      wording,
      user_id: owner.seller_id,
      mayGoOn: async () => true,
    },
  );
  const [, ...lines] = (await new Response(body).text()).trim().split(/\r?\n/);
  expect(sum(lines)).toBe(dueSum);
  const list = sum(due.map(({ product }) => product.price));
  expect(list).not.toBe(dueSum);
});

test("Umesh Rai is told what his checkout asks for", async () => {
  const owner = await makeCopy(pool, { products });
  const umesh = subscriptions.find(
    ({ client, status }) => client.phone === "9800000025" && status === "due",
  );
  const amounts = await readAmounts(pool, { owner, billing: noCatalogue }, today);
  expect(umesh?.product.price).toBe("1899.00");
  expect(umesh && toPayOf(amounts, umesh.product).amount).toBe("1806.87");
});
