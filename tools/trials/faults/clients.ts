import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { withTestbed, startServiceAndDashboard } from "./with-testbed.ts";
import type { TrialFault, RunningProgram, Testbed } from "./testbed.ts";
import { ensureThat, waitUntil } from "./wait-until.ts";

const SLOW = 500;
const MANY = 10_000;
/** The number of files that a process may have open besides its connections. */
const SPARE = 500;

/** Measures the p99 of sequential requests in milliseconds. */
async function p99(ask: () => Promise<boolean>, times = 100): Promise<string> {
  const took: number[] = [];
  for (let at = 0; at < times; at += 1) {
    const began = performance.now();
    ensureThat(await ask(), "another client got no answer");
    took.push(performance.now() - began);
  }
  return (took.toSorted((a, b) => a - b)[Math.floor(times * 0.99)] ?? 0).toFixed(0);
}

const healthy = (url: string) => async () => (await fetch(`${url}/healthz`)).ok;

function open(testbed: Testbed, url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "localhost");
  socket.on("error", () => {});
  testbed.onClose(() => socket.destroy());
  return new Promise((resolve, reject) => {
    socket.once("connect", () => resolve(socket));
    socket.once("error", reject);
  });
}

const slow: TrialFault = {
  name: "slow clients",
  run: () =>
    withTestbed(async (testbed) => {
      const service = await testbed.startService();
      const { dashboard, dashboardClient } = await startServiceAndDashboard(testbed, {
        service,
      });
      const told: string[] = [];
      for (const { url } of [service, dashboard]) {
        const sockets = await Promise.all(
          Array.from({ length: SLOW }, () => open(testbed, url)),
        );
        let left = SLOW;
        for (const socket of sockets) {
          socket.once("close", () => (left -= 1));
          socket.resume();
          socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-slow: ");
        }
        // Sends one character at intervals, and never ends the header.
        const drip = setInterval(
          () => sockets.forEach((one) => one.writable && one.write("a")),
          200,
        );
        testbed.onClose(() => clearInterval(drip));
        const others = await p99(healthy(url));
        const seconds = await waitUntil(
          "the last connection is closed",
          async () => left === 0,
        );
        clearInterval(drip);
        told.push(`p99 of others ${others} ms, all ${SLOW} closed after ${seconds} s`);
      }
      ensureThat((await dashboardClient.read()) === "200", "the list is not there");
      return {
        got: `service: ${told[0]}; dashboard: ${told[1]}`,
        kept: "everything: no request was complete",
        recovered: "by itself: the timeout for request headers is 10 s and 15 s",
      };
    }),
};

/**
 * The number of connections, and of requests that each sends at once: for an attack, and for a
 * heavy user.
 */
const MUTE = [
  { connections: 20, requests: 1_200 },
  { connections: 100, requests: 50 },
];

const openFiles = ({ pid }: RunningProgram) => readdirSync(`/proc/${pid}/fd`).length;
const memory = ({ pid }: RunningProgram) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;

/** The largest script for clients without Brotli: the server reads it from a file that stays open while it is sent. */
async function largestScript(url: string): Promise<string> {
  const page = await (await fetch(`${url}/sign-in`)).text();
  const paths = new Set(page.match(/\/_next\/static\/[^"'\\]+\.js/g));
  const sizes = await Promise.all(
    [...paths].map(async (path) => {
      const plain = { headers: { "accept-encoding": "identity" } };
      return { path, size: (await (await fetch(url + path, plain)).arrayBuffer()).byteLength };
    }),
  );
  const [largest] = sizes.toSorted((a, b) => b.size - a.size);
  ensureThat(largest !== undefined, "the page has no script");
  return largest.path;
}

const mute: TrialFault = {
  name: "clients that never read",
  lacks: () => (process.platform === "linux" ? null : "open files are counted on Linux"),
  run: () =>
    withTestbed(async (testbed) => {
      const service = await testbed.startService();
      const { dashboard } = await startServiceAndDashboard(testbed, { service });
      const told: string[] = [];
      for (const [program, path] of [
        [service, "/api/openapi.json"],
        [dashboard, await largestScript(dashboard.url)],
      ] as const) {
        const before = openFiles(program);
        for (const { connections, requests } of MUTE) {
          const began = memory(program);
          const all = Array.from({ length: connections }, () => open(testbed, program.url));
          for (const socket of await Promise.all(all))
            socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(requests));
          const others = await p99(healthy(program.url));
          const files = openFiles(program) - before;
          const more = Math.max(0, memory(program) - began).toFixed(0);
          ensureThat(
            files <= 3 * connections,
            `${files} files are open for ${connections} connections`,
          );
          const seconds = await waitUntil(
            "the connections are closed",
            async () => openFiles(program) <= before + 5,
          );
          told.push(
            `${connections} × ${requests}: ${files} files, ${more} MB, p99 of others ${others} ms, closed after ${seconds} s`,
          );
        }
        ensureThat(
          /"event":"limit.reached"/.test(program.output()),
          "the log does not report it",
        );
      }
      const half = told.length / 2;
      return {
        got: `service: ${told.slice(0, half).join("; ")}; dashboard: ${told.slice(half).join("; ")}`,
        kept: "everything",
        recovered: "by itself; the log says limit.reached",
      };
    }),
};

/** The limit of open files of a process. */
function mostFiles(): number {
  const limit = /Max open files\s+(\d+)/.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  return Number(limit ?? 0);
}

const many: TrialFault = {
  name: "10,000 open connections",
  lacks: () => {
    if (process.platform !== "linux") return "the limit of open files is read on Linux";
    return mostFiles() >= MANY + SPARE
      ? null
      : `a process may have ${mostFiles()} files open here: ulimit -n ${MANY + SPARE}`;
  },
  run: () =>
    withTestbed(async (testbed) => {
      const service = await testbed.startService();
      const { dashboard, sellerClient, dashboardClient } = await startServiceAndDashboard(
        testbed,
        { service },
      );
      const told: string[] = [];
      for (const { url } of [service, dashboard]) {
        const sockets: Socket[] = [];
        let answered = 0;
        while (sockets.length < MANY) {
          const some = await Promise.all(Array.from({ length: 200 }, () => open(testbed, url)));
          for (const socket of some) {
            socket.once("data", () => (answered += 1));
            socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
          }
          sockets.push(...some);
          await waitUntil("they are answered", async () => answered === sockets.length);
        }
        const held = sockets.filter(({ readyState }) => readyState === "open").length;
        const health = await p99(healthy(url));
        const list = await p99(async () =>
          url === service.url
            ? (await sellerClient.call("/api/v1/subscriptions/")).ok
            : (await dashboardClient.read()) === "200",
        );
        ensureThat(held === MANY, `${held} were open`);
        told.push(
          `${held} answered and held open; beside them p99 of /healthz ${health} ms, of the list ${list} ms`,
        );
        for (const socket of sockets) socket.destroy();
        await delay(500);
        ensureThat(await healthy(url)(), "it does not answer afterwards");
      }
      return {
        got: `service: ${told[0]}; dashboard: ${told[1]}`,
        kept: "everything",
        recovered: "at once, when the connections closed",
      };
    }),
};

export const CLIENT_FAULTS = [slow, mute, many];
