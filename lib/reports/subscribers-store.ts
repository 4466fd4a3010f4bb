import "server-only";
import { addDays, daysBetween } from "#lib/format/calendar.ts";
import type { Database } from "#lib/db/pool.ts";
import { zonedMoment } from "#lib/format/zoned-moment.ts";
import {
  readPeriods,
  RECURRING,
  ReportStatement,
  type BillingInterval,
  type ReportFrame,
} from "./report-statement.ts";
import type { ComparedCount, Revenue, Subscribers, DailySubscribers } from "./queries.ts";
import {
  SUBSCRIBER_STATUSES,
  sumMonthly,
  type PricedSum,
  type SubscriberStatus,
} from "./rules.ts";

/** A sum of prices by product and plan. */
interface PlanSum extends PricedSum {
  product_id: string;
  product_name: string;
  plan_name: string;
}

type Sum = Omit<PricedSum, keyof BillingInterval> & { pbp_id: string };

/**
 * Sums of prices at the start and the end of the period, by status, currency and billing period; not
 * converted to months yet, so that rounding happens once.
 */
async function readStatusCounts(db: Database, frame: ReportFrame): Promise<PricedSum[]> {
  return withPeriods(db, frame, await readSums<Sum>(db, frame, []));
}

export async function readPlans(db: Database, frame: ReportFrame): Promise<PlanSum[]> {
  const lasting = ["product_id", "product_name", "plan_name"];
  const sums = await readSums<Sum & Omit<PlanSum, keyof PricedSum>>(db, frame, lasting);
  return withPeriods(db, frame, sums);
}

async function withPeriods<Given extends { pbp_id: string }>(
  db: Database,
  frame: ReportFrame,
  sums: Given[],
): Promise<(Given & BillingInterval)[]> {
  const ids = sums.map(({ pbp_id }) => pbp_id);
  const periodOf = await readPeriods(db, frame, ids);
  return sums.map((sum) => ({ ...sum, ...periodOf(sum.pbp_id) }));
}

export async function readSums<Row extends Sum = Sum>(
  db: Database,
  frame: ReportFrame,
  lasting: readonly string[],
): Promise<Row[]> {
  const statement = new ReportStatement(frame);
  const keys = ["status", "currency", "pbp_id", ...lasting].join(", ");
  const atEnd = `filter (where day <= ${statement.bind(frame.period.to)}::date)`;
  const atStart = `filter (where day < ${statement.bind(frame.period.from)}::date)`;
  const sql = `
    select ${keys}, price is null as is_unpriced,
           coalesce(sum(n) ${atEnd}, 0)::integer as count,
           coalesce(sum(n * price) ${atEnd}, 0)::text as amount,
           coalesce(sum(n * price) ${atStart}, 0)::text as start
      from ${statement.recurringSumsOf("level")}
     group by ${keys}, price is null
    having coalesce(sum(n) ${atEnd}, 0) <> 0 or coalesce(sum(n) ${atStart}, 0) <> 0`;
  return statement.ask<Row>(db, sql);
}

/** List parameters of the current rows; null if the period ended before today. */
function listed(frame: ReportFrame, status: SubscriberStatus): Record<string, string> | null {
  return frame.period.to === frame.today ? { status, ...RECURRING, ...frame.narrowed } : null;
}

export async function readRevenue(db: Database, frame: ReportFrame): Promise<Revenue> {
  const sums = await readStatusCounts(db, frame);
  const counted = (status: SubscriberStatus) => {
    const own = sums.filter((sum) => sum.status === status);
    const count = totalCount(own.filter(isPriced));
    return { count, rows: count === totalCount(own) ? listed(frame, status) : null };
  };
  return {
    currencies: currenciesOf(sums).map((currency) => {
      const own = sums.filter((sum) => sum.currency === currency && isPriced(sum));
      const of = (status: SubscriberStatus) =>
        sumMonthly(own.filter((sum) => sum.status === status));
      return {
        currency,
        amount: sumMonthly(own).amount,
        start: frame.within.isKnown ? sumMonthly(own).start : null,
        active: of("active").amount,
        due: of("due").amount,
        ending: of("pending_cancellation").amount,
      };
    }),
    active: counted("active"),
    due: counted("due"),
    ending: counted("pending_cancellation"),
    ...countUnpriced(sums),
  };
}

export const isPriced = (sum: PricedSum) => sum.every !== null && !sum.is_unpriced;
export const totalCount = (sums: { count: number }[]) =>
  sums.reduce((whole, { count }) => whole + count, 0);
export const currenciesOf = (sums: { currency: string }[]) =>
  [...new Set(sums.map(({ currency }) => currency))].toSorted();

export const countUnpriced = (sums: PricedSum[]) => ({
  estimated: totalCount(sums.filter((sum) => isPriced(sum) && !sum.is_listed)),
  unknown: totalCount(sums.filter((sum) => !isPriced(sum))),
});

/** Counts at the end of each day, or now for today. */
export async function readSubscribers(db: Database, frame: ReportFrame): Promise<Subscribers> {
  const { period, now, known_since, time_zone, within } = frame;
  const days = Array.from({ length: daysBetween(period.from, period.to) + 1 }, (_, at) =>
    addDays(period.from, at),
  );
  const endOf = (day: string) => {
    const end = zonedMoment(addDays(day, 1), time_zone) ?? now;
    return end < now ? end : now;
  };
  const counts = await countByDay(db, frame, days);
  // The first moment is the period's start, for the comparison.
  const isKnown = [within.start, ...days.map(endOf)].map((moment) => moment >= known_since);
  const at = (status: SubscriberStatus, index: number) =>
    isKnown[index] ? (counts[status][index] ?? 0) : null;
  const compared = (status: SubscriberStatus): ComparedCount => ({
    count: counts[status].at(-1) ?? 0,
    before: at(status, 0),
    rows: listed(frame, status),
  });
  return {
    active: compared("active"),
    due: compared("due"),
    ending: compared("pending_cancellation"),
    days: days.map((day, index): DailySubscribers => ({
      day,
      active: at("active", index + 1),
      due: at("due", index + 1),
      ending: at("pending_cancellation", index + 1),
    })),
  };
}

/** Counts before the first day and at the end of each day, by status. */
async function countByDay(
  db: Database,
  frame: ReportFrame,
  days: string[],
): Promise<Record<SubscriberStatus, number[]>> {
  const statement = new ReportStatement(frame);
  const { from, to } = frame.period;
  const sql = `
    select status, case when day >= ${statement.bind(from)}::date then day::text end as day,
           sum(n)::integer as more
      from ${statement.recurringSumsOf("level")} and day <= ${statement.bind(to)}::date
     group by 1, 2`;
  const steps = await statement.ask<{
    status: SubscriberStatus;
    day: string | null;
    more: number;
  }>(db, sql);
  const counts = {} as Record<SubscriberStatus, number[]>;
  for (const status of SUBSCRIBER_STATUSES) {
    const own = new Map(
      steps.filter((step) => step.status === status).map(({ day, more }) => [day, more]),
    );
    let count = 0;
    counts[status] = [null, ...days].map((day) => (count += own.get(day) ?? 0));
  }
  return counts;
}
