import "server-only";
import { MAX_PAGE_SIZE } from "#contract/pagination.ts";
import { SUBSCRIPTION_STATUSES } from "#contract/subscription-statuses.ts";
import type { Subscription, SubscriptionPage } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { inPatientTransaction, only, readClock, type Database } from "#lib/db/pool.ts";
import { readIndexStatus } from "#lib/search-index/query/index-status.ts";
import { tryRead } from "#lib/search-index/sync/refresh-queue.ts";
import { isOneTime } from "#lib/search-index/query/one-time.ts";
import { readPage } from "#lib/search-index/sync/full-sync.ts";
import { askFor, noteSeen } from "./read-records.ts";
import { differs, LONGEST_STATEMENT, SAMPLE, type CountLine } from "./differences.ts";
import type { Claimed, Desk, Progress } from "./step.ts";

/** A list longer than this is not read for naming what differs in its number. */
const MOST_NAMED = 500;
/** Pages beside the newest that a sample reads, for what the copy may lack. */
const SAMPLED_PAGES = 2;

/** What the service counts, and what the copy has: the numbers first, then where they differ. */
export async function countService(desk: Desk, check: Claimed): Promise<Progress> {
  const { db, owner, api, calls } = desk;
  const asked_at = await readClock(db);
  const whole = await api.listSubscriptions({
    status: null,
    page: 1,
    page_size: MAX_PAGE_SIZE,
  });
  const lists = await inTurns([...SUBSCRIPTION_STATUSES], calls, async (status) => ({
    status,
    page: await readList(desk, status),
  }));
  const one = { page: 1, page_size: 1 };
  const others = [() => api.listCustomers(one), () => api.listProducts(one)];
  const [customers, products] = await inTurns<() => Promise<Counted>, number | null>(
    others,
    calls,
    async (list) => (await list()).count,
  );
  const copied = await inPatientTransaction(db, LONGEST_STATEMENT, (client) =>
    countCopied(client, owner),
  );
  const { total_subscriptions: total, count } = whole;
  const counters = { count, total, ...statusCounters(whole), customers, products };
  const counts: CountLine[] = [
    ...COUNTERS.map((key) => ({
      of: "counter" as const,
      key,
      service: counters[key] ?? null,
      copy: copied[key],
    })),
    ...lists.map(({ status, page }) => ({
      of: "list" as const,
      key: status,
      service: page?.count ?? null,
      copy: copied.statuses[status] ?? 0,
    })),
  ];
  const pages = [whole, ...lists.flatMap(({ page }) => (page ? [page] : []))];
  const compared = await noteSeen(desk, check, pages.flatMap(firstRows), asked_at);
  await askForNamed(db, owner, check);
  const copy = await readIndexStatus(db, owner);
  const expected = count ?? copied.count;
  return {
    phase: "naming",
    compared,
    place: {
      statuses: counts.filter((line) => canBeNamed(line)).map(({ key }) => key),
      ...pagesToRead(check, count, pages[0]?.results.length ?? 0),
      expected: check.reach === "all" && !check.is_again ? expected : null,
    },
    report: {
      counts,
      one_time: copied.count - copied.total,
      as_of: copy.state === "ready" ? copy.as_of : null,
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

const canBeNamed = (line: CountLine) =>
  line.of === "list" && differs(line) && Math.max(line.service ?? 0, line.copy) <= MOST_NAMED;

/** A sample takes a few of the pages beyond the first; looking again takes none. */
function pagesToRead({ reach, is_again }: Claimed, count: number | null, page_size: number) {
  if (is_again) return { pages: [] };
  if (reach === "all") return { from_page: 1 };
  const last = count === null || page_size === 0 ? 1 : Math.ceil(count / page_size);
  const beyond = Array.from({ length: Math.min(SAMPLED_PAGES, last - 1) }, (_, at, of = last) =>
    // Spread over the list, another place each time.
    Math.min(last, 2 + Math.floor(((at + Math.random()) * (of - 1)) / SAMPLED_PAGES)),
  );
  return { pages: [...new Set(beyond)] };
}

/** A page of one status; null where the service cannot list by it. */
async function readList({ api }: Desk, status: string, page = 1) {
  const answer = await tryRead(() =>
    api.listSubscriptions({ status, page, page_size: MAX_PAGE_SIZE }),
  );
  if ("failure" in answer) return null;
  const isListedBy = answer.record.results.every((one) => one.status === status);
  return isListedBy ? answer.record : null;
}

async function inTurns<Item, Value>(
  items: Item[],
  calls: number,
  run: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = [];
  for (let from = 0; from < items.length; from += calls)
    values.push(...(await Promise.all(items.slice(from, from + calls).map(run))));
  return values;
}

interface Counted {
  count: number | null;
}

interface CopiedCounts extends Record<(typeof COUNTERS)[number], number> {
  statuses: Record<string, number>;
}

/**
 * CTEs: the periods that products list, and `counted`, every copied subscription with whether it is a
 * one-time purchase.
 */
export const COUNTED = `
  listed as (
    select p.id as product_id, period ->> 'pbp_id' as pbp_id, period ->> 'price' as price,
           period ->> 'currency' as currency
      from mirror_product p, jsonb_array_elements(p.record -> 'plan') as plan,
           jsonb_array_elements(plan -> 'billing_periods') as period
     where p.seller_id = $1 and p.mode = $2
  ), counted as (
    select s.id, s.status, s.product_id, s.product_name, s.plan_name, s.label, s.price, s.currency,
           s.pbp_id, ${isOneTime("s", { seller_id: "$1", mode: "$2" })} as is_one_time
      from mirror_subscription s
     where s.seller_id = $1 and s.mode = $2
  )`;

export async function countCopied(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<CopiedCounts> {
  const { rows } = await db.query<{ status: string; rows: number; one_time: number }>(
    `with ${COUNTED}
     select status, count(*)::int as rows, count(*) filter (where is_one_time)::int as one_time
       from counted group by status`,
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

/** Records that webhooks name and the copy does not have, or of which the newest says another status. */
async function askForNamed(db: Database, owner: KeyOwner, check: Claimed): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    `select e.subscription_id as id
       from (select distinct on (subscription_id) subscription_id, new_status from mirror_event
              where seller_id = $1 and mode = $2 order by subscription_id, id desc) as e
       left join mirror_subscription s
         on s.seller_id = $1 and s.mode = $2 and s.id = e.subscription_id
      where s.id is null or e.new_status <> s.status`,
    [owner.seller_id, owner.mode],
  );
  const ids = rows.map((row) => row.id);
  await askFor(db, owner, check, ids);
}

/** Finds the records behind one number that differs, by reading all rows of that status. */
export async function nameStatus(desk: Desk, check: Claimed): Promise<Progress> {
  const { db, owner } = desk;
  const [status, ...statuses] = check.place.statuses ?? [];
  if (status === undefined) return { phase: "walking" };
  const asked_at = await readClock(db);
  const listed: Subscription[] = [];
  for (let page = 1; page <= MOST_NAMED; page += 1) {
    const read = await readList(desk, status, page);
    listed.push(...(read?.results ?? []));
    if (!read || read.next === null || listed.length >= 2 * MOST_NAMED) break;
  }
  const compared = await noteSeen(desk, check, listed, asked_at);
  const { rows } = await db.query<{ id: string }>(
    `select id from mirror_subscription
      where seller_id = $1 and mode = $2 and status = $3 and id <> all($4)
      limit ${2 * MOST_NAMED}`,
    [owner.seller_id, owner.mode, status, listed.map((one) => one.subscription_id)],
  );
  const unlisted = rows.map((row) => row.id);
  await askFor(db, owner, check, unlisted);
  return { phase: "naming", compared, place: { ...check.place, statuses } };
}

/** Compares whole pages of the list; then the records are chosen that are read one by one. */
export async function walkPages(desk: Desk, check: Claimed): Promise<Progress> {
  const { db, api, calls } = desk;
  const { pages = [], from_page } = check.place;
  const numbers =
    from_page === undefined
      ? pages.slice(0, calls)
      : Array.from({ length: calls }, (_, at) => from_page + at);
  const asked_at = await readClock(db);
  const read = await Promise.all(numbers.map((page) => readPage(api, "subscriptions", page)));
  const records = read.flatMap(({ rows }) => rows.map((row) => row.record as Subscription));
  const compared = await noteSeen(desk, check, records, asked_at);
  const isEnded =
    from_page === undefined
      ? pages.length <= calls
      : read.some(({ next, rows }) => next === null || rows.length === 0);
  const { pages: _pages, from_page: _from, ...rest } = check.place;
  if (!isEnded)
    return {
      phase: "walking",
      compared,
      place:
        from_page === undefined
          ? { ...rest, pages: pages.slice(calls) }
          : { ...rest, from_page: from_page + calls },
    };
  const unsettled = check.is_again
    ? 0
    : await inPatientTransaction(db, LONGEST_STATEMENT, (client) =>
        choose(client, desk.owner, check),
      );
  return { phase: "reading", compared: compared - unsettled, place: rest };
}

/**
 * What no page showed when all were read; else as many as a sample has, wherever they stand.
 * @returns how many of them were settled by a page, and are now read by themselves
 */
async function choose(db: Database, owner: KeyOwner, check: Claimed): Promise<number> {
  const unseen = `not exists (select 1 from reconciliation_record r
                               where r.check_id = $1 and r.id = s.id)`;
  const { rows } = await db.query<{ unsettled: number }>(
    `with chosen as (
       insert into reconciliation_record (check_id, seller_id, mode, id, state)
       select $1, seller_id, mode, id, 'waiting' from mirror_subscription s
        where seller_id = $2 and mode = $3
          and ${check.reach === "all" ? unseen : `true order by random() limit ${SAMPLE}`}
       on conflict (check_id, id) do update set state = 'waiting'
         where reconciliation_record.state = 'equal'
       returning xmax = 0 as is_new
     ) select count(*) filter (where not is_new)::int as unsettled from chosen`,
    [check.id, owner.seller_id, owner.mode],
  );
  return only(rows).unsettled;
}
