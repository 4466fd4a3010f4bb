import { markdown } from "../../markdown.ts";
import { healthP99, healthRatios } from "./health.ts";
import type { LoadMeasurement } from "./load.ts";

export interface MeasuredRow extends LoadMeasurement {
  name: string;
  /** How many subscriptions the seller has. */
  size: number;
  /** Milliseconds of processor time that the service spends on a request. */
  processor?: number;
  /** The milliseconds of each `/healthz` request during the measurement. */
  health?: number[];
}

type Figure = "rate" | "p50" | "p95" | "p99" | "processor";

/** The medians over all rounds as a table, and the ratios with their targets. */
export function reportRounds(rows: MeasuredRow[], [small, large]: [number, number]): string {
  const median = (name: string, size: number, figure: Figure) =>
    medianOf(
      rows
        .filter((row) => row.name === name && row.size === size)
        .flatMap((row) => row[figure] ?? []),
    );
  const names = [...new Set(rows.map((row) => row.name))];
  const table = names.flatMap((name) =>
    [small, large]
      .filter((size) => rows.some((row) => row.name === name && row.size === size))
      .map((size) => {
        const figure = (key: Figure, places: number) => {
          const value = median(name, size, key);
          return Number.isNaN(value) ? "–" : value.toFixed(places);
        };
        const health = healthOf(rows, [name, size]);
        const times = (["p50", "p95", "p99"] as const).map((key) => figure(key, 2));
        return [
          name,
          size.toLocaleString("en"),
          figure("rate", 0),
          ...times,
          figure("processor", 2),
          health.length > 0 ? healthP99(health).toFixed(2) : "–",
        ];
      }),
  );
  const heads = [
    "request",
    "subscriptions",
    "req/s",
    "p50 ms",
    "p95 ms",
    "p99 ms",
    "CPU ms",
    "/healthz p99 ms",
  ];
  return [
    markdown([heads, ...table]),
    "",
    markdown([["ratio", "measured", "target", ""], ...ratios(rows, { small, large })]),
  ].join("\n");
}

/** Health times of all rounds together: one round has too few requests for a p99. */
const healthOf = (rows: MeasuredRow[], [name, size]: [string, number]) =>
  rows
    .filter((row) => row.name === name && row.size === size)
    .flatMap((row) => row.health ?? []);

interface Sizes {
  small: number;
  large: number;
}

/** The median of the rounds' ratios; both values of a round are measured within seconds. */
function costRatio(
  rows: MeasuredRow[],
  one: [string, number],
  other: [string, number],
): number {
  const rates = ([name, size]: [string, number]) =>
    rows.filter((row) => row.name === name && row.size === size).map((row) => row.rate);
  const others = rates(other);
  return medianOf(rates(one).map((rate, round) => (others[round] ?? 0) / rate));
}

export const FIRST_PAGE_ROW = "list, page 1";
export const DRIVER_ROW = "driver alone, page 1";
export const BARE_ROUTE_ROW = "bare route, same bytes";
export const IDLE_ROW = "nothing";
export const CREATE_ROW = "create";
export const CANCEL_ROW = "cancel";
const DEEP = "list, deep page";
const [FILTERED, FILTERED_DEEP] = ["filtered, page 1", "filtered, deep page"];

function ratios(rows: MeasuredRow[], { small, large }: Sizes): string[][] {
  const most = (name: string, value: number, target: number) =>
    line(name, value, `≤ ${target}`, value <= target);
  const least = (name: string, value: number, target: number) =>
    line(name, value, `≥ ${target}`, value >= target);
  const middle = (name: string, figure: "rate" | "p99") =>
    medianOf(
      rows.filter((row) => row.name === name && row.size === large).map((row) => row[figure]),
    );
  const processor = (size: number) =>
    medianOf(
      rows
        .filter((row) => row.name === FIRST_PAGE_ROW && row.size === size)
        .flatMap((row) => row.processor ?? []),
    );
  return [
    ...[
      FIRST_PAGE_ROW,
      DEEP,
      FILTERED,
      FILTERED_DEEP,
      "one record",
      CREATE_ROW,
      CANCEL_ROW,
    ].map((name) =>
      most(`${name}: large / small`, costRatio(rows, [name, large], [name, small]), 1.3),
    ),
    ...[small, large].flatMap((size) => [
      most(
        `list: deep / first, ${size}`,
        costRatio(rows, [DEEP, size], [FIRST_PAGE_ROW, size]),
        1.3,
      ),
      most(
        `filtered: deep / first, ${size}`,
        costRatio(rows, [FILTERED_DEEP, size], [FILTERED, size]),
        1.3,
      ),
      least(
        `list, page 1: rate / driver's, ${size}`,
        costRatio(rows, [DRIVER_ROW, size], [FIRST_PAGE_ROW, size]),
        0.5,
      ),
      most(`list, page 1: CPU ms, ${size}`, processor(size), 2),
    ]),
    ...[CREATE_ROW, CANCEL_ROW].flatMap((name) => [
      least(`${name}: a second, ${large}`, middle(name, "rate"), 200),
      most(`${name}: p99 ms, ${large}`, middle(name, "p99"), 100),
    ]),
    ...healthRatios(
      [...new Set(rows.map(({ name }) => name))]
        .filter((name) => name !== IDLE_ROW)
        .map((name) => healthOf(rows, [name, large]))
        .filter((times) => times.length > 0),
      healthOf(rows, [IDLE_ROW, large]),
    ),
    [
      "list, page 1: rate / bare route's",
      costRatio(rows, [BARE_ROUTE_ROW, small], [FIRST_PAGE_ROW, small]).toFixed(2),
      "",
      "",
    ],
  ];
}

const line = (name: string, value: number, target: string, isMet: boolean) => [
  name,
  value.toFixed(2),
  target,
  isMet ? "met" : "MISSED",
];

/** The median, the upper of two in the middle; NaN for an empty list. */
export function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
