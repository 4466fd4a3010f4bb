import "server-only";
import { addDays } from "#lib/format/calendar.ts";
import { multiplyDecimal } from "#lib/format/decimal.ts";
import type { Database } from "#lib/db/pool.ts";
import { singleRow } from "#lib/db/pool.ts";
import {
  checkoutAmountsCte,
  DEBT_CTE,
  dueAmountSql,
  isListPriceSql,
  joinCheckoutAmounts,
  readPriceSteps,
} from "#lib/search-index/query/owed.ts";
import { amountsOn, amountToPay, type Amounts, type PriceStep } from "#lib/money/price.ts";
import {
  readPeriods,
  RECURRING,
  ReportStatement,
  type ReportFrame,
} from "./report-statement.ts";
import type { Expected, ListParameters, OwedReport } from "./queries.ts";
import {
  type DebtAge,
  DEBT_AGES,
  anchorDayOf,
  type Billing,
  billingDays,
  HORIZONS,
  proportionOf,
  sumAmounts,
} from "./rules.ts";
import { currenciesOf, totalCount } from "./subscribers-store.ts";

interface OwedRow {
  currency: string;
  age: DebtAge | null;
  is_unpriced: boolean;
  is_list_price: boolean;
  count: number;
  /** Subscriptions that have a kept debt and are not due, because their date was moved. */
  kept: number;
  amount: string;
}

/**
 * What is due now and debts that were kept, whatever the period; only the comparison is at the
 * period's start. A debt beside a due subscription is not counted as another subscription.
 */
export async function readOwed(db: Database, frame: ReportFrame): Promise<OwedReport> {
  const statement = new ReportStatement(frame);
  const today = `${statement.bind(frame.today)}::date`;
  const sql = `with ${checkoutAmountsCte(`${statement.bind(frame.asked_day)}::date`)}, ${DEBT_CTE},
    due as (
      select pbp_id, price, currency, day, sum(n) as n from ${statement.recurringSumsOf("current")}
         and status = 'due' group by pbp_id, price, currency, day having sum(n) > 0),
    part as (
      select due.currency, ${dueAmountSql("due")} is null as is_unpriced, n * ${dueAmountSql("due")} as amount,
             ${isListPriceSql("due")} as is_list_price,
             case when isfinite(day) then ${today} - day end as late, n as counted, 0 as kept
        from due ${joinCheckoutAmounts("due")}
      union all
      select debt_currency, false, debt_left, debt_is_list_price, ${today} - debt_since,
             case when is_due then 0 else 1 end, case when is_due then 0 else 1 end
        from debt where ${statement.isAsked()})
    select currency, is_unpriced,
           case when late <= 7 then '0-7' when late <= 30 then '8-30'
                when late <= 60 then '31-60' else case when late is not null then '60+' end
             end as age,
           bool_or(is_list_price) as is_list_price, sum(counted)::integer as count,
           sum(kept)::integer as kept, coalesce(sum(amount), 0)::text as amount
      from part group by 1, 2, 3`;
  const rows = await statement.ask<OwedRow>(db, sql);
  const before = await readOwedAtStart(db, frame);
  const priced = rows.filter(({ is_unpriced }) => !is_unpriced);
  const kept = rows.reduce((sum, row) => sum + row.kept, 0);
  return {
    due: {
      count: totalCount(rows) - kept,
      rows: { ...frame.narrowed, ...RECURRING, status: "due" },
    },
    kept,
    currencies: currenciesOf([...priced, ...before]).map((currency) => {
      const own = priced.filter((row) => row.currency === currency);
      return {
        currency,
        count: totalCount(own),
        amount: sumAmounts(own.map(({ amount }) => amount)),
        is_list_price: own.some(({ is_list_price }) => is_list_price),
        // Earlier kept debts are unknown, so an amount with kept debts is not compared.
        start:
          frame.within.isKnown && own.every((row) => row.kept === 0)
            ? sumAmounts(
                before.filter((sum) => sum.currency === currency).map(({ amount }) => amount),
              )
            : null,
        ages: DEBT_AGES.map((age) => {
          const aged = own.filter((row) => row.age === age);
          const amount = sumAmounts(aged.map((row) => row.amount));
          // No list shows kept debts, or one currency alone.
          const isListed =
            aged.every((row) => row.kept === 0) &&
            totalCount(rows.filter((row) => row.age === age)) === totalCount(aged);
          return {
            age,
            count: totalCount(aged),
            amount,
            rows: isListed ? missedAt(frame, age) : null,
          };
        }),
      };
    }),
    undated: totalCount(rows.filter(({ age }) => age === null)),
    unpriced: totalCount(rows.filter(({ is_unpriced }) => is_unpriced)),
  };
}

/** Amounts due at the period's start, at that day's checkout price. */
async function readOwedAtStart(
  db: Database,
  frame: ReportFrame,
): Promise<{ currency: string; count: number; amount: string }[]> {
  const statement = new ReportStatement(frame);
  const day = `${statement.bind(frame.period.from)}::date`;
  const sql = `with ${checkoutAmountsCte(day)},
    due as (
      select pbp_id, price, currency, sum(n) as n from ${statement.recurringSumsOf("level")}
         and status = 'due' and price is not null and day < ${day}
       group by pbp_id, price, currency having sum(n) > 0)
    select due.currency, sum(n)::integer as count, sum(n * ${dueAmountSql("due")})::text as amount
      from due ${joinCheckoutAmounts("due")} group by due.currency`;
  return statement.ask(db, sql);
}

/**
 * List parameters of the due subscriptions of an age group. A date in the future counts as zero days
 * late, so the youngest group has no last day.
 */
function missedAt({ today, narrowed }: ReportFrame, age: DebtAge): ListParameters {
  const [first = 0, last] = age.split("-").map((text) => Number.parseInt(text, 10));
  const isLongest = age === "60+";
  return {
    ...narrowed,
    ...RECURRING,
    status: "due",
    ...(last !== undefined && { next_from: addDays(today, -last) }),
    ...(first > 0 && { next_to: addDays(today, isLongest ? -first - 1 : -first) }),
  };
}

const LONGEST = HORIZONS.at(-1) ?? 90;
/** Minimum number of billing dates from which a share is calculated. */
const NEEDED = 10;

export async function readExpected(db: Database, frame: ReportFrame): Promise<Expected> {
  const billings = await readBillings(db, frame);
  const amountsAt = memo(await readPriceSteps(db, frame.owner));
  const observed = await readObservedOutcomes(db, frame);
  const isEnough = observed.passed >= NEEDED;
  const likely = (amount: string) =>
    isEnough ? proportionOf(amount, observed.in_time, observed.passed) : null;
  return {
    horizons: HORIZONS.map((days) => {
      const end = addDays(frame.today, days);
      const within = billings.filter(({ next_day }) => next_day < end);
      return {
        days,
        subscriptions: {
          count: totalCount(within),
          rows: {
            ...frame.narrowed,
            ...RECURRING,
            status: "active",
            next_from: frame.today,
            next_to: addDays(end, -1),
          },
        },
        currencies: currenciesOf(within).map((currency) => {
          const own = within.filter((one) => one.currency === currency);
          const bills = own.flatMap((one) =>
            billingDays(one, end).map((day) => ({ one, amounts: amountsAt(day) })),
          );
          const asked = bills.flatMap(({ one: { count, price, ...product }, amounts }) =>
            price === null ? [] : [{ ...amountToPay(amounts, { ...product, price }), count }],
          );
          const amount = sumAmounts(asked.map((one) => multiplyDecimal(one.amount, one.count)));
          const is_list_price = asked.some((one) => one.is_list_price);
          const count = bills.reduce((sum, { one }) => sum + one.count, 0);
          return { currency, count, amount, is_list_price, likely: likely(amount) };
        }),
      };
    }),
    observed: {
      ...observed,
      share: isEnough ? shareToFour(observed.in_time, observed.passed) : null,
      needed: NEEDED,
    },
    once: totalCount(billings.filter(({ every }) => every === null)),
    unpriced: totalCount(billings.filter(({ price }) => price === null)),
  };
}

/** The share part / whole, from 0 to 1, rounded half up to four places. */
const shareToFour = (part: number, whole: number) =>
  (Math.floor((part * 20_000 + whole) / (2 * whole)) / 10_000).toFixed(4);

/** Caches the amounts of each day. */
function memo(steps: PriceStep[]): (day: string) => Amounts {
  const days = new Map<string, Amounts>();
  return (day) => days.getOrInsertComputed(day, () => amountsOn(steps, day));
}

interface BillingRow extends Omit<Billing, "anchor" | "every"> {
  start_day: string | null;
}

/** Active subscriptions whose next billing date is within 90 days, grouped by equal billing. */
export async function readBillings(db: Database, frame: ReportFrame): Promise<Billing[]> {
  const statement = new ReportStatement(frame);
  const to = addDays(frame.today, LONGEST - 1);
  const sql = `
    select currency, pbp_id, day::text as next_day, case when isfinite(until) then until::text end as start_day,
           sum(n)::integer as count, price::text as price
      from ${statement.recurringSumsOf("current")} and status = 'active'
       and ${statement.dayIn({ from: frame.today, to })}
     group by currency, pbp_id, day, until, price having sum(n) > 0`;
  const rows = await statement.ask<BillingRow>(db, sql);
  const periodOf = await readPeriods(
    db,
    frame,
    rows.map(({ pbp_id }) => pbp_id),
  );
  return rows.map(({ start_day, ...row }) => ({
    ...row,
    every: periodOf(row.pbp_id).every,
    anchor: anchorDayOf(row.next_day, start_day),
  }));
}

type Observed = Pick<Expected["observed"], "passed" | "in_time" | "late" | "unpaid">;

/**
 * Outcomes of the billing dates since the index began: paid by that day, later, or not (still due,
 * ended unpaid, or moved by hand while due).
 */
export async function readObservedOutcomes(
  db: Database,
  frame: ReportFrame,
): Promise<Observed> {
  const statement = new ReportStatement(frame);
  const sums = statement.recurringSumsOf("in_time", "late", "unpaid", "current");
  const of = (condition: string) => `coalesce(sum(n) filter (where ${condition}), 0)::integer`;
  const sql = `
    select coalesce(sum(n), 0)::integer as passed, ${of("kind = 'in_time'")} as in_time,
           ${of("kind = 'late'")} as late, ${of("kind in ('unpaid', 'current')")} as unpaid
      from ${sums} and day >= ${statement.bind(frame.known_day)}::date
       and (kind <> 'current' or status = 'due')`;
  return statement.ask<Observed>(db, sql).then(singleRow);
}
