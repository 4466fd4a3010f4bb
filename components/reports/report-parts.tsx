import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ScopedLink, useFormat } from "#components/context/seller-context.tsx";
import { LineChart } from "#components/ui/charts/chart.tsx";
import type { ChartPoint, Tone } from "#components/ui/charts/chart-series.ts";
import { Minus, TrendingDown, TrendingUp } from "#components/ui/icons.tsx";
import { isLessDecimal } from "#lib/format/decimal.ts";
import type { Format } from "#lib/format/format.ts";
import type { Translate } from "#lib/i18n/message.ts";
import type { ListParameters, ReportHead } from "#lib/reports/queries.ts";
import type { Table } from "./report-table.tsx";

/** What the functions that describe a report need besides the report. */
export interface CardTools {
  t: Translate<"reports">;
  format: Format;
  currency: string;
  /** The day in the seller's time zone, YYYY-MM-DD. */
  today: string;
}

/** Parts of recurring revenue, in display order. */
export const STATUS_PARTS = ["active", "due", "ending"] as const;

export function Headline({ children, aside }: { children: ReactNode; aside: ReactNode }) {
  return (
    <p className="report-headline">
      <b>{children}</b>
      {aside}
    </p>
  );
}

/** An amount and its change; `before` is null if unknown. */
export function MoneyHeadline({
  amount,
  before,
  currency,
}: {
  amount: string;
  before: string | null;
  currency: string;
}) {
  const format = useFormat();
  return (
    <Headline
      aside={
        before === null ? (
          <UnknownChange />
        ) : (
          <Change
            direction={
              isLessDecimal(before, amount)
                ? "up"
                : isLessDecimal(amount, before)
                  ? "down"
                  : "same"
            }
            before={format.money(before, currency)}
          />
        )
      }
    >
      {format.money(amount, currency)}
    </Headline>
  );
}

/** The change of a count; `before` is null if unknown. */
export function CountChange({ count, before }: { count: number; before: number | null }) {
  const format = useFormat();
  if (before === null) return <UnknownChange />;
  const direction = count > before ? "up" : count < before ? "down" : "same";
  return <Change direction={direction} before={format.count(before)} />;
}

export function UnknownChange() {
  const t = useTranslations("reports.change");
  return <span className="text-sm text-muted">{t("unknown")}</span>;
}

const ICONS = { up: TrendingUp, down: TrendingDown, same: Minus };

/** A change in words and with an arrow. */
function Change({ direction, before }: { direction: keyof typeof ICONS; before: string }) {
  const t = useTranslations("reports.change");
  const Icon = ICONS[direction];
  return (
    <span className="report-change">
      <Icon aria-hidden />
      {t(direction, { before })}
    </span>
  );
}

interface ListLinkProps {
  rows: ListParameters;
  className?: string;
  children: ReactNode;
}

/** Links to the subscriptions that were counted. */
export function ListLink({ rows, className, children }: ListLinkProps) {
  return (
    <ScopedLink
      href={`/subscriptions?${new URLSearchParams(rows)}`}
      className={className ?? "count-link"}
    >
      {children}
    </ScopedLink>
  );
}

/** A count that links to its list, if there is one. */
export function CountLink({ count, rows }: { count: number; rows: ListParameters | null }) {
  const text = useFormat().count(count);
  return rows && count > 0 ? <ListLink rows={rows}>{text}</ListLink> : text;
}

type DaysOf<Line extends string> = readonly ({ day: string } & Record<Line, number | null>)[];

const describeCount = ({ t, format }: CardTools, count: number | null) =>
  count === null ? t("unknown") : format.count(count);

interface DaysChartProps<Line extends string> {
  tools: CardTools;
  label: string;
  days: DaysOf<Line>;
  lines: readonly { line: Line; name: string; tone: Tone }[];
  /** Whether the last value is the current one. */
  isLevel?: boolean;
}

export function DaysChart<Line extends string>(props: DaysChartProps<Line>) {
  const { tools, label, days, lines, isLevel = false } = props;
  const { format } = tools;
  return (
    <LineChart
      {...{ label, isLevel }}
      labels={days.map(({ day }) => ({
        name: format.date(day),
        short: format.dayOfMonth(day),
      }))}
      series={lines.map(({ line, name, tone }) => ({
        name,
        tone,
        points: days.map((day) => ({
          value: day[line],
          text: describeCount(tools, day[line]),
        })),
      }))}
      formatValue={format.count}
    />
  );
}

/** Daily counts as a table, latest day first. */
export const daysTable = <Line extends string>(
  tools: CardTools,
  days: DaysOf<Line>,
  lines: readonly { line: Line; name: string }[],
): Table => ({
  heads: [tools.t("heads.day"), ...lines.map(({ name }) => name)],
  rows: days.toReversed().map((day) => ({
    key: day.day,
    cells: [
      tools.format.date(day.day),
      ...lines.map(({ line }) => describeCount(tools, day[line])),
    ],
  })),
});

export const moneyPoint = ({ format, currency }: CardTools, amount: string): ChartPoint => ({
  value: Number(amount),
  text: format.money(amount, currency),
  short: format.count(Math.round(Number(amount))),
});

/** A note that the period is only partly known, with its start; false if it is complete. */
export const partialNote = (
  { t, format }: CardTools,
  { is_partial, known_since }: ReportHead,
  key: "partial" | "gap" = "partial",
) => is_partial && t(key, { moment: format.dateTime(known_since) });
