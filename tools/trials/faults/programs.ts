import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { startFaultProxy, type FaultName } from "../../testing/fault-proxy.ts";
import { onStage, openAll } from "./with-testbed.ts";
import type { Fault, Stage } from "./testbed.ts";
import { hold, untilSo } from "./wait-until.ts";

async function openProxy(stage: Stage, target: string) {
  const proxy = await startFaultProxy(target);
  stage.onClose(() => proxy.close());
  return proxy;
}

const EXPECTED: Partial<Record<FaultName, { read: string; write: string; isDone: boolean }>> = {
  reset_before: { read: "503 unavailable", write: "unavailable", isDone: false },
  html_500: { read: "503 unavailable", write: "unavailable", isDone: false },
  cut_json: { read: "502 unexpected", write: "unavailable", isDone: true },
  reset_after: { read: "503 unavailable", write: "unavailable", isDone: true },
  rate_limited: { read: "429 rate_limited", write: "rate_limited", isDone: false },
  slow: { read: "200", write: "ok", isDone: true },
  hang: { read: "503 unavailable", write: "unavailable", isDone: false },
};

const api: Fault = {
  name: "API down, slow, ugly",
  run: () =>
    onStage(async (stage) => {
      const service = await stage.startService();
      const proxy = await openProxy(stage, service.url);
      const { trade, desk } = await openAll(stage, { service, between: proxy.url });
      const times: string[] = [];
      for (const [name, { read, write, isDone }] of Object.entries(EXPECTED)) {
        proxy.fault = { name: name as FaultName };
        const client = trade.newBuyer();
        const [seen, made] = await Promise.all([desk.read(), desk.create(client)]);
        hold(seen === read, `${name}: a read was told ${seen}, not ${read}`);
        hold(made === write, `${name}: a write was told ${made}, not ${write}`);
        proxy.fault = null;
        times.push(await untilSo("the list", async () => (await desk.read()) === "200"));
        const { rows } = await trade.pool.query(
          "select 1 from subscription where right(phone, 10) = $1",
          [client.phone],
        );
        hold(rows.length === Number(isDone), `${name}: ${rows.length} were made`);
      }
      return {
        got: `reads and writes in words for each of ${Object.keys(EXPECTED).join(", ")}`,
        kept: "each write was done once or not at all, as it was told or as unknown",
        recovered: `with the next request, ${times.toSorted().at(-1)} s at most`,
      };
    }),
};

const HOARDER = `
const held = [];
process.on("SIGUSR2", () => setInterval(() => held.push(Array.from({ length: 1e5 }, (_, at) => ({ at }))), 1));
`;

const memory: Fault = {
  name: "out of memory",
  run: () =>
    onStage(async (stage) => {
      const file = join(stage.folder, "hoarder.mjs");
      await writeFile(file, HOARDER);
      const hoarding = `--max-old-space-size=96 --import ${pathToFileURL(file).href}`;
      const service = await stage.startService({ NODE_OPTIONS: hoarding });
      const trade = await stage.openTrade(service);
      const endCreating = stage.keepCreating(trade);
      await delay(1_000);
      void service.stop("SIGUSR2");
      const code = await service.exited;
      hold(/heap out of memory/.test(service.output()), `it ended otherwise: ${code}`);
      const began = performance.now();
      await stage.startService();
      const before = trade.acknowledged.size;
      await untilSo("a creation", async () => trade.acknowledged.size > before);
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      await endCreating();
      trade.checkTold();
      const kept = await trade.checkKept();
      return {
        got: `connections that broke until another process answered: ${trade.told}`,
        kept,
        recovered: `a new process took over; it was ready and worked ${seconds} s after its start`,
      };
    }),
};

const killed: Fault = {
  name: "dashboard killed within a write",
  run: () =>
    onStage(async (stage) => {
      const service = await stage.startService();
      const proxy = await openProxy(stage, service.url);
      const { dashboard, trade, desk } = await openAll(stage, { service, between: proxy.url });
      const client = trade.newBuyer();
      // The service has done it before its answer is on the way.
      proxy.fault = { name: "slow", strikes: ({ method }) => method === "POST" };
      const made = desk.create(client);
      await untilSo("the write", async () => {
        const { rows } = await trade.pool.query(
          "select 1 from subscription where right(phone, 10) = $1",
          [client.phone],
        );
        return rows.length === 1;
      });
      await dashboard.stop("SIGKILL");
      const told = await made;
      hold(told === "broken", `the write was told ${told}`);
      proxy.fault = null;
      const began = performance.now();
      await stage.startDashboard(proxy.url);
      hold((await desk.read()) === "200", "the session did not outlive its process");
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      // Sent once more by whoever saw it break: the pending one is used again.
      hold((await desk.create(client)) === "ok", "it could not be sent again");
      const { rows } = await trade.pool.query(
        "select 1 from subscription where right(phone, 10) = $1",
        [client.phone],
      );
      hold(rows.length === 1, `there are ${rows.length}`);
      return {
        got: "a connection that broke; the page keeps what was typed and says that it is not known",
        kept: "the subscription and the session; sent once more, it is still one",
        recovered: `${seconds} s from the start of another process to the list, still signed in`,
      };
    }),
};

export const PROGRAM_FAULTS = [api, memory, killed];
