import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { onStage, openAll } from "./on-stage.ts";
import type { Fault, Stage } from "./stage.ts";
import { hold, untilSo } from "./until-so.ts";

const SLOW = 500;
const MANY = 10_000;
/** Beside both ends of each connection, which are in two processes, what else a process has open. */
const SPARE = 500;

/** Milliseconds, of `times` requests one after the other. */
async function p99(ask: () => Promise<boolean>, times = 100): Promise<string> {
  const took: number[] = [];
  for (let at = 0; at < times; at += 1) {
    const began = performance.now();
    hold(await ask(), "somebody else was not answered");
    took.push(performance.now() - began);
  }
  return (took.toSorted((a, b) => a - b)[Math.floor(times * 0.99)] ?? 0).toFixed(0);
}

const healthy = (url: string) => async () => (await fetch(`${url}/healthz`)).ok;

function open(stage: Stage, url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "localhost");
  socket.on("error", () => {});
  stage.onClose(() => socket.destroy());
  return new Promise((resolve, reject) => {
    socket.once("connect", () => resolve(socket));
    socket.once("error", reject);
  });
}

const slow: Fault = {
  name: "slow clients",
  run: () =>
    onStage(async (stage) => {
      const service = await stage.startService();
      const { dashboard, desk } = await openAll(stage, { service });
      const told: string[] = [];
      for (const { url } of [service, dashboard]) {
        const sockets = await Promise.all(Array.from({ length: SLOW }, () => open(stage, url)));
        let left = SLOW;
        for (const socket of sockets) {
          socket.once("close", () => (left -= 1));
          socket.resume();
          socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-slow: ");
        }
        // A letter now and then, and never an end.
        const drip = setInterval(
          () => sockets.forEach((one) => one.writable && one.write("a")),
          200,
        );
        stage.onClose(() => clearInterval(drip));
        const others = await p99(healthy(url));
        const seconds = await untilSo("the last of them is let go", async () => left === 0);
        clearInterval(drip);
        told.push(`p99 of others ${others} ms, all ${SLOW} let go after ${seconds} s`);
      }
      hold((await desk.read()) === "200", "the list is not there");
      return {
        got: `service: ${told[0]}; dashboard: ${told[1]}`,
        kept: "everything: they never got as far as a request",
        recovered: "by itself, the time for a request's headers is 10 s and 15 s",
      };
    }),
};

/** How many files a process may have open here. */
function mostFiles(): number {
  const limit = /Max open files\s+(\d+)/.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  return Number(limit ?? 0);
}

const many: Fault = {
  name: "10,000 open connections",
  lacks: () => {
    if (process.platform !== "linux") return "the limit of open files is read on Linux";
    return mostFiles() >= MANY + SPARE
      ? null
      : `a process may have ${mostFiles()} files open here: ulimit -n ${MANY + SPARE}`;
  },
  run: () =>
    onStage(async (stage) => {
      const service = await stage.startService();
      const { dashboard, trade, desk } = await openAll(stage, { service });
      const told: string[] = [];
      for (const { url } of [service, dashboard]) {
        const sockets: Socket[] = [];
        let answered = 0;
        while (sockets.length < MANY) {
          const some = await Promise.all(Array.from({ length: 200 }, () => open(stage, url)));
          for (const socket of some) {
            socket.once("data", () => (answered += 1));
            socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
          }
          sockets.push(...some);
          await untilSo("they are answered", async () => answered === sockets.length);
        }
        const held = sockets.filter(({ readyState }) => readyState === "open").length;
        const health = await p99(healthy(url));
        const list = await p99(async () =>
          url === service.url
            ? (await trade.call("/api/v1/subscriptions/")).ok
            : (await desk.read()) === "200",
        );
        hold(held === MANY, `${held} were open`);
        told.push(
          `${held} answered and held open; beside them p99 of /healthz ${health} ms, of the list ${list} ms`,
        );
        for (const socket of sockets) socket.destroy();
        await delay(500);
        hold(await healthy(url)(), "it does not answer afterwards");
      }
      return {
        got: `service: ${told[0]}; dashboard: ${told[1]}`,
        kept: "everything",
        recovered: "at once, when they went",
      };
    }),
};

export const CLIENT_FAULTS = [slow, many];
