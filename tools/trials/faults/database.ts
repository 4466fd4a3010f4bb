import { readFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { runSystem } from "../../programs.ts";
import { withTestbed, startServiceAndDashboard } from "./with-testbed.ts";
import { startRelay } from "../../testing/servers/relay.ts";
import { fillDisk } from "./small-disk.ts";
import { Testbed, type TrialFault, type RunningProgram } from "./testbed.ts";
import { ensureThat, waitUntil } from "./wait-until.ts";

const AWAY_MS = 5_000;

const gone: TrialFault = {
  name: "database killed and back",
  run: () =>
    withTestbed(async (testbed) => {
      const service = await testbed.startService();
      const { dashboard, sellerClient, dashboardClient } = await startServiceAndDashboard(
        testbed,
        { service },
        { MIRROR_WORKER: "here" },
      );
      const endCreating = testbed.keepCreating(sellerClient);
      await delay(1_000);
      const pid = readFileSync(join(testbed.data, "postgres/cluster/postmaster.pid"), "utf8");
      process.kill(Number(pid.split("\n")[0]), "SIGKILL");
      await delay(AWAY_MS / 2);
      const [read, page, write] = [
        await dashboardClient.read(),
        await dashboardClient.page(),
        await dashboardClient.create(),
      ];
      ensureThat(read === "503 unavailable", `a read of the dashboard was told ${read}`);
      ensureThat(page.status === 503, `its page said ${page.status}`);
      ensureThat(write === "unavailable", `a write was told ${write} without a database`);
      await delay(AWAY_MS / 2);
      await testbed.restartPostgres();
      const before = sellerClient.acknowledged.size;
      const service_s = await waitUntil(
        "a creation",
        async () => sellerClient.acknowledged.size > before,
      );
      const desk_s = await waitUntil(
        "the list",
        async () => (await dashboardClient.read()) === "200",
      );
      await endCreating();
      sellerClient.checkTold();
      ensureThat(sellerClient.told.includes("503"), `the service said ${sellerClient.told}`);
      const kept = await sellerClient.checkKept();
      for (const program of [service, dashboard]) linesAboutIt(program);
      return {
        got: `service: ${sellerClient.told}; dashboard: read ${read}, page ${page.status}, write ${write}`,
        kept,
        recovered: `service ${service_s} s, dashboard ${desk_s} s after PostgreSQL was back, without an operator`,
      };
    }),
};

/** The fault of a network whose router silently drops open connections and accepts new ones. */
const silent: TrialFault = {
  name: "connections to the database fall silent",
  run: () =>
    withTestbed(async (testbed) => {
      const [services, desks] = await Promise.all(
        ["service", "dashboard"].map(async (name) => {
          const relay = await startRelay(testbed.postgres.url(name));
          testbed.onClose(() => relay.close());
          return relay;
        }),
      );
      ensureThat(services !== undefined && desks !== undefined, "both relays are needed");
      const service = await testbed.startService({ SERVICE_DATABASE_URL: services.url });
      const { dashboard, sellerClient, dashboardClient } = await startServiceAndDashboard(
        testbed,
        { service },
        { DATABASE_URL: desks.url, MIRROR_WORKER: "here" },
      );
      const endCreating = testbed.keepCreating(sellerClient);
      await waitUntil("a creation", async () => sellerClient.acknowledged.size > 10);
      for (const relay of [services, desks]) relay.silence();
      const before = sellerClient.acknowledged.size;
      const read = dashboardClient.read();
      const service_s = await waitUntil(
        "a creation",
        async () => sellerClient.acknowledged.size > before,
      );
      const told = await read;
      ensureThat(told === "503 unavailable", `a read of the dashboard was told ${told}`);
      const desk_s = await waitUntil(
        "the list",
        async () => (await dashboardClient.read()) === "200",
      );
      await endCreating();
      sellerClient.checkTold();
      const lines = [service, dashboard].map(linesAboutIt);
      return {
        got: `service: ${sellerClient.told}; dashboard: read ${told}; lines of the log: ${lines.join(" and ")}`,
        kept: await sellerClient.checkKept(),
        recovered: `service ${service_s} s, dashboard ${desk_s} s more, without an operator`,
      };
    }),
};

/**
 * Counts the log lines about the outage.
 * @throws CommandFailure unless there is exactly one, with the cause
 */
function linesAboutIt({ output }: RunningProgram): number {
  const lines = output()
    .split("\n")
    .filter((line) => line.includes('"level":"error"'));
  ensureThat(
    lines.length === 1,
    `${lines.length} lines of the log: ${lines.slice(0, 3).join(" ")}`,
  );
  ensureThat(/"msg":"the database is away"/.test(lines[0] ?? ""), `it said ${lines[0]}`);
  ensureThat(/"cause":"[^"]+"/.test(lines[0] ?? ""), `it gave no cause: ${lines[0]}`);
  return lines.length;
}

const SIZE = "192m";

/** The fault of a full disk: fills a small disk in memory, and frees it again. */
const full: TrialFault = {
  name: "disk full",
  lacks: () =>
    process.platform === "linux" && process.getuid?.() === 0
      ? null
      : "mounting a small disk takes root on Linux",
  run: async () => {
    const disk = "/tmp/duebook-faults-disk";
    await mkdir(disk, { recursive: true, mode: 0o711 });
    runSystem("mount", "-t", "tmpfs", "-o", `size=${SIZE},mode=711`, "tmpfs", disk);
    const testbed = await Testbed.open(join(disk, "data")).catch((error: unknown) => {
      runSystem("umount", "--lazy", disk);
      throw error;
    });
    try {
      return await fillAndFree(testbed, join(disk, "filler"));
    } finally {
      await testbed.close();
      runSystem("umount", "--lazy", disk);
      await rm(disk, { recursive: true, force: true });
    }
  },
};

async function fillAndFree(testbed: Testbed, filler: string) {
  const service = await testbed.startService();
  const { sellerClient, dashboardClient } = await startServiceAndDashboard(testbed, {
    service,
  });
  for (let made = 0; made < 50; made += 1) await sellerClient.create();
  await fillDisk(filler);
  sellerClient.answers.clear();
  let isEnded = false;
  void testbed.postgres.ended.then(() => (isEnded = true));
  // After the disk is full, open files can still have some space left.
  await waitUntil("a refused creation", async () => (await sellerClient.create()) !== "201");
  await waitUntil("refusals", async () => {
    await sellerClient.create();
    return [...sellerClient.answers].some(([told, times]) => told !== "201" && times >= 5);
  });
  const read = await dashboardClient.read();
  // PostgreSQL stops when its own log has no space; then reads fail too.
  ensureThat(read === (isEnded ? "503 unavailable" : "200"), `a read was told ${read}`);
  const write = await dashboardClient.create();
  ensureThat(write === "unavailable", `a write was told ${write} without room for it`);
  await rm(filler);
  // Restarts PostgreSQL, as a supervisor would.
  if (isEnded) await testbed.restartPostgres();
  const seconds = await waitUntil(
    "a creation",
    async () => (await sellerClient.create()) === "201",
  );
  const desk_s = await waitUntil(
    "the list",
    async () => (await dashboardClient.read()) === "200",
  );
  sellerClient.checkTold();
  ensureThat(!sellerClient.answers.has("broken"), `the service said ${sellerClient.told}`);
  const kept = await sellerClient.checkKept();
  return {
    got: `service: ${sellerClient.told}; dashboard: read ${read}, write ${write}`,
    kept,
    recovered: `service ${seconds} s, dashboard ${desk_s} s after there was space again${isEnded ? " and PostgreSQL was started again" : ""}`,
  };
}

export const DATABASE_FAULTS = [gone, silent, full];
