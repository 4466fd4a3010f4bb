import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { startFaultProxy, type FaultName } from "../../testing/servers/fault-proxy.ts";
import { withTestbed, startServiceAndDashboard } from "./with-testbed.ts";
import type { TrialFault, Testbed } from "./testbed.ts";
import { ensureThat, waitUntil } from "./wait-until.ts";

async function openProxy(testbed: Testbed, target: string) {
  const proxy = await startFaultProxy(target);
  testbed.onClose(() => proxy.close());
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

const api: TrialFault = {
  name: "API down, slow, ugly",
  run: () =>
    withTestbed(async (testbed) => {
      const service = await testbed.startService();
      const proxy = await openProxy(testbed, service.url);
      const { sellerClient, dashboardClient } = await startServiceAndDashboard(testbed, {
        service,
        between: proxy.url,
      });
      const times: string[] = [];
      for (const [name, { read, write, isDone }] of Object.entries(EXPECTED)) {
        proxy.fault = { name: name as FaultName };
        const client = sellerClient.newBuyer();
        const [seen, made] = await Promise.all([
          dashboardClient.read(),
          dashboardClient.create(client),
        ]);
        ensureThat(seen === read, `${name}: a read was told ${seen}, not ${read}`);
        ensureThat(made === write, `${name}: a write was told ${made}, not ${write}`);
        proxy.fault = null;
        times.push(
          await waitUntil("the list", async () => (await dashboardClient.read()) === "200"),
        );
        const { rows } = await sellerClient.pool.query(
          "select 1 from subscription where right(phone, 10) = $1",
          [client.phone],
        );
        ensureThat(rows.length === Number(isDone), `${name}: ${rows.length} were made`);
      }
      return {
        got: `reads and writes in words for each of ${Object.keys(EXPECTED).join(", ")}`,
        kept: "each write was done once or not at all, as the answer said, or the answer was unknown",
        recovered: `with the next request, ${times.toSorted().at(-1)} s at most`,
      };
    }),
};

const HOARDER = `
const held = [];
process.on("SIGUSR2", () => setInterval(() => held.push(Array.from({ length: 1e5 }, (_, at) => ({ at }))), 1));
`;

const memory: TrialFault = {
  name: "out of memory",
  run: () =>
    withTestbed(async (testbed) => {
      const file = join(testbed.folder, "hoarder.mjs");
      await writeFile(file, HOARDER);
      const hoarding = `--max-old-space-size=96 --import ${pathToFileURL(file).href}`;
      const service = await testbed.startService({ NODE_OPTIONS: hoarding });
      const sellerClient = await testbed.openSellerClient(service);
      const endCreating = testbed.keepCreating(sellerClient);
      await delay(1_000);
      void service.stop("SIGUSR2");
      const code = await service.exited;
      ensureThat(/heap out of memory/.test(service.output()), `it ended otherwise: ${code}`);
      const began = performance.now();
      await testbed.startService();
      const before = sellerClient.acknowledged.size;
      await waitUntil("a creation", async () => sellerClient.acknowledged.size > before);
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      await endCreating();
      sellerClient.checkTold();
      const kept = await sellerClient.checkKept();
      return {
        got: `connections that broke until another process answered: ${sellerClient.told}`,
        kept,
        recovered: `a new process took over; it was ready and worked ${seconds} s after its start`,
      };
    }),
};

const killed: TrialFault = {
  name: "dashboard killed within a write",
  run: () =>
    withTestbed(async (testbed) => {
      const service = await testbed.startService();
      const proxy = await openProxy(testbed, service.url);
      const { dashboard, sellerClient, dashboardClient } = await startServiceAndDashboard(
        testbed,
        {
          service,
          between: proxy.url,
        },
      );
      const client = sellerClient.newBuyer();
      // In this fault the service has executed the write before its answer is sent.
      proxy.fault = { name: "slow", strikes: ({ method }) => method === "POST" };
      const made = dashboardClient.create(client);
      await waitUntil("the write", async () => {
        const { rows } = await sellerClient.pool.query(
          "select 1 from subscription where right(phone, 10) = $1",
          [client.phone],
        );
        return rows.length === 1;
      });
      await dashboard.stop("SIGKILL");
      const told = await made;
      ensureThat(told === "broken", `the write was told ${told}`);
      proxy.fault = null;
      const began = performance.now();
      await testbed.startDashboard(proxy.url);
      ensureThat(
        (await dashboardClient.read()) === "200",
        "the session ended with its process",
      );
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      // The user sends the form again; the service returns the existing pending subscription.
      ensureThat(
        (await dashboardClient.create(client)) === "ok",
        "the form could not be sent again",
      );
      const { rows } = await sellerClient.pool.query(
        "select 1 from subscription where right(phone, 10) = $1",
        [client.phone],
      );
      ensureThat(rows.length === 1, `there are ${rows.length}`);
      return {
        got: "a broken connection; the page keeps the input and says that the outcome is unknown",
        kept: "the subscription and the session; sending again creates no second one",
        recovered: `${seconds} s from the start of another process to the list, still signed in`,
      };
    }),
};

export const PROGRAM_FAULTS = [api, memory, killed];
