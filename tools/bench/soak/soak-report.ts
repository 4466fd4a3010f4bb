import { markdown } from "../../markdown.ts";
import { summarizeTimes } from "../harness/load.ts";
import type { Answer } from "./soak-work.ts";
import { median, trendOf } from "../harness/trend.ts";

export interface MinuteMeasurement {
  dashboardRss: number;
  dashboardHeap: number;
  dashboardHandles: number;
  serviceRss: number;
  serviceHeap: number;
  serviceHandles: number;
  connections: number;
  /** Seconds of processor time of both programs. */
  processor: number;
  /** Milliseconds of a fixed piece of work, to compare the answers with. */
  floor: number;
  /** Start and end of the minute, by performance.now(). */
  begun: number;
  ended: number;
}

type Watched = Exclude<keyof MinuteMeasurement, "floor" | "processor" | "begun" | "ended">;

const MIB = 1_048_576;
const whole = (value: number) => value.toFixed(0);
/**
 * Minimum growth of handles and connections that counts, because twenty people open different
 * numbers of them.
 */
const LEAST_COUNT = 10;
const mebibytes = (value: number) => (value / MIB).toFixed(1);
const WATCHED: [key: Watched, head: string, show: (value: number) => string][] = [
  ["dashboardRss", "dashboard: resident MiB", mebibytes],
  ["dashboardHeap", "dashboard: live heap MiB", mebibytes],
  ["dashboardHandles", "dashboard: file handles", whole],
  ["serviceRss", "service: resident MiB", mebibytes],
  ["serviceHeap", "service: live heap MiB", mebibytes],
  ["serviceHandles", "service: file handles", whole],
  ["connections", "database connections", whole],
];

/** The median times by kind of request, so that another mix of kinds changes nothing. */
function usualTimes(answers: Answer[]): (answer: Answer) => number {
  const middles = new Map(
    [...Map.groupBy(answers, ({ name }) => name)].map(([name, all]) => [
      name,
      median(all.map(({ took }) => took)),
    ]),
  );
  return ({ name }) => middles.get(name) ?? Number.NaN;
}

const within = (answers: Answer[], { begun, ended }: MinuteMeasurement) =>
  answers.filter(({ at }) => at >= begun && at < ended);

/**
 * The watched values, and ratios that depend little on other load: processor time to the answers'
 * usual times, and the answers' slowness to that of a fixed piece of work.
 */
function seriesOf(minutes: MinuteMeasurement[], answers: Answer[]): Series[] {
  const usual = usualTimes(answers);
  const middleFloor = median(minutes.map(({ floor }) => floor));
  const byFloor = (part: "p50" | "p95") =>
    minutes.map((minute) => {
      const slowness = within(answers, minute).map((one) => one.took / usual(one));
      return summarizeTimes(slowness, 1)[part] / (minute.floor / middleFloor);
    });
  const processor = minutes.map((minute) => {
    const times = within(answers, minute).map(usual);
    return (minute.processor * 1_000) / times.reduce((sum, time) => sum + time, 0);
  });
  const ratio = (value: number) => value.toFixed(2);
  return [
    ...WATCHED.map(([key, head, show]): Series => [
      head,
      minutes.map((minute) => minute[key]),
      show,
    ]),
    ["processor time to the answers' usual time", processor, ratio],
    ["answers' p50 to the baseline", byFloor("p50"), ratio],
    ["answers' p95 to the baseline", byFloor("p95"), ratio],
  ];
}

type Series = [head: string, values: number[], show: (value: number) => string];

/** The line that is printed for a minute while the benchmark runs. */
export function minuteLine(
  number: number,
  minute: MinuteMeasurement,
  answers: Answer[],
  faults: ReadonlyMap<string, number>,
): string {
  const own = within(answers, minute);
  const { p50, p95, p99 } = summarizeTimes(
    own.map(({ took }) => took),
    1,
  );
  const [rss, heap] = [minute.dashboardRss, minute.dashboardHeap].map(mebibytes);
  const [serviceRss, serviceHeap] = [minute.serviceRss, minute.serviceHeap].map(mebibytes);
  return [
    String(number).padStart(3),
    `dashboard ${rss} MiB (heap ${heap}), ${minute.dashboardHandles} handles`,
    `service ${serviceRss} MiB (heap ${serviceHeap}), ${minute.serviceHandles} handles`,
    `${minute.connections} connections`,
    `${own.length} answers, p50 ${p50.toFixed(0)} p95 ${p95.toFixed(0)} p99 ${p99.toFixed(0)} ms`,
    `floor ${minute.floor.toFixed(1)} ms`,
    faults.size === 0
      ? "no faults"
      : [...faults].map(([words, times]) => `${times} × ${words}`).join(", "),
  ].join(" · ");
}

/** Evaluates the run. @returns the tables, and whether no value grew */
export function reportSoak(minutes: MinuteMeasurement[], answers: Answer[]) {
  const series = seriesOf(minutes, answers);
  const trends = series.map(([head, values, show]) => ({
    head,
    show,
    first: values[0] ?? Number.NaN,
    trend: trendOf(values, show === whole ? LEAST_COUNT : 0),
  }));
  const rows = trends.map(({ head, show, first, trend }) => [
    head,
    show(first),
    show(trend.from),
    show(trend.to),
    `${trend.growth >= 0 ? "+" : "−"}${Math.abs(trend.growth * 100).toFixed(1)} %`,
    trend.isFlat ? "met" : "MISSED",
  ]);
  const heads = ["watched", "at first", "after a third", "at the end", "growth", "≤ 5 %"];
  return {
    text: [markdown([heads, ...rows]), "", timesOf(answers)].join("\n"),
    isFlat: trends.every(({ trend }) => trend.isFlat),
  };
}

function timesOf(answers: Answer[]): string {
  const kinds = [...Map.groupBy(answers, ({ name }) => name)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  const rows = [...kinds, ["all", answers] as const].map(([name, all]) => {
    const { p50, p95, p99 } = summarizeTimes(
      all.map(({ took }) => took),
      1,
    );
    return [
      name,
      all.length.toLocaleString("en"),
      ...[p50, p95, p99].map((one) => one.toFixed(0)),
    ];
  });
  return markdown([["asked", "answers", "p50 ms", "p95 ms", "p99 ms"], ...rows]);
}
