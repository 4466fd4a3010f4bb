import { expect, test } from "vitest";
import { pointText, seriesSummaryOf, type ChartPoint } from "./chart-series.ts";

const label = (name: string) => ({ name, short: name });
const points = (...values: (number | null)[]): ChartPoint[] =>
  values.map((value) => ({ value, text: value === null ? "not known" : String(value) }));

test("a chart's point is described in text by its label and the value of each series", () => {
  const series = [
    { name: "Active", tone: "active", points: points(1, null) },
    { name: "Due", tone: "due", points: points(0, 2) },
  ] as const;
  const chart = { labels: [label("Monday"), label("Tuesday")], series };
  expect(pointText(chart, 0)).toBe("Monday, Active: 1, Due: 0");
  expect(pointText(chart, 1)).toBe("Tuesday, Active: not known, Due: 2");
  expect(seriesSummaryOf(chart)).toBe(
    "Monday, Active: 1, Due: 0. Tuesday, Active: not known, Due: 2.",
  );
});

test("the text of a chart with many points names only the first and the last known point", () => {
  const labels = Array.from({ length: 9 }, (_day, at) => label(`Day ${at + 1}`));
  const known = points(null, null, 5, 6, 7, 8, 9, 10, null);
  const series = [{ name: "Active", tone: "active", points: known }] as const;
  expect(seriesSummaryOf({ labels, series })).toBe("Day 3, Active: 5. Day 8, Active: 10.");
  const none = [
    { name: "Active", tone: "active", points: labels.map(() => ({ value: null, text: "" })) },
  ] as const;
  expect(seriesSummaryOf({ labels, series: none })).toBe("");
});
