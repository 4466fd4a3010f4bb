/** Lines also differ in their dashes, because colour must not be the only difference. */
export const TONES = {
  accent: { color: "var(--accent)", dash: "10 3 2 3" },
  due: { color: "var(--due)", dash: "6 3" },
  ending: { color: "var(--ending)", dash: "2 3" },
  active: { color: "var(--active)", dash: "" },
} as const;

export type Tone = keyof typeof TONES;

/** The second of two bars is hollow, because colour must not be the only difference. */
export const barLook = (tone: Tone, isHollow: boolean) => {
  const { color } = TONES[tone];
  return isHollow
    ? { fill: "transparent", stroke: color, strokeWidth: 1.5, strokeDasharray: "4 2" }
    : { fill: color };
};

export interface ChartPoint {
  /** The value; null if unknown. Screen readers get `text`. */
  value: number | null;
  text: string;
  /** A short form of the value, shown above a bar. */
  short?: string;
}

export interface ChartSeries {
  name: string;
  tone: Tone;
  /** The points, one for each label of the chart. */
  points: readonly ChartPoint[];
}

interface ChartLabel {
  name: string;
  /** A short form of the label, shown at the axis. */
  short: string;
}

export interface ChartProps {
  /** The chart's label for screen readers. */
  label: string;
  labels: readonly ChartLabel[];
  series: readonly ChartSeries[];
  /** Formats the values of the axis. */
  formatValue: (value: number) => string;
}

/** The values of all series at one point, as text. */
export const pointText = (
  { labels, series }: Pick<ChartProps, "labels" | "series">,
  at: number,
): string =>
  [
    labels[at]?.name,
    ...series.map(({ name, points }) => `${name}: ${points[at]?.text ?? ""}`),
  ].join(", ");

/** The most points that the summary lists; above, it has only the first and the last. */
const MOST_SAID = 6;

/** A text alternative: all known points if the chart has few, else the first and the last of them. */
export function seriesSummaryOf(chart: Pick<ChartProps, "labels" | "series">): string {
  const { labels, series } = chart;
  const known = labels
    .map((_label, at) => at)
    .filter((at) => series.some(({ points }) => (points[at]?.value ?? null) !== null));
  const said = labels.length > MOST_SAID ? [known.at(0), known.at(-1)] : known;
  return [...new Set(said)]
    .flatMap((at) => (at === undefined ? [] : [`${pointText(chart, at)}.`]))
    .join(" ");
}
