"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState, type ReactElement } from "react";
import {
  Bar,
  BarChart as Bars,
  CartesianGrid,
  LabelList,
  Line,
  LineChart as Lines,
  ResponsiveContainer,
  Tooltip,
  useActiveTooltipLabel,
  XAxis,
  YAxis,
} from "recharts";
import { barLook, pointText, seriesSummaryOf, TONES, type ChartProps } from "./chart-series.ts";

/** One point of the chart: its index, and the value of each series. */
type Place = { at: number } & Record<`value${number}`, number | null>;

function placesOf({ labels, series }: ChartProps): Place[] {
  return labels.map((_label, at) => ({
    at,
    ...Object.fromEntries(
      series.map(({ points }, index) => [`value${index}`, points[at]?.value ?? null]),
    ),
  }));
}

const MARGIN = { top: 8, right: 12, bottom: 0, left: 0 };

export function DrawnLines(props: ChartProps) {
  return (
    <Frame {...props} data={placesOf(props)}>
      {(shared, overlay) => (
        <Lines {...shared} margin={MARGIN}>
          <Axes {...props} />
          {props.series.map(({ name, tone, points }, index) => (
            <Line
              key={name}
              name={name}
              dataKey={`value${index}`}
              type="linear"
              stroke={TONES[tone].color}
              strokeDasharray={TONES[tone].dash}
              strokeWidth={2}
              // A value without neighbours has no line, so it gets a dot.
              dot={({ cx, cy, index: at }: Dot) =>
                isAlone(points, at) && cx !== undefined && cy !== undefined ? (
                  <circle
                    key={at}
                    {...{ cx, cy }}
                    r={3}
                    fill={TONES[tone].color}
                    className="recharts-dot"
                  />
                ) : (
                  <g key={at} />
                )
              }
              activeDot={{ r: 4, strokeWidth: 0 }}
              isAnimationActive={false}
            />
          ))}
          {overlay}
        </Lines>
      )}
    </Frame>
  );
}

interface Dot {
  cx?: number;
  cy?: number;
  index: number;
}

const isAlone = (points: ChartProps["series"][number]["points"], at: number) =>
  [at - 1, at + 1].every((beside) => (points[beside]?.value ?? null) === null);

export function DrawnBars(props: ChartProps) {
  return (
    <Frame {...props} data={placesOf(props)}>
      {(shared, overlay) => (
        <Bars {...shared} margin={{ ...MARGIN, top: 20 }} barCategoryGap="24%">
          <Axes {...props} isWhole />
          {props.series.map(({ name, tone, points }, index) => (
            <Bar
              key={name}
              name={name}
              dataKey={`value${index}`}
              {...barLook(tone, index > 0)}
              radius={[4, 4, 0, 0]}
              maxBarSize={56}
              isAnimationActive={false}
            >
              {index === 0 && (
                <LabelList
                  dataKey="at"
                  position="top"
                  fill="var(--ink)"
                  formatter={(at) =>
                    points[Number(at)]?.short ?? points[Number(at)]?.text ?? ""
                  }
                />
              )}
            </Bar>
          ))}
          {overlay}
        </Bars>
      )}
    </Frame>
  );
}

interface SharedProps {
  data: Place[];
  desc: string;
  "aria-label": string;
  className: string;
}

interface FrameProps extends ChartProps {
  /**
   * The points. They are created outside the frame, because new data would reset the selected
   * point.
   */
  data: Place[];
  /** @param overlay the tooltip, and the listener for the selected point */
  children: (shared: SharedProps, overlay: ReactElement) => ReactElement;
}

/** The frame of a chart: fills its width, and announces the point that the arrow keys select. */
function Frame({ children, data, ...props }: FrameProps) {
  const t = useTranslations("ui.chart");
  const [at, setAt] = useState<number | null>(null);
  const [isFocused, setFocused] = useState(false);
  const shared = {
    data,
    desc: `${seriesSummaryOf(props)} ${t("keys")}`,
    "aria-label": props.label,
    className: "text-xs",
  };
  const overlay = (
    <>
      <Words {...props} />
      <PlaceListener onPlace={setAt} />
    </>
  );
  return (
    <div
      className="h-full"
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      role="presentation"
    >
      <ResponsiveContainer width="100%" height="100%">
        {children(shared, overlay)}
      </ResponsiveContainer>
      <p role="status" className="sr-only">
        {isFocused && at !== null && pointText(props, at)}
      </p>
    </div>
  );
}

function PlaceListener({ onPlace }: { onPlace: (at: number | null) => void }) {
  const label = useActiveTooltipLabel();
  useEffect(() => onPlace(label === undefined ? null : Number(label)), [label, onPlace]);
  return null;
}

/** Pixels of a digit, and of the space beside the numbers. */
const [DIGIT, BESIDE] = [7, 10];

/** Pixels of half the first label, which reaches below the value axis. */
const HALF_LABEL = 36;

/**
 * The width of the value axis, for numbers a little above the largest. Recharts would measure it
 * before the font has loaded.
 */
function axisWidth({
  series,
  formatValue,
}: Pick<ChartProps, "series" | "formatValue">): number {
  const values = series.flatMap(({ points }) => points.map(({ value }) => value ?? 0));
  const longest = formatValue(Math.ceil(Math.max(4, ...values) * 1.3)).length;
  return Math.max(HALF_LABEL, longest * DIGIT + BESIDE);
}

const TICK = { fill: "var(--muted)" };

interface AxesProps extends ChartProps {
  /** Whether every label is shown. */
  isWhole?: boolean;
}

function Axes({ labels, series, formatValue, isWhole = false }: AxesProps) {
  return (
    <>
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey="at"
        tick={TICK}
        tickLine={false}
        axisLine={{ stroke: "var(--line)" }}
        tickFormatter={(at: number) => labels[at]?.short ?? ""}
        interval={isWhole ? 0 : "equidistantPreserveStart"}
        minTickGap={24}
      />
      <YAxis
        width={axisWidth({ series, formatValue })}
        tick={TICK}
        tickLine={false}
        axisLine={false}
        tickCount={4}
        allowDecimals={false}
        tickFormatter={formatValue}
      />
    </>
  );
}

/** The tooltip at the pointer or at the point selected by keyboard. */
function Words(props: ChartProps) {
  const { labels, series } = props;
  return (
    <Tooltip
      isAnimationActive={false}
      cursor={{ stroke: "var(--line-strong)", fill: "var(--sunken)" }}
      content={({ active, label }) => {
        const at = Number(label);
        if (!active || label === undefined) return null;
        return (
          <div aria-hidden className="rounded border bg-surface px-3 py-2 shadow-raised">
            <p className="font-medium">{labels[at]?.name}</p>
            {series.map(({ name, points }) => (
              <p key={name} className="flex justify-between gap-4 text-muted">
                {name}
                <span className="text-ink tabular-nums">{points[at]?.text}</span>
              </p>
            ))}
          </div>
        );
      }}
    />
  );
}
