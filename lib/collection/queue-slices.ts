import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { addDays } from "#lib/format/calendar.ts";
import { dayInZone } from "#lib/format/format.ts";
import type { Database } from "#lib/db/pool.ts";
import {
  facetConditionSql,
  localTimeSql,
  matchingFacets,
  readFacets,
} from "#lib/search-index/query/conditions.ts";
import type { Bind } from "#lib/search-index/query/find-rows.ts";
import {
  checkoutAmountsCte,
  dueAmountSql,
  isListPriceSql,
  joinCheckoutAmounts,
} from "#lib/search-index/query/owed.ts";
import { daysSql, rankedCtes } from "./queue-rank.ts";
import { STALE_CHECKOUT_DAYS } from "./rules.ts";
import type { QueueParameters } from "./queue-store.ts";
import type { Cursor, QueueSearch } from "./search.ts";

/** Subscriptions with one status, price and day of billing or, for open checkouts, of creation. */
interface Slice {
  status: string;
  pbp_id: string;
  price: string | null;
  currency: string;
  /** YYYY-MM-DD; null if there is none. */
  day: string | null;
}

/** Slices whose subscriptions differ in their place in the queue only by their ids. */
export interface Unit {
  place: Omit<Cursor, "id">;
  slices: Slice[];
  /** The number of subscriptions. */
  n: number;
}

/** Consecutive parts of the queue. A page needs few of them; the others are not read. */
const STAGES: Stage[] = [
  { status: "due", bands: [0, 3] },
  { status: "pending_checkout", bands: [4], waited: [0, STALE_CHECKOUT_DAYS] },
  { status: "active", bands: [5] },
  { status: "pending_checkout", bands: [6], waited: [STALE_CHECKOUT_DAYS + 1, 60] },
  { status: "pending_checkout", bands: [6], waited: [61, 180] },
  { status: "pending_checkout", bands: [6], waited: [181, null] },
];
interface Stage {
  status: (typeof EVERY_STATUS)[number];
  bands: number[];
  /** The fewest and the most days since the creation; null without a limit. */
  waited?: [number, number | null];
}
export const EVERY_STATUS = ["due", "pending_checkout", "active"] as const;

/**
 * CTEs up to `placed`: the slices of the queue with their rank, as if nobody was contacted.
 * `without` are ids of subscriptions that are not counted in `n`.
 */
export async function slicesSql(
  db: Database,
  owner: KeyOwner,
  { search, time_zone, now, grace }: QueueParameters,
  {
    bind,
    statuses,
    waited,
    without = [],
  }: {
    bind: Bind;
    statuses: readonly Stage["status"][];
    waited?: Stage["waited"] | undefined;
    without?: readonly string[];
  },
): Promise<string> {
  const today = dayInZone(now, time_zone);
  const day = `${bind(today)}::date`;
  const product = await productCondition(db, owner, search, bind);
  const local = localTimeSql(bind, time_zone, addDays(today, 400));
  const dayOf = (moment: string) => `(${local(moment)})::date`;
  const slice = (status: string, kind: string, moment: string, dated: string) => `
    select status, pbp_id, price, currency, ${dated}, day, sum(n) as n
      from (select status, last_pbp_id as pbp_id, price, currency, n,
                   case when isfinite(day) then day end as day
              from daily_sum
             where seller_id = $1 and mode = $2 and kind = '${kind}' and status = '${status}' and ${product}
                   ${waited ? `and ${waitedSql(today, waited, bind)}` : ""}
            union all
            select status, pbp_id, price, currency, -1, ${dayOf(moment)}
              from apart where status = '${status}' and ${product}
           ) as one ${status === "active" ? `where day <= ${bind(addDays(today, search.ahead))}::date` : ""}
     group by status, pbp_id, price, currency, day having sum(n) > 0`;
  const slices = {
    due: () =>
      slice(
        "due",
        "current",
        "next_billing_cycle",
        "day as next_day, null::date as created_day",
      ),
    active: () =>
      slice(
        "active",
        "current",
        "next_billing_cycle",
        "day as next_day, null::date as created_day",
      ),
    pending_checkout: () =>
      slice(
        "pending_checkout",
        "created",
        "created_at",
        "null::date as next_day, day as created_day",
      ),
  };
  return `with ${checkoutAmountsCte(day)},
     apart as materialized (
       select status, pbp_id, price, currency, product_id, product_name, plan_name,
              next_billing_cycle, created_at
         from counted_subscription
        where seller_id = $1 and mode = $2 and id = any(${bind(without)})
     ), slice as (
       ${statuses.map((status) => slices[status]()).join(" union all ")}
     ), stood as materialized (
       select slice.*, coalesce(${dueAmountSql("slice")}, 0) as amount,
              ${isListPriceSql("slice")} as is_list_price, false as is_failed,
              false as is_about, null::date as promised_for, null::date as snoozed_until,
              null::timestamptz as last_contact_at,
              ${daysSql({
                day,
                grace: `${bind(grace)}::int`,
                status: "slice.status",
                since: "null::date",
                next: "slice.next_day",
                created: "slice.created_day",
              })}
         from slice ${joinCheckoutAmounts("slice")}
     ), ${rankedCtes({ day, todayStart: "null::timestamptz" })}`;
}

/** SQL condition on the day of a sum; a sum without a day counts as no days waited. */
function waitedSql(today: string, [least, most]: [number, number | null], bind: Bind): string {
  const before = (days: number) => `${bind(addDays(today, -days))}::date`;
  const since = most === null ? "day > '-infinity'" : `day >= ${before(most)}`;
  return least === 0
    ? `(${since} or day = '-infinity')`
    : `${since} and day <= ${before(least)}`;
}

/**
 * Units after a cursor that together hold at least `most` subscriptions, and whether they are the
 * last ones.
 */
export async function readUnits(
  db: Database,
  owner: KeyOwner,
  question: QueueParameters,
  { after, most }: { after: Cursor | null; most: number },
): Promise<{ units: Unit[]; isAll: boolean }> {
  const units: Unit[] = [];
  let wanted = most;
  for (const stage of STAGES) {
    if (after && isBefore(stage, after)) continue;
    if (wanted <= 0) return { units, isAll: false };
    const found = await readStage(db, owner, question, { stage, after, most: wanted });
    units.push(...found.units);
    if (!found.isAll) return { units, isAll: false };
    wanted -= found.units.reduce((sum, { n }) => sum + n, 0);
  }
  return { units, isAll: true };
}

const isBefore = ({ bands, waited }: Stage, { band, days }: Cursor) =>
  Math.max(...bands) < band ||
  (bands.includes(band) && waited !== undefined && waited[1] !== null && waited[1] < days);

async function readStage(
  db: Database,
  owner: KeyOwner,
  question: QueueParameters,
  { stage, after, most }: { stage: Stage; after: Cursor | null; most: number },
): Promise<{ units: Unit[]; isAll: boolean }> {
  const values: unknown[] = [owner.seller_id, owner.mode];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const ctes = await slicesSql(db, owner, question, {
    bind,
    statuses: [stage.status],
    waited: stage.waited,
  });
  const { group } = question.search;
  const behind = after
    ? `and (band, days, -amount) >= (${bind(after.band)}::int, ${bind(after.days)}::int,
                                     -${bind(after.amount)}::numeric)`
    : "";
  const { rows } = await db.query<
    Slice & Unit["place"] & { unit: number; is_last: boolean; n: number }
  >(
    `${ctes},
     meant as materialized (
       select *, dense_rank() over (order by band, days, amount desc)::integer as unit from placed
        where band = any(${bind(stage.bands)}) and ${group ? `grp = ${bind(group)}` : "true"} ${behind}
     ), reached as (
       select unit, sum(n) as n, sum(sum(n)) over (order by unit) - sum(n) as before from meant group by unit
     ), last as materialized (
       select max(unit) filter (where before < ${bind(most)}) as unit, max(unit) as highest from reached
     )
     select m.unit, m.unit = last.highest as is_last, m.band, m.days, m.amount::text, m.n::integer,
            m.status, m.pbp_id, m.price::text, m.currency, m.day::text
       from meant m, last where m.unit <= last.unit order by m.unit`,
    values,
  );
  const units = [...Map.groupBy(rows, ({ unit }) => unit).values()].flatMap(
    (slices): Unit[] => {
      const [first] = slices;
      if (!first) return [];
      const { band, days, amount } = first;
      const n = slices.reduce((sum, slice) => sum + slice.n, 0);
      return [{ place: { band, days, amount }, slices, n }];
    },
  );
  return { units, isAll: rows.at(-1)?.is_last ?? true };
}

export async function productCondition(
  db: Database,
  owner: KeyOwner,
  { product }: Pick<QueueSearch, "product">,
  bind: Bind,
): Promise<string> {
  if (!product) return "true";
  return facetConditionSql(
    matchingFacets(await readFacets(db, owner), { product, plan: null }),
    bind,
  );
}
