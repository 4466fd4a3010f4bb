import "server-only";
import { addDays, daysBetween } from "#lib/format/calendar.ts";
import type { Database } from "#lib/db/pool.ts";
import { zonedMoment } from "#lib/format/zoned-moment.ts";
import {
  readPeriods,
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

/** Columns whose old and new value a change stores. */
type Changing = "status" | "price" | "currency" | "pbp_id";

/**
 * The count at a moment is the sum of `sign` over the entries born by then that end later: current
 * rows count once, and each later change subtracts its new state and adds its old one, unless both
 * are equal. Two statements over `counted`.
 * @param lasting columns of the row, joined to the changes
 */
export function subscriberEntriesSql(
  statement: ReportStatement,
  since: string,
  { changing, lasting = [] }: { changing: readonly Changing[]; lasting?: readonly string[] },
): { now: string; before: string } {
  const of = (side: string, names: readonly string[]) =>
    names.map((name) => `${side}${name}`).join(", ");
  const more = lasting.map((name) => `, r.${name}`).join("");
  const joined = lasting.length > 0 ? "join counted r on r.id = c.subscription_id" : "";
  return {
    now: `select ${of("r.", changing)}, 1 as sign, 'infinity'::timestamptz as until, r.born_at ${more}
            from counted r where not r.is_one_time and is_subscribed(r.status)`,
    before: `
      select ${of("side.", changing)}, side.sign, c.seen_at as until, c.born_at ${more}
        from subscription_change c ${joined}
       cross join lateral (values (${of("c.old_", changing)}, 1), (${of("c.new_", changing)}, -1))
          as side(${changing.join(", ")}, sign)
       where c.seller_id = $1 and c.mode = $2 and c.seen_at > ${statement.bind(since)}
         and ${joined ? "not r.is_one_time" : statement.isCounted("c.subscription_id")}
         and is_subscribed(side.status)
         and (${of("c.old_", changing)}, 0) is distinct from (${of("c.new_", changing)}, 0)`,
  };
}

/** A sum of prices by product and plan. */
interface PlanSum extends PricedSum {
  product_id: string;
  product_name: string;
  plan_name: string;
}

type Sum = Omit<PricedSum, keyof BillingInterval> & { pbp_id: string };

/**
 * Sums of prices at the start and the end of the period. Equal intervals are summed before conversion
 * to months, so that rounding happens once.
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
  const { start, end } = frame.within;
  const from = statement.bind(start);
  const to = statement.bind(end);
  const { now, before } = subscriberEntriesSql(statement, start, {
    changing: ["status", "price", "currency", "pbp_id"],
    lasting,
  });
  const keys = ["status", "currency", "pbp_id", ...lasting].join(", ");
  const at = (moment: string) => `filter (where born_at <= ${moment} and until > ${moment})`;
  const summed = (entry: string) => `
    select ${keys}, price is null as is_unpriced,
           coalesce(sum(sign) ${at(to)}, 0)::integer as count,
           coalesce(sum(sign * price) ${at(to)}, 0)::text as amount,
           coalesce(sum(sign * price) ${at(from)}, 0)::text as start
      from (${entry}) as entry
     where born_at <= ${from} or until > ${to}
     group by ${keys}, price is null`;
  const sql = `with ${statement.counted()} ${summed(now)} union all ${summed(before)}`;
  return statement.ask<Row>(db, sql);
}

/** List parameters of the current rows; null if the period ended before today. */
function listed(frame: ReportFrame, status: SubscriberStatus): Record<string, string> | null {
  return frame.period.to === frame.today ? { status, ...frame.narrowed } : null;
}

export async function readRevenue(db: Database, frame: ReportFrame): Promise<Revenue> {
  const sums = await readStatusCounts(db, frame);
  const counted = (status: SubscriberStatus) => ({
    count: totalCount(sums.filter((sum) => sum.status === status && isPriced(sum))),
    rows: listed(frame, status),
  });
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
  const ends = days.map((day) => {
    const end = zonedMoment(addDays(day, 1), time_zone) ?? now;
    return end < now ? end : now;
  });
  // The first moment is the period's start, for the comparison.
  const moments = [within.start, ...ends];
  const counts = await countAt(db, frame, moments);
  const isKnown = moments.map((moment) => moment >= known_since);
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

interface Step {
  status: SubscriberStatus;
  /**
   * Index of the first moment that counts the entry or, for a subtraction, no longer counts it;
   * after the last index if there is none.
   */
  born: number | null;
  until: number | null;
  sum: number;
}

/** @param moments ISO, in ascending order */
async function countAt(
  db: Database,
  frame: ReportFrame,
  moments: string[],
): Promise<Record<SubscriberStatus, number[]>> {
  const statement = new ReportStatement(frame);
  const [first = frame.now] = moments;
  // Buckets exclude the moment itself, so bounds are one microsecond less.
  const bounds = `${statement.bind(moments)}::timestamptz[]`;
  const bucket = (moment: string) =>
    `width_bucket(${moment} - interval '1 microsecond', ${bounds})`;
  const counted = statement.counted();
  const { now, before } = subscriberEntriesSql(statement, first, { changing: ["status"] });
  const sql = `with ${counted}
    select status, born, until, sum(sign)::integer as sum
      from (select status, sign, ${bucket("born_at")} as born,
                   case when until < 'infinity' then ${bucket("until")} end as until
              from (${now} union all ${before}) as entry) as placed
     group by grouping sets ((status, born), (status, until))`;
  const steps = await statement.ask<Step>(db, sql);
  const counts = {} as Record<SubscriberStatus, number[]>;
  for (const status of SUBSCRIBER_STATUSES) {
    const changes = moments.map(() => 0);
    for (const { born, until, sum } of steps.filter((step) => step.status === status)) {
      const at = born ?? until ?? moments.length;
      if (at < moments.length) changes[at] = (changes[at] ?? 0) + (born === null ? -sum : sum);
    }
    let count = 0;
    counts[status] = changes.map((change) => (count += change));
  }
  return counts;
}
