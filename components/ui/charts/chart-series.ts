/** Each tone has a line of its own kind too, because no colour may be the only sign. */
export const TONES = {
  accent: { color: "var(--accent)", dash: "10 3 2 3" },
  due: { color: "var(--due)", dash: "6 3" },
  ending: { color: "var(--ending)", dash: "2 3" },
  active: { color: "var(--active)", dash: "" },
} as const;

export type Tone = keyof typeof TONES;

/** Of two bars beside each other the second is hollow, since no colour may be the only sign. */
export const barLook = (tone: Tone, isHollow: boolean) => {
  const { color } = TONES[tone];
  return isHollow
    ? { fill: "transparent", stroke: color, strokeWidth: 1.5, strokeDasharray: "4 2" }
    : { fill: color };
};

export interface ChartPoint {
  /** Null if unknown. Screen readers get `text`. */
  value: number | null;
  text: string;
  /** Above a bar, where there is little room. */
  short?: string;
}

export interface ChartSeries {
  name: string;
  tone: Tone;
  /** One for each label of the chart. */
  points: readonly ChartPoint[];
}

interface ChartLabel {
  name: string;
  /** At the axis, where there is little room. */
  short: string;
}

export interface ChartProps {
  /** Screen-reader label. */
  label: string;
  labels: readonly ChartLabel[];
  series: readonly ChartSeries[];
  /** At the axis of values. */
  formatValue: (value: number) => string;
}

/** All that one place of the chart says, in one line. */
export const pointText = (
  { labels, series }: Pick<ChartProps, "labels" | "series">,
  at: number,
): string =>
  [
    labels[at]?.name,
    ...series.map(({ name, points }) => `${name}: ${points[at]?.text ?? ""}`),
  ].join(", ");

/** As many places as one can listen to. */
const MOST_SAID = 6;

/** What the chart comes to: all of a few places, of many the first and the last that is known. */
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
