import { useMemo } from "react";
import { useFormat } from "#components/values/use-format.ts";
import { LineChart } from "#components/ui/charts/chart.tsx";
import type { Tone } from "#components/ui/charts/chart-series.ts";
import { useDays } from "./use-days.ts";

/** Counts of a day, by the name of the line. */
type CountsOfDay<Line extends string> = { day: string } & Record<Line, number | null>;

interface DaysChartProps<Line extends string> {
  label: string;
  days: readonly CountsOfDay<Line>[];
  lines: readonly { line: Line; name: string; tone: Tone }[];
  /** The last value is the current one. */
  isLevel?: boolean;
}

export function DaysChart<Line extends string>(props: DaysChartProps<Line>) {
  const { label, days, lines, isLevel = false } = props;
  const format = useFormat();
  const { labels, pointsOf } = useDays();
  const drawn = useMemo(() => labels(days), [days, labels]);
  const series = useMemo(
    () =>
      lines.map(({ line, name, tone }) => ({
        name,
        tone,
        points: pointsOf(days.map((day) => day[line])),
      })),
    [days, lines, pointsOf],
  );
  return (
    <LineChart {...{ label, series, isLevel }} labels={drawn} formatValue={format.count} />
  );
}
