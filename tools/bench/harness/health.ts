import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { summarize } from "./load.ts";
import type { HealthOrder } from "./health-process.ts";
import { end } from "./subject.ts";

/** Milliseconds of `/healthz` at p99, whatever else the service has to do. */
export const HEALTH_AIM = 100;

export const healthP99 = (times: number[]) => summarize(times, 1).p99;

/** Asks for `/healthz` twenty times a second, from a process that has nothing else to do. */
export function startHealth() {
  const child = fork(join(import.meta.dirname, "health-process.ts"));
  const send = (order: HealthOrder) => child.send(order);
  return {
    /** @returns what the work came to, and the milliseconds of each answer meanwhile */
    during: async <Result>(port: number, work: () => Promise<Result>) => {
      send({ begin: port });
      const result = await work();
      send({ end: true });
      const [health] = (await once(child, "message")) as [number[]];
      return { result, health };
    },
    close: () => end(child),
  };
}

/** As further rows of a table of ratios: the worst p99 to its aim, and to a service at rest. */
export function healthRatios(beside: number[][], atRest: number[]): string[][] {
  const worst = Math.max(...beside.map(healthP99));
  const rest = healthP99(atRest);
  return [
    [
      "/healthz beside it, the worst p99 ms",
      worst.toFixed(2),
      `≤ ${HEALTH_AIM}`,
      worst <= HEALTH_AIM ? "met" : "MISSED",
    ],
    ["/healthz: the worst p99 / at rest", (worst / rest).toFixed(2), "", ""],
  ];
}
