import type { ReportHead, ReportByName, PaymentSums } from "./queries.ts";
import type { ReportName } from "./search.ts";

type Cell = string | number | null;

/** The headings of each report; each is the key of a message. */
const COLUMNS = {
  revenue: ["currency", "revenue", "start", "active", "due", "ending"],
  subscribers: ["day", "active", "due", "ending"],
  movement: ["day", "created", "begun", "lost", "saved"],
  leaving: ["from", "to", "reason", "count"],
  checkouts: ["from", "to", "created", "finished", "unpaid"],
  owed: ["currency", "late_from", "late_to", "count", "amount"],
  expected: ["days", "currency", "count", "amount", "likely"],
  collected: ["from", "to", "currency", "payments", "collected", "fee", "net"],
  products: [
    "product_id",
    "product",
    "plan",
    "currency",
    "active",
    "due",
    "ending",
    "revenue",
    "start",
    "payments",
    "collected",
    "fee",
    "net",
  ],
  retention: ["month", "begun", "months", "remaining"],
} as const satisfies Record<ReportName, readonly string[]>;
type Heading = (typeof COLUMNS)[ReportName][number];

type Line = Partial<Record<Heading, Cell>>;
type Period = Pick<ReportHead, "period" | "before">;
type Tables = { [Name in ReportName]: (figure: ReportByName[Name], head: Period) => Line[] };

const takings = ({ amount, ...others }: PaymentSums): Line => ({
  ...others,
  collected: amount,
});

/** The rows of each report's file; the previous period is included only if known. */
const TABLES: Tables = {
  revenue: ({ currencies }) =>
    currencies.map(({ amount, ...others }) => ({ ...others, revenue: amount })),
  subscribers: ({ days }) => days,
  movement: ({ days }) => days,
  leaving: ({ reasons }, { period, before: earlier }) => [
    ...reasons.map(({ reason, count }) => ({ ...period, reason, count })),
    ...reasons.map(({ reason, before }) => ({ ...earlier, reason, count: before })),
  ],
  checkouts: ({ created, finished, unpaid }, { period, before }) => [
    {
      ...period,
      created: created.count,
      finished: finished.count,
      unpaid: unpaid.count,
    },
    {
      ...before,
      created: created.before,
      finished: finished.before,
      unpaid: unpaid.before,
    },
  ],
  owed: ({ currencies }) =>
    currencies.flatMap(({ currency, ages }) =>
      ages.map(({ age, count, amount }) => {
        const [late_from = "", late_to = null] = age.replace("+", "").split("-");
        return { currency, late_from, late_to, count, amount };
      }),
    ),
  expected: ({ horizons }) =>
    horizons.flatMap(({ days, currencies }) => currencies.map((own) => ({ ...own, days }))),
  collected: ({ currencies }, { period, before }) =>
    currencies.flatMap(({ currency, before: earlier, ...now }) => [
      { ...period, currency, ...takings(now) },
      ...(earlier ? [{ ...before, currency, ...takings(earlier) }] : []),
    ]),
  products: ({ plans }) =>
    plans.map(({ product_name, plan_name, collected, ...others }) => ({
      ...others,
      product: product_name,
      plan: plan_name,
      ...takings(collected),
    })),
  retention: ({ months }) =>
    months.flatMap(({ month, begun, left }) =>
      left.map((remaining, at) => ({ month, begun, months: at, remaining })),
    ),
};

/** A report as a table; unknown values are empty cells. */
export function reportTable<Name extends ReportName>(
  name: Name,
  figure: ReportByName[Name],
  head: Period,
): { columns: readonly Heading[]; rows: (string | null)[][] } {
  const columns: readonly Heading[] = COLUMNS[name];
  const rows = TABLES[name](figure, head).map((line) =>
    columns.map((column) => {
      const value = line[column] ?? null;
      return value === null ? null : String(value);
    }),
  );
  return { columns, rows };
}
