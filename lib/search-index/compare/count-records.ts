import "server-only";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import { SUBSCRIPTION_STATUSES } from "#contract/names.ts";
import type { Subscription, SubscriptionPage } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { inLongTransaction, singleRow, readClock, type Database } from "#lib/db/pool.ts";
import { readIndexStatus } from "#lib/search-index/query/index-status.ts";
import { isOneTimeSql } from "#lib/search-index/query/conditions.ts";
import { readPage } from "#lib/search-index/sync/full-sync.ts";
import { readRecordOrFailure } from "#lib/search-index/sync/refresh-queue.ts";
import {
  COMPARE_TIMEOUT_MS,
  MAX_COMPARED,
  SAMPLE_SIZE,
  type CountLine,
} from "./differences.ts";
import { settleEqualRecords } from "./read-records.ts";
import type { CompareContext, LeasedComparison, StepResult } from "./step.ts";

/**
 * Number of random pages after the first that a sample reads to find records missing in the index.
 */
const SAMPLED_PAGES = 2;

/**
 * Counts the records in the service and in the index, and compares the records of the pages it read
 * to count.
 */
export async function countRecords(
  context: CompareContext,
  comparison: LeasedComparison,
): Promise<StepResult> {
  const { db, owner, api } = context;
  const asked_at = await readClock(db);
  const whole = await api.listSubscriptions({
    status: null,
    page: 1,
    page_size: MAX_PAGE_SIZE,
  });
  const lists = await readLists(context);
  const one = { page: 1, page_size: 1 };
  const customers = (await api.listCustomers(one)).count;
  const products = (await api.listProducts(one)).count;
  const indexed = await inLongTransaction(db, COMPARE_TIMEOUT_MS, (client) =>
    countIndexed(client, owner),
  );
  const { total_subscriptions: total, count } = whole;
  const counters = { count, total, ...statusCounters(whole), customers, products };
  const counts: CountLine[] = [
    ...COUNTERS.map((key) => ({
      of: "counter" as const,
      key,
      service: counters[key] ?? null,
      index: indexed[key],
    })),
    ...lists.map(({ status, page }) => ({
      of: "list" as const,
      key: status,
      service: page?.count ?? null,
      index: indexed.statuses[status] ?? 0,
    })),
  ];
  const pages = [whole, ...lists.flatMap(({ page }) => (page ? [page] : []))];
  const compared = await settleEqualRecords(
    context,
    comparison,
    pages.flatMap(firstRows),
    asked_at,
  );
  const status = await readIndexStatus(db, owner);
  const records = count ?? indexed.count;
  const reach = records > MAX_COMPARED ? "sample" : "all";
  return {
    phase: "walking",
    reach,
    compared,
    place:
      reach === "all"
        ? { from_page: 1, expected: records }
        : { pages: sampledPages(records, whole.results.length), expected: null },
    report: {
      counts,
      one_time: indexed.count - indexed.total,
      as_of: status.state === "ready" ? status.as_of : null,
    },
  };
}

const COUNTERS = [
  "count",
  "total",
  "active",
  "due",
  "inactive",
  "customers",
  "products",
] as const;

const statusCounters = (page: SubscriptionPage) => ({
  active: page.active_subscriptions,
  due: page.due_subscriptions,
  inactive: page.inactive_subscriptions,
});

const firstRows = ({ results }: { results: Subscription[] }) => results;

/** Random pages after the first, spread over the list. */
function sampledPages(records: number, page_size: number): number[] {
  const last = page_size === 0 ? 1 : Math.ceil(records / page_size);
  const pages = Array.from({ length: Math.min(SAMPLED_PAGES, last - 1) }, (_, at) =>
    Math.min(last, 2 + Math.floor(((at + Math.random()) * (last - 1)) / SAMPLED_PAGES)),
  );
  return [...new Set(pages)];
}

async function readLists(context: CompareContext) {
  const lists = [];
  for (let from = 0; from < SUBSCRIPTION_STATUSES.length; from += context.calls) {
    const batch = SUBSCRIPTION_STATUSES.slice(from, from + context.calls);
    const read = batch.map(async (status) => ({
      status,
      page: await readList(context, status),
    }));
    lists.push(...(await Promise.all(read)));
  }
  return lists;
}

/** The first page of one status; null if the service cannot filter by it. */
async function readList({ api }: CompareContext, status: string) {
  const answer = await readRecordOrFailure(() =>
    api.listSubscriptions({ status, page: 1, page_size: MAX_PAGE_SIZE }),
  );
  if ("failure" in answer) return null;
  const isListedBy = answer.record.results.every((one) => one.status === status);
  return isListedBy ? answer.record : null;
}

interface IndexCounts extends Record<(typeof COUNTERS)[number], number> {
  statuses: Record<string, number>;
}

export async function countIndexed(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<IndexCounts> {
  const { rows } = await db.query<{ status: string; rows: number; one_time: number }>(
    `select s.status, count(*)::int as rows,
            count(*) filter (where ${isOneTimeSql("s", { seller_id: "$1", mode: "$2" })})::int
              as one_time
       from mirror_subscription s
      where s.seller_id = $1 and s.mode = $2 group by s.status`,
    [seller_id, mode],
  );
  const { rows: others } = await db.query<{ customers: number; products: number }>(
    `select (select count(*) from mirror_customer where seller_id = $1 and mode = $2)::int
              as customers,
            (select count(*) from mirror_product where seller_id = $1 and mode = $2)::int
              as products`,
    [seller_id, mode],
  );
  const statuses = Object.fromEntries(rows.map((row) => [row.status, row.rows]));
  const recurring = (status?: string) =>
    rows
      .filter((row) => status === undefined || row.status === status)
      .reduce((sum, row) => sum + row.rows - row.one_time, 0);
  return {
    count: rows.reduce((sum, row) => sum + row.rows, 0),
    total: recurring(),
    active: recurring("active"),
    due: recurring("due"),
    inactive: recurring("inactive"),
    customers: others[0]?.customers ?? 0,
    products: others[0]?.products ?? 0,
    statuses,
  };
}

/** Compares pages of the list; after the last one, chooses the records that are read one by one. */
export async function scanPages(
  context: CompareContext,
  comparison: LeasedComparison,
): Promise<StepResult> {
  const { db, api, calls } = context;
  const { pages = [], from_page } = comparison.place;
  const numbers =
    from_page === undefined
      ? pages.slice(0, calls)
      : Array.from({ length: calls }, (_, at) => from_page + at);
  const asked_at = await readClock(db);
  const read = await Promise.all(numbers.map((page) => readPage(api, "subscriptions", page)));
  const records = read.flatMap(({ rows }) => rows.map((row) => row.record as Subscription));
  const compared = await settleEqualRecords(context, comparison, records, asked_at);
  const isEnded =
    from_page === undefined
      ? pages.length <= calls
      : read.some(({ next, rows }) => next === null || rows.length === 0);
  const { pages: _pages, from_page: _from, ...rest } = comparison.place;
  if (!isEnded)
    return {
      phase: "walking",
      compared,
      place:
        from_page === undefined
          ? { ...rest, pages: pages.slice(calls) }
          : { ...rest, from_page: from_page + calls },
    };
  const unsettled = await inLongTransaction(db, COMPARE_TIMEOUT_MS, (client) =>
    chooseRecords(client, context.owner, comparison),
  );
  return { phase: "reading", compared: compared - unsettled, place: rest };
}

/**
 * Chooses the indexed records that no page showed, or a random sample.
 * @returns the number of them that a page had already shown to be equal
 */
async function chooseRecords(
  db: Database,
  owner: KeyOwner,
  comparison: LeasedComparison,
): Promise<number> {
  const unseen = `not exists (select 1 from reconciliation_record r
                               where r.check_id = $1 and r.id = s.id)`;
  const { rows } = await db.query<{ unsettled: number }>(
    `with chosen as (
       insert into reconciliation_record (check_id, seller_id, mode, id, state)
       select $1, seller_id, mode, id, 'waiting' from mirror_subscription s
        where seller_id = $2 and mode = $3
          and ${comparison.reach === "all" ? unseen : `true order by random() limit ${SAMPLE_SIZE}`}
       on conflict (check_id, id) do update set state = 'waiting'
         where reconciliation_record.state = 'equal'
       returning xmax = 0 as is_new
     ) select count(*) filter (where not is_new)::int as unsettled from chosen`,
    [comparison.id, owner.seller_id, owner.mode],
  );
  return singleRow(rows).unsettled;
}
