import { markdown } from "../../markdown.ts";
import type { AddedLatency, PageRate, LatencyPart } from "./dashboard-added.ts";
import { STEPS, type Step, type Visit } from "./dashboard-browser.ts";
import type { ServerUnderLoad } from "./dashboard-sellers.ts";
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

export function reportVisits(all: SizedMeasurement<Visit>[]): string {
  const rows = all.flatMap(({ size, found }) =>
    [...Map.groupBy(found, ({ latency }) => latency)].flatMap(([latency, own]) =>
      (["plain", "cold", "warm"] as const).map((state) => {
        const visits = own.filter((visit) => visit.state === state);
        const middle = (step: Step) =>
          medianOf(visits.flatMap(({ times }) => times[step] ?? []));
        const plain = own.filter((visit) => visit.state === "plain");
        const floor = medianOf(plain.flatMap(({ times }) => times["first row"] ?? []));
        const shown = STEPS.map((step) => {
          const time = middle(step);
          return Number.isNaN(time) ? "–" : time.toFixed(0);
        });
        const kib = (bytes: (visit: Visit) => number) =>
          (medianOf(visits.map(bytes)) / 1_024).toFixed(0);
        return [
          count(size),
          String(latency),
          state,
          ...shown,
          (middle("first row") / floor).toFixed(1),
          kib(({ scripts }) => scripts),
          kib(({ bytes }) => bytes),
        ];
      }),
    ),
  );
  const heads = ["subscriptions", "API ms", "", ...STEPS.map((step) => `${step} ms`)];
  return markdown([[...heads, "first row to plain", "scripts KiB", "all KiB"], ...rows]);
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
