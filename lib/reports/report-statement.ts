import "server-only";
import type { Product } from "#contract/products.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { addDays } from "#lib/format/calendar.ts";
import type { Database } from "#lib/db/pool.ts";
import { calendarDay, dayInZone } from "#lib/format/format.ts";
import { readIndexStatus, type IndexStatus } from "#lib/search-index/query/index-status.ts";
import {
  type Facet,
  facetConditionSql,
  isMarkedOneTimeSql,
  isOneTimeSql,
  localTimeSql,
  matchingFacets,
  oneTimePeriods,
  readFacets,
} from "#lib/search-index/query/conditions.ts";
import { zonedMoment } from "#lib/format/zoned-moment.ts";
import type { ReportHead, ListParameters } from "./queries.ts";
import { previousPeriod, periodOf } from "./rules.ts";
import type { ReportSearch } from "./search.ts";

type Ready = Extract<IndexStatus, { state: "ready" }>;

/** Parameters of a report; times are ISO texts. */
export interface ReportParameters {
  search: ReportSearch;
  time_zone: string;
  now: string;
  /** The API's current time if it is ahead of real time; decides which offers apply. */
  service_now?: string;
}

/** A time interval without its end, and whether the index knew all of it. */
export interface TimeInterval {
  start: string;
  end: string;
  isKnown: boolean;
}

/** The input that all statements of a report share. */
export interface ReportFrame extends ReportHead {
  owner: KeyOwner;
  now: string;
  today: string;
  /** Amounts to pay are checkout prices of this day. */
  asked_day: string;
  /** The first day of which the index knows any changes. */
  known_day: string;
  time_zone: string;
  within: TimeInterval;
  earlier: TimeInterval;
  /** The products to count; null for all. */
  facets: Facet[] | null;
  /** Billing interval of listed periods by pbp_id. */
  listed: Map<string, string>;
  /** The products and plans as parameters of the subscription list. */
  narrowed: ListParameters;
}

export async function readReportFrame(
  db: Database,
  owner: KeyOwner,
  { search, time_zone, now, service_now = now }: ReportParameters,
): Promise<{ copy: Ready; frame: ReportFrame } | Exclude<IndexStatus, Ready>> {
  const copy = await readIndexStatus(db, owner);
  if (copy.state !== "ready") return copy;
  const { product, plan } = search;
  const known_since = await readKnownSince(db, owner);
  const listed = await readListed(db, owner);
  const facets = product || plan ? await readFacets(db, owner) : null;
  const today = dayInZone(now, time_zone);
  const period = periodOf(search, today);
  const before = previousPeriod(period);
  const zoned = { time_zone, now };
  const toInterval = (from: string, to: string): TimeInterval => {
    const [start, end] = [startOfDay(zoned, from), startOfDay(zoned, addDays(to, 1))];
    return { start, end: end > now ? now : end, isKnown: start >= known_since };
  };
  const within = toInterval(period.from, period.to);
  const frame: ReportFrame = {
    owner,
    now,
    today,
    asked_day: calendarDay(service_now, time_zone) ?? today,
    known_day: calendarDay(known_since, time_zone) ?? today,
    time_zone,
    period,
    before,
    known_since,
    is_partial: !within.isKnown,
    within,
    earlier: toInterval(before.from, before.to),
    facets: facets && matchingFacets(facets, search),
    listed,
    narrowed: { ...(product && { product }), ...(plan && { plan }) },
  };
  return { copy, frame };
}

/**
 * ISO start of a day in the zone.
 * @param day YYYY-MM-DD
 */
export const startOfDay = (
  { time_zone, now }: Pick<ReportFrame, "time_zone" | "now">,
  day: string,
) => zonedMoment(day, time_zone) ?? now;

/** The time since which changes are known: when the index was first full. */
export async function readKnownSince(db: Database, owner: KeyOwner): Promise<string> {
  const { rows } = await db.query<{ since: Date }>(
    `select greatest(filled_at, history_from) as since from search_index
      where seller_id = $1 and mode = $2`,
    [owner.seller_id, owner.mode],
  );
  return rows[0]?.since.toISOString() ?? new Date().toISOString();
}

const TYPES = ["day", "week", "month", "year"];

async function readListed(db: Database, owner: KeyOwner): Promise<Map<string, string>> {
  const { rows } = await db.query<{ plan: Product["plan"] }>(
    "select record->'plan' as plan from indexed_product where seller_id = $1 and mode = $2",
    [owner.seller_id, owner.mode],
  );
  const periods = rows.flatMap(({ plan }) => plan.flatMap((one) => one.billing_periods));
  return new Map(
    periods
      .filter(
        ({ interval_type, interval_count }) =>
          interval_type === "one_time" ||
          (TYPES.includes(interval_type) && Number.isInteger(interval_count)),
      )
      .map((one) => [one.pbp_id, `${one.interval_type}:${Math.max(1, one.interval_count)}`]),
  );
}

const OWNER = { seller_id: "$1", mode: "$2" };

/** Binds the statement's values, after the seller and the mode. */
export class ReportStatement {
  readonly values: unknown[];
  private readonly frame: ReportFrame;

  constructor(frame: ReportFrame) {
    this.frame = frame;
    this.values = [frame.owner.seller_id, frame.owner.mode];
  }

  readonly bind = (value: unknown): string => `$${this.values.push(value)}`;

  /** SQL of a moment's day in the seller's time zone. */
  dayOf(moment: string): string {
    return `(${this.clockOf(moment)})::date`;
  }

  /** SQL of a moment's month in the seller's time zone, YYYY-MM. */
  monthOf(moment: string): string {
    return `to_char(${this.clockOf(moment)}, 'YYYY-MM')`;
  }

  private clock: ((moment: string) => string) | null = null;

  private clockOf(moment: string): string {
    const { today, time_zone } = this.frame;
    this.clock ??= localTimeSql(this.bind, time_zone, addDays(today, 400));
    return this.clock(moment);
  }

  /**
   * A CTE `counted` of the matching subscriptions.
   * @param table the search index itself has indexes, for statements that read few of its wide rows
   */
  counted(
    table: "counted_subscription" | "indexed_subscription" = "counted_subscription",
  ): string {
    const { listed, facets } = this.frame;
    const ids = this.bind([...listed.keys()]);
    const every = this.bind([...listed.values()]);
    return `listed as (
        select * from unnest(${ids}::text[], ${every}::text[]) as l(pbp_id, every)),
      counted as not materialized (
        select s.id, s.status, s.price, s.currency, s.product_id, s.product_name, s.plan_name,
               s.pbp_id, s.current_period_start as period_start, s.current_period_end as period_end,
               s.next_billing_cycle as next_billing, s.created_at,
               least(s.created_at, s.first_seen_at) as born_at,
               ${isOneTimeSql("s", OWNER)} as is_one_time
          from ${table} s left join listed l using (pbp_id)
         where s.seller_id = $1 and s.mode = $2 ${facets ? `and ${facetConditionSql(facets, this.bind)}` : ""})`;
  }

  /** SQL condition: the change belongs to a matching subscription; always true without a filter. */
  isAsked(id: string): string {
    return this.frame.facets ? `${id} in (select id from counted)` : "true";
  }

  /**
   * SQL condition: the change belongs to a matching subscription that is not a one-time purchase.
   */
  isCounted(id: string): string {
    return this.frame.facets
      ? `${id} in (select id from counted where not is_one_time)`
      : `${id} not in (${this.oneTimeIds()})`;
  }

  private oneTimeIds(): string {
    const ofTable = (table: string) =>
      `select id from ${table} where seller_id = $1 and mode = $2`;
    // This form of the condition uses a database index of the search index.
    const marked = `${ofTable("indexed_subscription")} and ${isMarkedOneTimeSql("indexed_subscription")}`;
    const isListed = [...this.frame.listed.values()].some((every) =>
      every.startsWith("one_time"),
    );
    // If products list one-time periods, every row is read.
    return isListed
      ? `${marked} union all ${ofTable("counted_subscription")} and pbp_id in (${oneTimePeriods(OWNER)})`
      : marked;
  }

  async ask<Row extends object>(db: Database, sql: string): Promise<Row[]> {
    const { rows } = await db.query<Row>(sql, this.values);
    return rows;
  }
}

/** A billing interval, and whether it is listed; null if unknown. */
export interface BillingInterval {
  every: string | null;
  is_listed: boolean;
}

/**
 * The interval of each period. For one no longer listed, that of most records: a single record may be
 * renewed early or moved by hand.
 */
export async function readPeriods(
  db: Database,
  frame: ReportFrame,
  pbp_ids: string[],
): Promise<(pbp_id: string) => BillingInterval> {
  const unlisted = [...new Set(pbp_ids)].filter((id) => !frame.listed.has(id));
  const said = unlisted.length > 0 ? await readUnlistedPeriods(db, frame, unlisted) : new Map();
  return (pbp_id) => {
    const listed = frame.listed.get(pbp_id);
    return { every: listed ?? said.get(pbp_id) ?? null, is_listed: listed !== undefined };
  };
}

export async function readUnlistedPeriods(
  db: Database,
  frame: ReportFrame,
  pbp_ids: string[],
): Promise<Map<string, string>> {
  const statement = new ReportStatement(frame);
  const start = statement.dayOf("period_start");
  // Ended subscriptions are not billed again, but their last period has the same length.
  const next = statement.dayOf("coalesce(next_billing, period_end)");
  const sql = `with ${statement.counted()},
    alike as materialized (
      select pbp_id, ${start} as start_day, ${next} as next_day, count(*) as rows
        from counted where pbp_id = any(${statement.bind(pbp_ids)}) and not is_one_time
       group by 1, 2, 3)
    select distinct on (pbp_id) pbp_id, every
      from (select pbp_id, interval_between(start_day, next_day) as every, sum(rows) as rows
              from alike group by 1, 2) as said
     where every is not null
     order by pbp_id, rows desc, every collate "C"`;
  const rows = await statement.ask<{ pbp_id: string; every: string }>(db, sql);
  return new Map(rows.map(({ pbp_id, every }) => [pbp_id, every]));
}
