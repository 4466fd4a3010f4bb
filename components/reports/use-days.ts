import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { useFormat } from "#components/values/use-format.ts";
import type { ChartLabel, ChartPoint } from "#components/ui/charts/chart-series.ts";
import type { Table } from "./report-table.tsx";

interface CountsOfDay {
  day: string;
  counts: (number | null)[];
}

/** Formats daily counts for a chart and its table. */
export function useDays() {
  const t = useTranslations("reports");
  const format = useFormat();
  const count = useCallback(
    (value: number | null) => (value === null ? t("unknown") : format.count(value)),
    [t, format],
  );
  const labels = useCallback(
    (days: readonly { day: string }[]): ChartLabel[] =>
      days.map(({ day }) => ({ name: format.date(day), short: format.dayOfMonth(day) })),
    [format],
  );
  const pointsOf = useCallback(
    (values: (number | null)[]): ChartPoint[] =>
      values.map((value) => ({ value, text: count(value) })),
    [count],
  );
  /** Latest day first. */
  const table = (label: string, names: string[], days: CountsOfDay[]): Table => ({
    label,
    heads: [t("heads.day"), ...names],
    rows: days.toReversed().map(({ day, counts }) => ({
      key: day,
      cells: [format.date(day), ...counts.map(count)],
    })),
  });
  return { labels, pointsOf, table };
}
