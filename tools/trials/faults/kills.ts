import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePorts, startCommand, type RunningCommand } from "../../../e2e/support/command.ts";
import { CommandFailure } from "#scripts/process/command.ts";
import { startPostgres } from "#scripts/database/postgres.ts";
import { openDashboardClient } from "./dashboard-client.ts";
import { SellerClient, type TrialFault } from "./testbed.ts";
import { ensureThat, waitUntil } from "./wait-until.ts";

const ROUNDS = 12;
const VICTIMS = [
  "launcher",
  "dashboard",
  "service",
  "database",
  "launcher and database",
  "all processes",
] as const;
type Victim = (typeof VICTIMS)[number];
const READY = "Duebook is ready.";
const START_TRIES = 20;

/** A running `npm run up`, which is killed and restarted without any repair. */
class Product {
  up: RunningCommand;
  /**
   * The number of failed starts: the previous run still used the ports, or the start was killed
   * too.
   */
  failed = 0;
  private readonly settings: Record<string, string>;
  private readonly folder: string;

  constructor(folder: string, settings: Record<string, string>) {
    [this.folder, this.settings] = [folder, settings];
    this.up = startCommand("up.ts", settings);
  }

  kill(victim: Victim) {
    const all = victim === "all processes";
    if (all || victim === "dashboard") this.killChild("scripts/dashboard.ts");
    if (all || victim === "service") this.killChild("service/main.ts");
    if (all || victim.endsWith("database")) this.killDatabase();
    if (all || victim.startsWith("launcher")) void this.up.stop("SIGKILL");
  }

  private killChild(text: string) {
    try {
      this.up.killChild(text);
    } catch {
      // The process to kill is just being started, so the launcher is killed instead.
      void this.up.stop("SIGKILL");
    }
  }

  private killDatabase() {
    const file = join(this.folder, "postgres/cluster/postmaster.pid");
    process.kill(Number(readFileSync(file, "utf8").split("\n")[0]), "SIGKILL");
  }

  /** @param duringStart kills the launcher again while it starts */
  async startAgain(duringStart: boolean): Promise<void> {
    await this.up.exited;
    if (duringStart) {
      this.up = startCommand("up.ts", this.settings);
      await Promise.race([delay(randomInt(10, 2_000)), this.up.exited]);
      await this.up.stop("SIGKILL");
      this.failed += 1;
    }
    for (let tries = 0; tries < START_TRIES; tries += 1) {
      this.up = startCommand("up.ts", this.settings);
      const isReady = await this.up.printed(READY).then(
        () => true,
        () => false,
      );
      if (isReady) return;
      this.failed += 1;
    }
    throw new CommandFailure(
      `Duebook does not start any more: ${this.up.output().slice(-500)}`,
    );
  }
}

const kills: TrialFault = {
  name: "launcher, dashboard, service and database killed at random moments",
  lacks: () => (process.platform === "linux" ? null : "process trees are read on Linux only"),
  run: async (rounds = ROUNDS) => {
    const folder = await mkdtemp(join(tmpdir(), "duebook-faults-"));
    await chmod(folder, 0o711);
    const data = join(folder, ".data");
    const [port, servicePort] = await freePorts(2);
    const product = new Product(data, {
      PORT: `${port}`,
      SERVICE_PORT: `${servicePort}`,
      DATA_DIR: data,
      DEMONSTRATION: "off",
      DATABASE_URL: "",
      SERVICE_DATABASE_URL: "",
    });
    try {
      await product.up.printed(READY);
      const database = await startPostgres(data);
      ensureThat(database.borrowed, "no process uses the database");
      Object.assign(process.env, {
        DATABASE_URL: database.url("dashboard"),
        SERVICE_DATABASE_URL: database.url("service"),
        DUEBOOK_DATA_DIR: data,
        DUEBOOK_URL: `http://localhost:${port}`,
        BILLING_URL: `http://localhost:${servicePort}`,
      });
      return await killAndStart(product, {
        rounds,
        service: `http://localhost:${servicePort}`,
        databaseUrl: database.url("service"),
      });
    } finally {
      await product.up.stop("SIGINT");
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function killAndStart(
  product: Product,
  { rounds, service, databaseUrl }: { rounds: number; service: string; databaseUrl: string },
) {
  const sellerClient = await SellerClient.open({ url: service }, databaseUrl);
  const dashboardClient = await openDashboardClient(sellerClient);
  const over = new AbortController();
  const trading = Promise.all([sellerClient.createUntil(over.signal), createAtDesk()]);
  const times: number[] = [];
  let kept = "";
  try {
    await repeat();
    over.abort();
    await trading;
    kept = await sellerClient.checkKept();
  } finally {
    over.abort();
    await sellerClient.pool.end();
  }
  const sorted = times.toSorted((a, b) => a - b);
  return {
    got: `connections that broke until it ran again: ${sellerClient.told}`,
    kept: `${kept}, and the session; ${rounds} rounds of ${VICTIMS.slice(0, rounds).join(", ")}`,
    recovered: `by starting it again, ${sorted[Math.floor(rounds / 2)]?.toFixed(1)} s from the kill to the list, ${sorted.at(-1)?.toFixed(1)} s at most, with every other start killed too`,
  };

  async function repeat() {
    for (let round = 0; round < rounds; round += 1) {
      await delay(randomInt(0, 1_500));
      const victim = VICTIMS[round % VICTIMS.length] as Victim;
      const began = performance.now();
      product.kill(victim);
      await product.startAgain(round % 2 === 1);
      await waitUntil(
        `${victim}: the list`,
        async () => (await dashboardClient.read()) === "200",
      );
      times.push((performance.now() - began) / 1_000);
      await waitUntil(
        `${victim}: a look`,
        async () => (await sellerClient.pool.query("select 1")) !== null,
      );
      await sellerClient.checkKept();
    }
  }

  /**
   * Creates subscriptions in the dashboard while the seller's programs create others through the
   * API.
   */
  async function createAtDesk() {
    while (!over.signal.aborted) {
      const client = sellerClient.newBuyer();
      if ((await dashboardClient.create(client)) === "ok")
        sellerClient.acknowledged.add(client.phone);
      else await delay(50);
    }
  }
}

export const KILL_FAULTS = [kills];
