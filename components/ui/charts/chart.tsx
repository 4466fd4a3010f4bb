"use client";

import { lazy, type ReactNode, Suspense } from "react";
import { useHydrated } from "#components/ui/button.tsx";
import { cn } from "#lib/cn.ts";
import {
  barLook,
  TONES,
  type ChartProps,
  type ChartSeries,
  type Tone,
} from "./chart-series.ts";

const HEIGHT = "h-48";

const Waiting = () => <span className={cn("skeleton w-full", HEIGHT)} />;

const loadDrawn = () => import("./drawn-chart.tsx");
const DrawnLines = lazy(async () => ({ default: (await loadDrawn()).DrawnLines }));
const DrawnBars = lazy(async () => ({ default: (await loadDrawn()).DrawnBars }));

/** Charts are drawn in the browser only; their code is loaded on pages with charts. */
function Drawing({ children }: { children: ReactNode }) {
  const isHydrated = useHydrated();
  return (
    <div className={HEIGHT}>
      {isHydrated ? <Suspense fallback={<Waiting />}>{children}</Suspense> : <Waiting />}
    </div>
  );
}

interface LineChartProps extends ChartProps {
  /** Whether the legend shows the last known value of each line, which is the current one. */
  isLevel?: boolean;
}

/** Values over time; a null leaves a gap. */
export function LineChart({ isLevel = false, ...props }: LineChartProps) {
  return (
    <div>
      {props.series.length > 1 && <Legend series={props.series} isLevel={isLevel} />}
      <Drawing>
        <DrawnLines {...props} />
      </Drawing>
    </div>
  );
}

/** A few amounts; the bars of the first series are labelled. */
export function BarChart(props: ChartProps) {
  return (
    <div>
      {props.series.length > 1 && <Legend series={props.series} areBars />}
      <Drawing>
        <DrawnBars {...props} />
      </Drawing>
    </div>
  );
}

interface LegendProps extends Pick<LineChartProps, "isLevel"> {
  series: readonly ChartSeries[];
  areBars?: boolean;
}

function Legend({ series, isLevel, areBars = false }: LegendProps) {
  return (
    <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {series.map(({ name, tone, points }, at) => (
        <li key={name} className="flex items-center gap-1.5">
          {areBars ? <BarSample tone={tone} isHollow={at > 0} /> : <LineSample tone={tone} />}
          <span className="text-muted">{name}</span>
          {isLevel && (
            <span className="font-medium tabular-nums">
              {points.findLast(({ value }) => value !== null)?.text}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function LineSample({ tone }: { tone: Tone }) {
  const { color, dash } = TONES[tone];
  return (
    <svg aria-hidden width="20" height="8" className="shrink-0">
      <line
        x1="0"
        x2="20"
        y1="4"
        y2="4"
        strokeWidth="2"
        stroke={color}
        strokeDasharray={dash}
        className="forced-colors:stroke-[CanvasText]"
      />
    </svg>
  );
}

function BarSample({ tone, isHollow }: { tone: Tone; isHollow: boolean }) {
  return (
    <svg aria-hidden width="12" height="12" className="shrink-0">
      <rect x="1" y="1" width="10" height="10" rx="2" {...barLook(tone, isHollow)} />
    </svg>
  );
}
