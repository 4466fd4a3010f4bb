import { markdown } from "../../markdown.ts";
import type { AddedLatency, PageRate, LatencyPart } from "./dashboard-added.ts";
import { API_DELAY_MS, type Sample } from "./dashboard-browser.ts";
import type { ServerUnderLoad } from "./dashboard-sellers.ts";
import { DEVICES } from "./dashboard-visitor.ts";
import { medianOf } from "../harness/report.ts";

const ADDED_AIM_MS = 3;

/** A measurement with its number of subscriptions. */
export interface SizedMeasurement<Value> {
  size: number;
  found: Value[];
}

const count = (number: number) => number.toLocaleString("en");
const verdict = (isMet: boolean) => (isMet ? "met" : "MISSED");

export function reportAddedLatency(all: SizedMeasurement<AddedLatency>[]): string {
  const rows = all.flatMap(({ size, found }) =>
    found.map(({ name, direct, dashboard, added }) => [
      name,
      count(size),
      ...[direct, dashboard, added].map((time) => time.toFixed(2)),
      (dashboard / direct).toFixed(1),
      verdict(added <= ADDED_AIM_MS),
    ]),
  );
  const heads = ["call", "subscriptions", "API p50 ms", "dashboard p50 ms", "adds ms", "ratio"];
  return markdown([[...heads, `≤ ${ADDED_AIM_MS} ms`], ...rows]);
}

export function reportLatencyParts(parts: LatencyPart[]): string {
  const rows = parts.map(({ name, time }) => [name, time.toFixed(2)]);
  return markdown([["of which, by itself", "p50 ms"], ...rows]);
}

export function reportRates(all: SizedMeasurement<PageRate>[]): string {
  const rows = all.flatMap(({ size, found }) =>
    found.map(({ name, rate, p50, p95, processor }) => [
      name,
      count(size),
      rate.toFixed(0),
      (rate / (found[0]?.rate ?? 1)).toFixed(2),
      p50.toFixed(1),
      p95.toFixed(1),
      processor.toFixed(1),
    ]),
  );
  const heads = [
    "eight at once",
    "subscriptions",
    "a second",
    "of the first",
    "p50 ms",
    "p95 ms",
  ];
  return markdown([[...heads, "CPU ms"], ...rows]);
}

interface Goal {
  /** The largest allowed ratio to the plain table. */
  ratio?: number;
  most?: number;
}

const KIB = 1_024;
const VISIT_ROWS: [figure: Sample["figure"], words: string, goal: Goal, unit?: number][] = [
  ["cold", "first row, cold, ms", { ratio: 1.5 }],
  ["warm", "first row, warm, ms", { ratio: 1.5 }],
  ["nextAtFirstRow", "next pressed at the first row, cold, ms", { ratio: 1.8 }],
  ["filter", "filter, ms", { ratio: 1 }],
  ["next", "next page, ms", { ratio: 0.5 }],
  ["open", "open a record, ms", { ratio: 0.5 }],
  ["back", "back, ms", { ratio: 0.5 }],
  ["bytes", "received until quiet, cold, KiB", { most: 230 }, KIB],
  ["scripts", "of it scripts, KiB", { most: 175 }, KIB],
  ["requests", "requests, cold", { most: 20 }],
  ["actionBytes", "received in 14 actions, KiB", { most: 60 }, KIB],
  ["blocked", "main thread blocked on load, ms", { most: 80 }],
  ["html", "HTML decoded, KiB", { most: 60 }, KIB],
  ["elements", "elements", {}],
];

/** Medians on each device, of the dashboard and the plain table. */
export function reportVisits({ size, found }: SizedMeasurement<Sample>): string {
  const devices = DEVICES.filter((device) => found.some((sample) => sample.device === device));
  const rows = VISIT_ROWS.map(([figure, words, { ratio, most }, unit = 1]) => {
    const measured = devices.map((device) => {
      const middle = (subject: Sample["subject"]) =>
        medianOf(
          found
            .filter((one) => one.device === device && one.subject === subject)
            .flatMap((one) => (one.figure === figure ? one.value / unit : [])),
        );
      return { own: middle("Duebook"), table: middle("table") };
    });
    const isMet = measured.every(
      ({ own, table }) =>
        (most === undefined || own <= most) && (ratio === undefined || own / table <= ratio),
    );
    const goal = ratio ? `≤ ${ratio.toFixed(1)} ×` : `≤ ${most}`;
    return [
      words,
      ...measured.flatMap(({ own, table }) => [
        own.toFixed(0),
        table.toFixed(0),
        table >= 1 ? (own / table).toFixed(2) : "–",
      ]),
      ...(ratio || most ? [goal, verdict(isMet)] : ["", ""]),
    ];
  });
  const heads = devices.flatMap((device) => [device, "table", "ratio"]);
  const title = `${count(size)} subscriptions, API +${API_DELAY_MS} ms`;
  return markdown([[title, ...heads, "goal", ""], ...rows]);
}

export function reportSellers(atWork: ServerUnderLoad): string {
  const { sellers, seconds, idle, memory, dashboard, service, answers, faults } = atWork;
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
  const rows = [
    ["memory, nobody there", `${idle.toFixed(0)} MiB`],
    ["memory, at work", `${memory.toFixed(0)} MiB`],
    ["dashboard, of one processor", percent(dashboard)],
    ["service, of one processor", percent(service)],
    ["answers a second", (answers / seconds).toFixed(1)],
    [
      "p50, p95, p99",
      [atWork.p50, atWork.p95, atWork.p99].map((ms) => `${ms.toFixed(0)} ms`).join(", "),
    ],
    ["unexpected answers", faults.length === 0 ? "none" : faults.join("; ")],
  ];
  return markdown([[`${sellers} sellers at work for ${seconds} s`, ""], ...rows]);
}
