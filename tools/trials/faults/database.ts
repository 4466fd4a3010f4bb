import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "#scripts/process/failure.ts";
import { onStage, openAll } from "./with-testbed.ts";
import { startRelay } from "../../testing/relay.ts";
import { Stage, type Fault, type Running } from "./testbed.ts";
import { hold, untilSo } from "./wait-until.ts";

const AWAY_MS = 5_000;

const gone: Fault = {
  name: "database killed and back",
  run: () =>
    onStage(async (stage) => {
      const service = await stage.startService();
      const { dashboard, trade, desk } = await openAll(
        stage,
        { service },
        { MIRROR_WORKER: "here" },
      );
      const endCreating = stage.keepCreating(trade);
      await delay(1_000);
      const pid = readFileSync(join(stage.data, "postgres/cluster/postmaster.pid"), "utf8");
      process.kill(Number(pid.split("\n")[0]), "SIGKILL");
      await delay(AWAY_MS / 2);
      const [read, page, write] = [await desk.read(), await desk.page(), await desk.create()];
      hold(read === "503 unavailable", `a read of the dashboard was told ${read}`);
      hold(page.status === 503, `its page said ${page.status}`);
      hold(write === "unavailable", `a write was told ${write} without a database`);
      await delay(AWAY_MS / 2);
      await stage.restartPostgres();
      const before = trade.acknowledged.size;
      const service_s = await untilSo(
        "a creation",
        async () => trade.acknowledged.size > before,
      );
      const desk_s = await untilSo("the list", async () => (await desk.read()) === "200");
      await endCreating();
      trade.checkTold();
      hold(trade.told.includes("503"), `the service said ${trade.told}`);
      const kept = await trade.checkKept();
      for (const program of [service, dashboard]) linesAboutIt(program);
      return {
        got: `service: ${trade.told}; dashboard: read ${read}, page ${page.status}, write ${write}`,
        kept,
        recovered: `service ${service_s} s, dashboard ${desk_s} s after PostgreSQL was back; nobody did anything`,
      };
    }),
};

/** By way of relays that forget what is open, as a router does, and let through what is opened later. */
const silent: Fault = {
  name: "connections to the database fall silent",
  run: () =>
    onStage(async (stage) => {
      const [services, desks] = await Promise.all(
        ["service", "dashboard"].map(async (name) => {
          const relay = await startRelay(stage.postgres.url(name));
          stage.onClose(() => relay.close());
          return relay;
        }),
      );
      hold(services !== undefined && desks !== undefined, "there are two");
      const service = await stage.startService({ SERVICE_DATABASE_URL: services.url });
      const { dashboard, trade, desk } = await openAll(
        stage,
        { service },
        { DATABASE_URL: desks.url, MIRROR_WORKER: "here" },
      );
      const endCreating = stage.keepCreating(trade);
      await untilSo("a creation", async () => trade.acknowledged.size > 10);
      for (const relay of [services, desks]) relay.silence();
      const before = trade.acknowledged.size;
      const read = desk.read();
      const service_s = await untilSo(
        "a creation",
        async () => trade.acknowledged.size > before,
      );
      const told = await read;
      hold(told === "503 unavailable", `a read of the dashboard was told ${told}`);
      const desk_s = await untilSo("the list", async () => (await desk.read()) === "200");
      await endCreating();
      trade.checkTold();
      const lines = [service, dashboard].map(linesAboutIt);
      return {
        got: `service: ${trade.told}; dashboard: read ${told}; lines of the log: ${lines.join(" and ")}`,
        kept: await trade.checkKept(),
        recovered: `service ${service_s} s, dashboard ${desk_s} s more; nobody did anything`,
      };
    }),
};

/** @throws Failure where it is told more than once, or without the cause */
function linesAboutIt({ output }: Running): number {
  const lines = output()
    .split("\n")
    .filter((line) => line.includes('"level":"error"'));
  hold(lines.length === 1, `${lines.length} lines of the log: ${lines.slice(0, 3).join(" ")}`);
  hold(/"msg":"the database is away"/.test(lines[0] ?? ""), `it said ${lines[0]}`);
  hold(/"cause":"[^"]+"/.test(lines[0] ?? ""), `it gave no cause: ${lines[0]}`);
  return lines.length;
}

const SIZE = "192m";

/** On a small disk of its own, in memory: fills it, and frees it again. */
const full: Fault = {
  name: "disk full",
  lacks: () =>
    process.platform === "linux" && process.getuid?.() === 0
      ? null
      : "mounting a small disk takes root on Linux",
  run: async () => {
    const disk = "/tmp/duebook-faults-disk";
    await mkdir(disk, { recursive: true, mode: 0o711 });
    mount("mount", "-t", "tmpfs", "-o", `size=${SIZE},mode=711`, "tmpfs", disk);
    const stage = await Stage.open(join(disk, "data")).catch((error: unknown) => {
      mount("umount", "--lazy", disk);
      throw error;
    });
    try {
      return await fillAndFree(stage, join(disk, "filler"));
    } finally {
      await stage.close();
      mount("umount", "--lazy", disk);
      await rm(disk, { recursive: true, force: true });
    }
  },
};

function mount(...command: string[]) {
  const [program = "", ...given] = command;
  const ran = spawnSync(program, given, { encoding: "utf8" });
  if (ran.status !== 0) throw new Failure(`${command.join(" ")}: ${ran.stderr.trim()}`);
}

/** Until not another byte goes there. */
function fill(path: string): void {
  const file = openSync(path, "w");
  for (let size = 1 << 20; size >= 1; size >>= 1)
    try {
      while (writeSync(file, Buffer.alloc(size)) === size);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    }
  closeSync(file);
}

async function fillAndFree(stage: Stage, filler: string) {
  const service = await stage.startService();
  const { trade, desk } = await openAll(stage, { service });
  for (let made = 0; made < 50; made += 1) await trade.create();
  fill(filler);
  trade.answers.clear();
  let isEnded = false;
  void stage.postgres.ended.then(() => (isEnded = true));
  // What is open has room for some more.
  await untilSo("a refused creation", async () => (await trade.create()) !== "201");
  await untilSo("refusals", async () => {
    await trade.create();
    return [...trade.answers].some(([told, times]) => told !== "201" && times >= 5);
  });
  const read = await desk.read();
  // Without room for its log PostgreSQL ends, and then nothing can be read either.
  hold(read === (isEnded ? "503 unavailable" : "200"), `a read was told ${read}`);
  const write = await desk.create();
  hold(write === "unavailable", `a write was told ${write} without room for it`);
  await rm(filler);
  // PostgreSQL ends when its log finds no room; whoever keeps it running starts it again.
  if (isEnded) await stage.restartPostgres();
  const seconds = await untilSo("a creation", async () => (await trade.create()) === "201");
  const desk_s = await untilSo("the list", async () => (await desk.read()) === "200");
  trade.checkTold();
  hold(!trade.answers.has("broken"), `the service said ${trade.told}`);
  const kept = await trade.checkKept();
  return {
    got: `service: ${trade.told}; dashboard: read ${read}, write ${write}`,
    kept,
    recovered: `service ${seconds} s, dashboard ${desk_s} s after there was room again${isEnded ? " and PostgreSQL was started again" : ""}`,
  };
}

export const DATABASE_FAULTS = [gone, silent, full];
