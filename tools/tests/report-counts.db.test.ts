import { expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { searchSubscriptions } from "#lib/search-index/query/subscription-query.ts";
import { parseSubscriptionSearch } from "#lib/subscriptions/search.ts";
import { pool, useDashboardDatabase } from "../testing/dashboard-database.ts";
import { addIndex, createIndexedSeller } from "../testing/fixtures/records-fixture.ts";
import {
  storeHistory,
  type SubscriptionHistoryFixture,
  type SubscriptionVersion,
} from "../testing/fixtures/history-fixture.ts";
import { readReportOf } from "#lib/reports/read-report.ts";
import type { ListParameters } from "#lib/reports/queries.ts";
import { REPORTS, parseReportSearch, type ReportName } from "#lib/reports/search.ts";

useDashboardDatabase();

const NOW = "2026-11-22T10:00:00.000Z";
const asked = { search: parseReportSearch({}), time_zone: "Asia/Kathmandu", now: NOW };

const usual = { price: "500.00", currency: "NPR", pbp_id: "monthly" };
const version = (day: string, status: string, start: string | null, next: string | null) => ({
  ...usual,
  at: `2026-11-${day}T08:00:00.000Z`,
  status,
  start: start && `2026-${start}T06:15:00.000Z`,
  next: next && `2026-${next}T06:15:00.000Z`,
});

let made = 0;
const history = (...versions: SubscriptionVersion[]): SubscriptionHistoryFixture => ({
  id: `00000000-0000-4000-8000-${String((made += 1)).padStart(12, "0")}`,
  created_at: "2026-11-01T08:00:00.000Z",
  product: "milk",
  plan: "Gold",
  versions,
});

const known = () => ({
  known_since: "2026-10-20T00:00:00.000Z",
  listed: { monthly: "month:1" },
  histories: [
    history(version("01", "pending_checkout", null, null)),
    history(
      version("01", "pending_checkout", null, null),
      version("02", "active", "11-02", "12-02"),
    ),
    history(
      version("01", "active", "10-05", "11-05"),
      version("06", "due", "10-05", "11-05"),
      version("08", "active", "11-05", "12-05"),
    ),
    history(
      version("01", "active", "10-10", "11-10"),
      version("03", "pending_cancellation", "10-10", "11-10"),
      version("04", "active", "10-10", "11-10"),
      version("11", "due", "10-10", "11-10"),
    ),
    history(
      version("01", "pending_cancellation", "10-03", "11-03"),
      version("05", "cancelled", "10-03", null),
    ),
  ],
});

/** All numbers and amounts in an answer, except for the requested parameters and times. */
function numbersIn(value: unknown, name = ""): number[] {
  if (["days", "needed", "rows", "age"].includes(name) && !Array.isArray(value)) return [];
  if (typeof value === "number") return [value];
  if (typeof value === "string") return /^\d+\.\d\d$/.test(value) ? [Number(value)] : [];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, part]) => numbersIn(part, key));
}

async function reportOf<Name extends ReportName>(owner: KeyOwner, name: Name) {
  const read = await readReportOf(pool, owner, name, asked);
  if (read.state !== "ready") throw new Error(`the index is ${read.state}`);
  return read.figure;
}

test("reports count no records of another seller or mode", async () => {
  const [owner, other] = [await createIndexedSeller(pool), await createIndexedSeller(pool)];
  const live = { ...owner, mode: "live" } as const;
  await addIndex(pool, live, {});
  const { histories, ...rest } = known();
  await storeHistory(pool, owner, { ...rest, histories });
  await pool.query(
    `insert into contact (seller_id, mode, subscription_id, person_id, person_name, kind, at, detail)
     values ($1, $2, $3, gen_random_uuid(), 'Asha', 'leave', '2026-11-04T08:00:00Z', '{"reason": "closing"}')`,
    [owner.seller_id, owner.mode, histories.at(-1)?.id],
  );
  for (const name of REPORTS) {
    const sums = await Promise.all(
      [owner, other, live].map(async (who) =>
        numbersIn(await reportOf(who, name)).reduce((sum, number) => sum + number, 0),
      ),
    );
    expect([name, sums[0] !== 0, ...sums.slice(1)]).toEqual([name, true, 0, 0]);
  }
});

test("a list linked from a number in a report has that number of rows", async () => {
  const owner = await createIndexedSeller(pool);
  const { histories, ...rest } = known();
  const others = histories.map((one) => ({
    ...history(...one.versions),
    product: "ghee",
    plan: "Silver",
  }));
  await storeHistory(pool, owner, { ...rest, histories: [...histories, ...others] });
  expect(await checkLinkedLists(owner, "milk")).toBeGreaterThan(20);
});

test("a list linked from a number in a report has that number of rows if there are one-time purchases, two currencies, unreadable prices or unseen first payments", async () => {
  const owner = await createIndexedSeller(pool);
  const { histories, known_since } = known();
  const once = { pbp_id: "once" };
  const open = version("02", "pending_checkout", null, null);
  const paid = version("03", "active", null, null);
  const bills = version("03", "active", "11-03", "12-03");
  const due = version("04", "due", "10-04", "11-04");
  const ending = version("05", "pending_cancellation", "11-05", "12-05");
  await storeHistory(pool, owner, {
    known_since,
    listed: { monthly: "month:1", once: "one_time:1" },
    histories: [
      ...histories,
      history({ ...open, ...once }),
      history({ ...open, ...once }, { ...paid, ...once }),
      history({ ...bills, ...once }),
      history({ ...due, ...once }, { ...due, ...once, at: NOW, status: "cancelled" }),
      history(paid),
      history({ ...due, currency: "USD" }),
      history({ ...due, price: "free" }),
      history({ ...ending, price: "free" }),
      { ...history(open), created_at: "2026-09-02T08:00:00.000Z" },
      { ...history(bills), created_at: "2026-09-02T08:00:00.000Z" },
      { ...history(bills), created_at: "2026-08-02T08:00:00.000Z" },
    ],
  });
  expect(await checkLinkedLists(owner, null)).toBeGreaterThan(15);
});

/** Compares every linked list with its number. @returns how many there are */
async function checkLinkedLists(owner: KeyOwner, product: string | null) {
  const search = { ...parseReportSearch({}), product };
  const counted: [string, number, ListParameters][] = [];
  for (const name of REPORTS) {
    const read = await readReportOf(pool, owner, name, { ...asked, search });
    if (read.state !== "ready") throw new Error(`the index is ${read.state}`);
    counted.push(...listsIn(read.figure, name));
  }
  const found = await Promise.all(
    counted.map(async ([name, , rows]) => {
      const list = await searchSubscriptions(pool, owner, {
        search: parseSubscriptionSearch({ ...rows }),
        words: "",
        time_zone: asked.time_zone,
      });
      return [name, list.state === "ready" ? list.count : null];
    }),
  );
  expect(found).toEqual(counted.map(([name, count]) => [name, count]));
  return counted.length;
}

/** Each count that links to a list, with its path and the parameters of the list. */
function listsIn(value: unknown, path: string): [string, number, ListParameters][] {
  if (value === null || typeof value !== "object") return [];
  const own = value as { count?: number; begun?: number; rows?: ListParameters | null };
  const count = own.count ?? own.begun;
  return [
    ...(typeof count === "number" && own.rows
      ? [[path, count, own.rows] as [string, number, ListParameters]]
      : []),
    ...Object.entries(value).flatMap(([key, part]) => listsIn(part, `${path}.${key}`)),
  ];
}

test("reports show no numbers while the search index is filling", async () => {
  const owner = await createIndexedSeller(pool);
  await storeHistory(pool, owner, known());
  await pool.query("update mirror set filled_at = null where seller_id = $1", [
    owner.seller_id,
  ]);
  await expect(readReportOf(pool, owner, "owed", asked)).resolves.toEqual({
    state: "filling",
    read: 0,
    total: null,
  });
});
