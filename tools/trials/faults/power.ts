import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openPool } from "../../../service/db/database.ts";
import { CommandFailure } from "#scripts/process/command.ts";
import { startPostgres } from "#scripts/database/postgres.ts";
import { runSystem, signalProcesses } from "../../programs.ts";
import { mountDisk } from "./small-disk.ts";
import { Testbed, type TrialFault, type SellerClient } from "./testbed.ts";
import { ensureThat } from "./wait-until.ts";

const PLACE = "/tmp/duebook-faults-power";
const [DISK, IMAGE] = [join(PLACE, "disk"), join(PLACE, "disk.image")];
const [COPY, COPY_IMAGE] = [join(PLACE, "copy"), join(PLACE, "copy.image")];
const SIZE = "2G";
const ROUNDS = 20;
/**
 * The number of control rounds without fsync; they must lose data, or the trial could not detect a
 * loss.
 */
const CONTROLS = 3;
const TRADERS = 4;
const COPY_TRIES = 50;

const works = (...command: string[]) => {
  const [program = "", ...given] = command;
  return spawnSync(program, given).status === 0;
};

function lacks(): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "mounting a disk of its own takes root on Linux";
  if (!works("mkfs.ext4", "-V")) return "it takes mkfs.ext4";
  return works("losetup", "--find") ? null : "it takes a free loop device";
}

interface Cuts {
  rounds: number;
  /** Subscriptions acknowledged until the last cut, and how many of them its copy lacks. */
  acknowledged: number;
  lostAtLast: number;
  /**
   * Totals over all cuts: acknowledged subscriptions that are missing, and those that are doubled.
   */
  lost: number;
  doubled: number;
  /** Copies that PostgreSQL could not open. */
  unopened: number;
  /** Maximum seconds from the start of PostgreSQL on a copy to its first answer. */
  slowest: number;
}

/** Simulates power cuts during writes: each cut is a copy of the disk. */
async function cut(rounds: number, options: { durable: boolean }): Promise<Cuts> {
  // Mounted so that unsynced writes stay in memory for long, the worst case.
  mountDisk(IMAGE, SIZE, DISK, "noatime,commit=300");
  const cuts: Cuts = {
    rounds,
    acknowledged: 0,
    lostAtLast: 0,
    lost: 0,
    doubled: 0,
    unopened: 0,
    slowest: 0,
  };
  let testbed: Testbed | null = null;
  try {
    testbed = await Testbed.open(join(DISK, "data"), options);
    const service = await testbed.startService();
    const sellerClient = await testbed.openSellerClient(service);
    runSystem("sync", "--file-system", DISK);
    const over = new AbortController();
    const trading = Promise.all(
      Array.from({ length: TRADERS }, () => sellerClient.createUntil(over.signal)),
    );
    try {
      for (let round = 0; round < rounds; round += 1) {
        await delay(randomInt(100, 1_500));
        const acknowledged = await copyDisk(testbed, sellerClient);
        await openCopy(sellerClient, acknowledged, cuts, options);
      }
    } finally {
      over.abort();
    }
    await trading;
  } finally {
    await testbed?.close();
    works("umount", DISK);
    await rm(IMAGE, { force: true });
  }
  return cuts;
}

/** Copies the disk at one moment, without the kernel's unwritten pages. */
async function copyDisk(testbed: Testbed, sellerClient: SellerClient): Promise<string[]> {
  const pidFile = join(testbed.data, "postgres/cluster/postmaster.pid");
  const [first = ""] = readFileSync(pidFile, "utf8").split("\n");
  const children = readFileSync(`/proc/${first}/task/${first}/children`, "utf8");
  const processes = [first, ...children.trim().split(" ")].filter(Boolean).map(Number);
  const device = runSystem(
    "losetup",
    "--noheadings",
    "--output",
    "NAME",
    "--associated",
    IMAGE,
  );
  const writes = () => readFileSync(`/sys/block/${device.split("/").at(-1)}/stat`, "utf8");
  signalProcesses(processes, "SIGSTOP");
  try {
    for (let tries = 0; tries < COPY_TRIES; tries += 1) {
      const before = writes();
      runSystem("cp", "--sparse=always", IMAGE, COPY_IMAGE);
      // The copy is only used if nothing was written during it, because it must show one moment.
      if (writes() === before) return [...sellerClient.acknowledged];
    }
    throw new CommandFailure("the disk was written to during every copy");
  } finally {
    signalProcesses(processes, "SIGCONT");
  }
}

async function openCopy(
  sellerClient: SellerClient,
  acknowledged: string[],
  cuts: Cuts,
  options: { durable: boolean },
) {
  runSystem("mount", "-o", "loop", COPY_IMAGE, COPY);
  const home = join(COPY, "data/postgres");
  // These files name processes; a real power cut would end them, but here the original server runs on.
  for (const name of ["cluster/postmaster.pid", ".s.PGSQL.5432.lock", "launcher.pid"])
    await rm(join(home, name), { force: true });
  cuts.acknowledged = acknowledged.length;
  cuts.lostAtLast = acknowledged.length;
  const began = performance.now();
  try {
    const server = await startPostgres(join(COPY, "data"), options);
    const pool = openPool(server.url("service"));
    try {
      const { lost, doubled } = await sellerClient.compare(acknowledged, pool);
      cuts.lostAtLast = lost;
      cuts.doubled += doubled;
      cuts.slowest = Math.max(cuts.slowest, (performance.now() - began) / 1_000);
    } finally {
      await pool.end();
      await server.close();
    }
  } catch (error) {
    if (options.durable) throw error;
    cuts.unopened += 1;
  } finally {
    cuts.lost += cuts.lostAtLast;
    runSystem("umount", COPY);
    await rm(COPY_IMAGE);
  }
}

const power: TrialFault = {
  name: "power cut",
  lacks,
  run: async (rounds = ROUNDS) => {
    await mkdir(PLACE, { recursive: true, mode: 0o711 });
    for (const folder of [DISK, COPY]) await mkdir(folder, { recursive: true });
    try {
      const { acknowledged, lost, doubled, slowest } = await cut(rounds, { durable: true });
      ensureThat(lost === 0, `${lost} were lost`);
      ensureThat(doubled === 0, `${doubled} subscriptions were created twice`);
      const control = await cut(Math.min(rounds, CONTROLS), { durable: false });
      ensureThat(control.lost > 0, "the method finds nothing lost even without fsync");
      return {
        got: `nothing: the power was gone ${rounds} times, each time for a copy of the disk as it stood, while ${TRADERS} went on creating`,
        kept: `all ${acknowledged} that were acknowledged until the last cut, each once, in every copy; without fsync, of ${control.acknowledged} until the last of ${control.rounds} cuts ${control.lostAtLast} were lost (${control.unopened} copies could not be opened)`,
        recovered: `by PostgreSQL from its log, ${slowest.toFixed(1)} s at most from its start to the answer`,
      };
    } finally {
      await rm(PLACE, { recursive: true, force: true });
    }
  },
};

export const POWER_FAULTS = [power];
