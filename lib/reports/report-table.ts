import type { ReportHead, ReportOf, Takings } from "./queries.ts";
import type { ReportName } from "./search.ts";

type Cell = string | number | null;

/** Column headings; their texts are messages. */
export const HEADINGS = [
  "from",
  "to",
  "day",
  "month",
  "product_id",
  "product",
  "plan",
  "currency",
  "amount",
  "revenue",
  "start",
  "active",
  "due",
  "ending",
  "created",
  "begun",
  "lost",
  "saved",
  "finished",
  "unpaid",
  "late_from",
  "late_to",
  "days",
  "count",
  "likely",
  "payments",
  "collected",
  "fee",
  "net",
  "months",
  "remaining",
] as const;
export type Heading = (typeof HEADINGS)[number];

type Line = Partial<Record<Heading, Cell>>;
type Period = Pick<ReportHead, "period" | "before">;
type Tables = { [Name in ReportName]: (figure: ReportOf[Name], head: Period) => Line[] };

const takings = ({ payments, amount, fee, net }: Takings): Line => ({
  payments,
  collected: amount,
  fee,
  net,
});

/** Rows of each report's file; the previous period only if known. */
const TABLES: Tables = {
  revenue: ({ currencies }) =>
    currencies.map(({ currency, amount, start, active, due, ending }) => ({
      currency,
      revenue: amount,
      start,
      active,
      due,
      ending,
    })),
  subscribers: ({ days }) =>
    days.map(({ day, active, due, ending }) => ({ day, active, due, ending })),
  movement: ({ days }) =>
    days.map(({ day, created, begun, lost, saved }) => ({ day, created, begun, lost, saved })),
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
    horizons.flatMap(({ days, currencies }) =>
      currencies.map(({ currency, count, amount, likely }) => ({
        days,
        currency,
        count,
        amount,
        likely,
      })),
    ),
  collected: ({ currencies }, { period, before }) =>
    currencies.flatMap((one) => [
      { ...period, currency: one.currency, ...takings(one) },
      ...(one.before ? [{ ...before, currency: one.currency, ...takings(one.before) }] : []),
    ]),
  products: ({ plans }) =>
    plans.map((one) => ({
      product_id: one.product_id,
      product: one.product_name,
      plan: one.plan_name,
      currency: one.currency,
      active: one.active,
      due: one.due,
      ending: one.ending,
      revenue: one.revenue,
      start: one.start,
      ...takings(one.collected),
    })),
  retention: ({ months }) =>
    months.flatMap(({ month, begun, left }) =>
      left.map((remaining, at) => ({ month, begun, months: at, remaining })),
    ),
};

/** The columns are the same without rows. */
const COLUMNS: Record<ReportName, readonly Heading[]> = {
  revenue: ["currency", "revenue", "start", "active", "due", "ending"],
  subscribers: ["day", "active", "due", "ending"],
  movement: ["day", "created", "begun", "lost", "saved"],
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
};

/** A report as a table; unknown values are empty cells. */
export function tableOf<Name extends ReportName>(
  name: Name,
  figure: ReportOf[Name],
  head: Period,
): { columns: readonly Heading[]; rows: (string | null)[][] } {
  const columns = COLUMNS[name];
  const rows = TABLES[name](figure, head).map((line) =>
    columns.map((column) => {
      const value = line[column] ?? null;
      return value === null ? null : String(value);
    }),
  );
  return { columns, rows };
}
