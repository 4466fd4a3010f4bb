"use client";

import { BarChart, LineChart } from "#components/ui/charts/chart.tsx";
import type { ChartPoint } from "#components/ui/charts/chart-series.ts";
import { Specimens } from "./specimen.tsx";

const DAYS = Array.from({ length: 14 }, (_day, at) => ({
  name: `Day ${at + 1}`,
  short: `${at + 1}`,
}));
const AGES = ["0–7", "8–30", "31–60"].map((short) => ({ name: `${short} days`, short }));

const points = (...values: (number | null)[]): ChartPoint[] =>
  values.map((value) => ({ value, text: value === null ? "Not known" : String(value) }));

const days = (valueOf: (at: number) => number | null) =>
  points(...DAYS.map((_day, at) => valueOf(at)));

/** Lines with a gap and with a single value, and bars of one and two series. */
export function ChartSpecimens() {
  return (
    <Specimens title="Charts">
      <div className="w-full">
        <LineChart
          isLevel
          label="Active, due and ending by day"
          labels={DAYS}
          formatValue={String}
          series={[
            { name: "Active", tone: "active", points: days((at) => (at < 4 ? null : 40 + at)) },
            {
              name: "Due",
              tone: "due",
              points: days((at) => (at === 2 ? 12 : at < 6 ? null : at)),
            },
            { name: "Ending", tone: "ending", points: days((at) => at % 3) },
          ]}
        />
        <BarChart
          label="Amount by age"
          labels={AGES}
          formatValue={String}
          series={[
            { name: "All", tone: "accent", points: points(800, 300, 0) },
            { name: "Likely", tone: "active", points: points(600, 200, 0) },
          ]}
        />
      </div>
    </Specimens>
  );
}
