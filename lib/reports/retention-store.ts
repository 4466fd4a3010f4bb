import "server-only";
import { addDays, addMonths } from "#lib/format/calendar.ts";
import type { Database } from "#lib/db/pool.ts";
import {
  RECURRING,
  startOfDay,
  ReportStatement,
  type ReportFrame,
} from "./report-statement.ts";
import type { ListParameters, ProductsReport, Retention } from "./queries.ts";
import { sumMonthly, sumPayments, type SubscriberStatus } from "./rules.ts";
import { isPriced, countUnpriced, readPlans, totalCount } from "./subscribers-store.ts";
import { readPlanPaymentRows } from "./events-store.ts";

/** The number of starting months, including the current one. */
const MONTHS = 12;

interface MonthRow {
  month: string;
  /** The number of subscriptions that started in the month, and how many remain. */
  begun: number;
  left: number;
  /** How many subscriptions have a known first payment in the month, and how many were created. */
  started: number;
  created: number;
  /** For each later month, how many of `begun` that month's changes took away. */
  seen: Record<string, number>;
}

interface MonthSum {
  kind: "cohort" | "left" | "step" | "begun" | "created";
  month: string;
  seen_month: string | null;
  sum: number;
}

/**
 * Retention by the month of start, which is that of the first payment, else that of the creation;
 * without checkouts that wait for payment.
 */
export async function readRetention(db: Database, frame: ReportFrame): Promise<Retention> {
  const statement = new ReportStatement(frame);
  const first = addMonths(`${frame.today.slice(0, 7)}-01`, 1 - MONTHS);
  const sums = await statement.ask<MonthSum>(
    db,
    `select kind, to_char(day, 'YYYY-MM') as month,
            case when kind = 'step' then to_char(until, 'YYYY-MM') end as seen_month,
            sum(n)::integer as sum
       from ${statement.recurringSumsOf("cohort", "left", "step", "begun", "created")}
        and day >= ${statement.bind(first)}::date
        and (kind <> 'begun' or until >= date_trunc('month', day) + interval '1 month')
      group by 1, 2, 3 order by 2`,
  );
  const rows = [...Map.groupBy(sums, ({ month }) => month)]
    .map(([month, own]): MonthRow => {
      const of = (kind: MonthSum["kind"]) => own.find((one) => one.kind === kind)?.sum ?? 0;
      const steps = own.filter(({ kind }) => kind === "step");
      return {
        month,
        begun: of("cohort"),
        left: of("left"),
        started: of("begun"),
        created: of("created"),
        seen: Object.fromEntries(steps.map(({ seen_month, sum }) => [seen_month, sum])),
      };
    })
    .filter(({ begun }) => begun > 0);
  return {
    months: rows.map(({ month, begun, left, seen, ...listed }) => ({
      month,
      begun,
      rows: startedIn(frame, { month, begun, ...listed }),
      left: monthsFrom(month, frame.today.slice(0, 7)).map((later) => {
        const end = startOfDay(frame, addMonths(`${later}-01`, 1));
        if (end < frame.known_since) return null;
        const undone = Object.entries(seen).filter(([seenMonth]) => seenMonth > later);
        return undone.reduce((sum, [, more]) => sum + more, left);
      }),
    })),
  };
}

function monthsFrom(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = first; month <= last; month = addMonths(`${month}-01`, 1).slice(0, 7))
    months.push(month);
  return months;
}

/**
 * List parameters of a month's starts: by first payment if the index knew the whole month, else by
 * creation. Null if that list has other subscriptions.
 */
function startedIn(
  frame: ReportFrame,
  { month, begun, ...listed }: Omit<MonthRow, "left" | "seen">,
): ListParameters | null {
  const [from, to] = [`${month}-01`, addDays(addMonths(`${month}-01`, 1), -1)];
  const field = startOfDay(frame, from) >= frame.known_since ? "started" : "created";
  if (listed[field] !== begun) return null;
  return { ...frame.narrowed, ...RECURRING, [`${field}_from`]: from, [`${field}_to`]: to };
}

const keyOf = (row: {
  product_id: string;
  product_name: string;
  plan_name: string;
  currency: string;
}) => JSON.stringify([row.product_id, row.product_name, row.plan_name, row.currency]);

export async function readProductsReport(
  db: Database,
  frame: ReportFrame,
): Promise<ProductsReport> {
  const current = await readPlans(db, frame);
  const takings = await readPlanPaymentRows(db, frame);
  const paid = takings.filter(({ is_now }) => is_now);
  const plansBy = Map.groupBy(current, keyOf);
  const paidOf = Map.groupBy(paid, keyOf);
  const known = new Map([...current, ...paid].map((row) => [keyOf(row), row]));
  const plans = [...known].map(([key, { product_id, product_name, plan_name, currency }]) => {
    const own = plansBy.get(key) ?? [];
    const counted = (status: SubscriberStatus) =>
      totalCount(own.filter((sum) => sum.status === status));
    const { amount, start } = sumMonthly(own.filter(isPriced));
    return {
      currency,
      product_id,
      product_name,
      plan_name,
      active: counted("active"),
      due: counted("due"),
      ending: counted("pending_cancellation"),
      revenue: amount,
      start: frame.within.isKnown ? start : null,
      collected: sumPayments(paidOf.get(key) ?? []),
      rows: { product: product_id, plan: plan_name },
    };
  });
  return { plans: plans.toSorted(byRevenue), ...countUnpriced(current) };
}

type Plan = ProductsReport["plans"][number];

const inCents = (amount: string) => BigInt(amount.replace(".", ""));

function byRevenue(one: Plan, other: Plan): number {
  const [more, less] = [inCents(one.revenue), inCents(other.revenue)];
  if (more !== less) return more > less ? -1 : 1;
  return keyOf(one) < keyOf(other) ? -1 : 1;
}
