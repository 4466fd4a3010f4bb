import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { summarizeTimes } from "./load.ts";
import type { HealthCommand } from "./health-process.ts";
import { stopProcess } from "./subject.ts";

/** Target p99 of `/healthz` in milliseconds, under any load. */
export const HEALTH_TARGET = 100;

export const healthP99 = (times: number[]) => summarizeTimes(times, 1).p99;

/** Requests `/healthz` twenty times a second from a separate process. */
export function startHealth() {
  const child = fork(join(import.meta.dirname, "health-process.ts"));
  const send = (order: HealthCommand) => child.send(order);
  return {
    /** @returns the result of the work, and the milliseconds of each answer during it */
    during: async <Result>(port: number, work: () => Promise<Result>) => {
      send({ begin: port });
      const result = await work();
      send({ end: true });
      const [health] = (await once(child, "message")) as [number[]];
      return { result, health };
    },
    close: () => stopProcess(child),
  };
}

/** Rows of a table of ratios: the worst p99 to its target, and to an idle service. */
export function healthRatios(beside: number[][], atRest: number[]): string[][] {
  const worst = Math.max(...beside.map(healthP99));
  const rest = healthP99(atRest);
  return [
    [
      "/healthz beside it, the worst p99 ms",
      worst.toFixed(2),
      `≤ ${HEALTH_TARGET}`,
      worst <= HEALTH_TARGET ? "met" : "MISSED",
    ],
    ["/healthz: the worst p99 / at rest", (worst / rest).toFixed(2), "", ""],
  ];
}
