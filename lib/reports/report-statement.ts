import "server-only";
import { queryRows } from "#contract/process/database.ts";
import type { Product } from "#contract/products.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { addDays } from "#lib/format/calendar.ts";
import type { Database } from "#lib/db/pool.ts";
import { calendarDay, dayInZone } from "#lib/format/format.ts";
import {
  hasDailySums,
  readIndexStatus,
  type IndexStatus,
} from "#lib/search-index/query/index-status.ts";
import {
  type Facet,
  facetConditionSql,
  matchingFacets,
  readFacets,
} from "#lib/search-index/query/conditions.ts";
import { zonedMoment } from "#lib/format/zoned-moment.ts";
import type { ReportHead, ListParameters } from "./queries.ts";
import { previousPeriod, periodOf, type Period } from "./rules.ts";
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

/** A time interval that excludes its end, and whether the index knew all of it. */
interface TimeInterval {
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
  /** Whether the service reported all payments from the beginning. */
  hasAllPayments: boolean;
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
  // The daily sums are made after the index was filled, and again if the seller's time zone
  // changes.
  if (!(await hasDailySums(db, owner, time_zone)))
    return { state: "filling", read: 0, total: null };
  const { product, plan } = search;
  const { known_since, hasAllPayments } = await readKnown(db, owner);
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
    hasAllPayments,
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

interface KnownHistory {
  /** The time since which changes are known: by the full index, or by the service's history. */
  known_since: string;
  hasAllPayments: boolean;
}

export async function readKnown(db: Database, owner: KeyOwner): Promise<KnownHistory> {
  const { rows } = await db.query<{ since: Date; has_all_payments: boolean }>(
    `select known_since as since, has_all_payments from search_index
      where seller_id = $1 and mode = $2`,
    [owner.seller_id, owner.mode],
  );
  const [row] = rows;
  return {
    known_since: row?.since.toISOString() ?? new Date().toISOString(),
    hasAllPayments: row?.has_all_payments ?? false,
  };
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

/** The kinds of daily sums; migration 0101 says what each counts. */
type SumKind =
  | "level"
  | "current"
  | "span"
  | "created"
  | MovementKind
  | "moved"
  | "in_time"
  | "late"
  | "unpaid"
  | "cohort"
  | "left"
  | "step"
  | "paid";

/** The kinds of events that happen to a subscription. */
export const MOVEMENT_KINDS = [
  "begun",
  "cancelled",
  "inactive",
  "lost",
  "resumed",
  "paid_when_due",
  "saved",
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** List parameters that leave out what recurringSumsOf leaves out. */
export const RECURRING: ListParameters = { kind: "recurring" };

/** Binds the statement's values, after the seller and the mode. */
export class ReportStatement {
  readonly values: unknown[];
  private readonly frame: ReportFrame;

  constructor(frame: ReportFrame) {
    this.frame = frame;
    this.values = [frame.owner.seller_id, frame.owner.mode];
  }

  readonly bind = (value: unknown): string => `$${this.values.push(value)}`;

  /** SQL condition: the row matches the requested product and plan. */
  isAsked(): string {
    const { facets } = this.frame;
    return facets ? facetConditionSql(facets, this.bind) : "true";
  }

  /** SQL: the table of daily sums, with the condition for these kinds and the requested products. */
  sumsOf(...kinds: readonly SumKind[]): string {
    return `daily_sum where seller_id = $1 and mode = $2
      and kind = any(${this.bind(kinds)}) and ${this.isAsked()}`;
  }

  /** As sumsOf, without one-time purchases. */
  recurringSumsOf(...kinds: readonly SumKind[]): string {
    const once = [...this.frame.listed]
      .filter(([, every]) => every.startsWith("one_time"))
      .map(([pbp_id]) => pbp_id);
    return `${this.sumsOf(...kinds)} and not is_marked
      and last_pbp_id <> all(${this.bind(once)}::text[])`;
  }

  /** SQL condition: the sum's day is in the period. */
  dayIn = ({ from, to }: Period): string =>
    `day between ${this.bind(from)}::date and ${this.bind(to)}::date`;

  async ask<Row extends object>(db: Database, sql: string): Promise<Row[]> {
    return queryRows<Row>(db, sql, this.values);
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
  const sums = statement.recurringSumsOf("span");
  const sql = `
    select distinct on (pbp_id) pbp_id, every
      from (select last_pbp_id as pbp_id, sum(n) as rows,
                   case when isfinite(day) and isfinite(until) then interval_between(until, day) end as every
              from ${sums} and last_pbp_id = any(${statement.bind(pbp_ids)})
             group by last_pbp_id, every) as said
     where every is not null and rows > 0
     order by pbp_id, rows desc, every collate "C"`;
  const rows = await statement.ask<{ pbp_id: string; every: string }>(db, sql);
  return new Map(rows.map(({ pbp_id, every }) => [pbp_id, every]));
}
