import "server-only";
import { queryRow } from "#contract/process/database.ts";
import type pg from "pg";
import type { PhoneHome } from "#contract/phone-number.ts";
import { phoneSpellings } from "#contract/process/phone-number.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { addDays } from "#lib/format/calendar.ts";
import { type Database, isStorableText } from "#lib/db/pool.ts";
import type { Paging } from "#lib/list-answer.ts";
import { zonedMoment } from "#lib/format/zoned-moment.ts";
import { failureOf } from "#lib/failure.ts";
import { runInCountQueue } from "#lib/fair-queue.ts";
import {
  CHANGE_KINDS,
  type Facet,
  facetConditionSql,
  isOneTimeSql,
  isPaidOneTimeSql,
  matchingFacets,
  readFacets,
  tagConditions,
} from "./conditions.ts";
import type { RowOrder, RowQuery } from "./find-rows.ts";
import { readIndexStatus } from "./index-status.ts";
import { searchTerms } from "./search-terms.ts";
import { type IndexAnswer, searchIndex } from "./search-records.ts";
import type { Filters, Sort, SortColumn } from "./subscription-filters.ts";

type Pool = Pick<pg.Pool, "query" | "connect">;
type Conditions = NonNullable<RowQuery["conditions"]>;

export interface SubscriptionListParameters {
  search: Filters & Paging & { sort: Sort | null };
  words: string;
  /** The time zone of the filters' days. */
  time_zone: string;
}

export async function searchSubscriptions(
  pool: Pool,
  owner: KeyOwner,
  question: SubscriptionListParameters,
): Promise<IndexAnswer<Subscription>> {
  return searchIndex(pool, owner, await indexedSubscriptionQuery(pool, owner, question));
}

export async function indexedSubscriptionQuery(
  db: Database,
  owner: KeyOwner,
  { search, words, time_zone }: SubscriptionListParameters,
): Promise<RowQuery> {
  const { product, plan } = search;
  const facets = product || plan ? await readFacets(db, owner) : [];
  return {
    list: "subscriptions",
    conditions: [
      ...valueConditions(search, time_zone),
      ...kindCondition(search, owner),
      ...happeningConditions(search, owner, time_zone),
      ...(product || plan ? [ofPlans(matchingFacets(facets, { product, plan }))] : []),
      ...(await tagConditions(db, owner, search.tag)),
    ],
    terms: searchTerms(words),
    order: orderOf(search),
    paging: search,
  };
}

/** A customer's name, and the key that finds their subscriptions; null if the index lacks them. */
export async function findPhoneOfCustomer(
  pool: Pick<Pool, "query">,
  owner: KeyOwner,
  customer_id: string,
): Promise<{ full_name: string; phone_key: string } | null> {
  return queryRow<{ full_name: string; phone_key: string }>(
    pool,
    `select record->>'full_name' as full_name, phone_key from mirror_customer
      where seller_id = $1 and mode = $2 and id = $3`,
    [owner.seller_id, owner.mode, customer_id],
  );
}

/**
 * The subscriptions with a customer's phone, in any spelling; null if the index does not have the
 * customer.
 * @param home the seller's country, to which numbers without a calling code belong
 */
export async function searchSubscriptionsOf(
  pool: Pool,
  owner: KeyOwner,
  customer_id: string,
  paging: Paging,
  home: PhoneHome,
): Promise<IndexAnswer<Subscription> | null> {
  if (!isStorableText(customer_id)) return null;
  const customer = await findPhoneOfCustomer(pool, owner, customer_id);
  if (!customer) {
    const status = await readIndexStatus(pool, owner);
    return status.state === "ready" ? null : status;
  }
  const keys = phoneSpellings(customer.phone_key, home);
  return searchIndex<Subscription>(pool, owner, {
    list: "subscriptions",
    conditions: [(bind) => `phone_key = any(${bind(keys)}) and phone_key <> ''`],
    terms: [],
    order: null,
    paging,
  });
}

const ORDERS: Record<SortColumn, Omit<RowOrder, "isDescending">> = {
  created: { columns: ["created_at"], isNullable: true },
  next_billing: { columns: ["next_billing_cycle"], isNullable: true },
  buyer: { columns: ["name_key"], isNullable: false },
  phone: { columns: ["phone_key"], isNullable: false },
  product: { columns: ["product_name", "plan_name", "product_id"], isNullable: false },
  price: { columns: ["price"], isNullable: true },
  status: { columns: ["status", "next_billing_cycle"], isNullable: false },
};

function orderOf({
  sort,
}: Pick<SubscriptionListParameters["search"], "sort">): RowOrder | null {
  if (sort === null) return null;
  const column = sort.replace(/^-/, "") as SortColumn;
  return { ...ORDERS[column], isDescending: sort.startsWith("-") };
}

function valueConditions(search: Filters, time_zone: string): Conditions {
  const compare = (sql: string, value: string | null): Conditions =>
    value === null ? [] : [(bind) => `${sql} ${bind(value)}`];
  const start = (day: string | null) => day && zonedMoment(day, time_zone);
  const end = (day: string | null) => day && zonedMoment(addDays(day, 1), time_zone);
  return [
    ...compare("status =", search.status),
    ...compare("next_billing_cycle >=", start(search.next_from)),
    ...compare("next_billing_cycle <", end(search.next_to)),
    ...compare("created_at >=", start(search.created_from)),
    ...compare("created_at <", end(search.created_to)),
    ...compare("price >=", search.price_from),
    ...compare("price <=", search.price_to),
    ...compare("price >", search.price_over),
    ...compare("price <", search.price_under),
  ];
}

function kindCondition({ kind }: Filters, { seller_id, mode }: KeyOwner): Conditions {
  if (kind === null) return [];
  return [
    (bind) => {
      const whose = { seller_id: bind(seller_id), mode: bind(mode) };
      return kind === "one_time"
        ? isPaidOneTimeSql("mirror_subscription", whose)
        : `not ${isOneTimeSql("mirror_subscription", whose)}`;
    },
  ];
}

/** SQL conditions for changes on the requested days, as far as the index has seen them. */
function happeningConditions(
  search: Filters,
  { seller_id, mode }: KeyOwner,
  time_zone: string,
): Conditions {
  return (Object.keys(CHANGE_KINDS) as (keyof typeof CHANGE_KINDS)[]).flatMap((field) => {
    const [from, to] = [search[`${field}_from`], search[`${field}_to`]];
    if (from === null && to === null) return [];
    // The payments table also has payments that no record of the API showed.
    const [table, at, happened] =
      field === "paid"
        ? ["proof", "paid_at", "true"]
        : ["mirror_change", "seen_at", CHANGE_KINDS[field]];
    return [
      (bind) => `id in (select c.subscription_id from ${table} c
        where c.seller_id = ${bind(seller_id)} and c.mode = ${bind(mode)} and ${happened}
          and c.${at} >= ${bind(from ? zonedMoment(from, time_zone) : "-infinity")}
          and c.${at} < ${bind(to ? zonedMoment(addDays(to, 1), time_zone) : "infinity")})`,
    ];
  });
}

/** The most plans that are bound one by one; for a longer list PostgreSQL cannot estimate rows. */
const MOST_SPELLED_OUT = 10;

function ofPlans(facets: Facet[]): Conditions[number] {
  if (facets.length > 0 && facets.length <= MOST_SPELLED_OUT)
    return (bind) =>
      `(${facets
        .map(
          ({ product_name, plan_name, product_id }) =>
            `(product_name = ${bind(product_name)} and plan_name = ${bind(plan_name)}
              and product_id = ${bind(product_id)})`,
        )
        .join(" or ")})`;
  return (bind) => facetConditionSql(facets, bind);
}

/** How many subscriptions there are; the parts add up to `all`. */
export interface SubscriptionCounts {
  all: number;
  /** Paid one-time purchases; they are in no status. */
  one_time: number;
  /** Counts by the API's name of the status. */
  statuses: Record<string, number>;
}

/** The highest count: counting more is too slow for every opened list. */
const MOST_COUNTED = 200_000;

/**
 * Counts the subscriptions; null while the index fills, if there are none or too many, or if too many
 * counts run.
 */
export const readCounts = (db: Database, owner: KeyOwner): Promise<SubscriptionCounts | null> =>
  runInCountQueue(owner.seller_id, () => countEvery(db, owner)).catch((error: unknown) => {
    if (failureOf(error).kind === "rate_limited") return null;
    throw error;
  });

async function countEvery(db: Database, owner: KeyOwner): Promise<SubscriptionCounts | null> {
  const copy = await readIndexStatus(db, owner);
  if (copy.state !== "ready") return null;
  const whose = { seller_id: "$1", mode: "$2" };
  const { rows } = await db.query<{ status: string; count: number; once: number }>(
    `with few as (select from mirror_counted where seller_id = $1 and mode = $2
                   limit 1 offset ${MOST_COUNTED})
     select s.status, count(*)::integer as count,
            count(*) filter (where ${isPaidOneTimeSql("s", whose)})::integer as once
       from mirror_counted s
      where s.seller_id = $1 and s.mode = $2 and not exists (select from few)
      group by s.status`,
    [owner.seller_id, owner.mode],
  );
  if (rows.length === 0) return null;
  const once = rows.reduce((sum, row) => sum + row.once, 0);
  return {
    all: rows.reduce((sum, { count }) => sum + count, 0),
    one_time: once,
    statuses: Object.fromEntries(rows.map((row) => [row.status, row.count - row.once])),
  };
}
