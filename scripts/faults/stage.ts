import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { freePorts, startCommand } from "../../e2e/command.ts";
import { act, createOwner, knock, outcomeOf } from "../../e2e/intruder.ts";
import { openPool } from "../../service/db/database.ts";
import { migrateService } from "../../service/db/migrate.ts";
import {
  createCatalogue,
  createSeller,
  TEST_SECRETS_KEY,
} from "../../service/testing/service.ts";
import { Failure } from "../failure.ts";
import { startPostgres, type PostgresServer } from "../postgres.ts";
import { ensureSecrets } from "../settings.ts";

/** What a fault came to, in words and figures. */
export interface Outcome {
  /** What whoever used it was told. */
  got: string;
  kept: string;
  recovered: string;
}

export interface Fault {
  name: string;
  /** What it takes that this machine has not; null where nothing lacks. */
  lacks?: () => string | null;
  /** @param rounds how often, for what is tried several times */
  run: (rounds?: number) => Promise<Outcome>;
}

/** @throws Failure with those words: the product did not do what it is held to */
export function hold(isSo: boolean, words: string): asserts isSo {
  if (!isSo) throw new Failure(words);
}

const SECONDS = 1_000;

/** Seconds until it is so, to a tenth. @throws Failure when it is not within a minute */
export async function untilSo(what: string, isSo: () => Promise<boolean>): Promise<string> {
  const began = performance.now();
  while (!(await isSo().catch(() => false))) {
    if (performance.now() - began > 60 * SECONDS) throw new Failure(`${what}: not in a minute`);
    await delay(50);
  }
  return ((performance.now() - began) / SECONDS).toFixed(1);
}

export type Running = ReturnType<typeof startCommand> & { url: string };

/** A PostgreSQL, a service and a dashboard of their own, each a process that can be done anything to. */
export class Stage {
  readonly folder: string;
  readonly data: string;
  postgres: PostgresServer;
  private ports: number[] = [];
  private readonly running: Running[] = [];

  private constructor(folder: string, data: string, postgres: PostgresServer) {
    this.folder = folder;
    this.data = data;
    this.postgres = postgres;
  }

  /** @param data where the database lies, if not in a folder of its own */
  static async open(data?: string, options: { durable?: boolean } = {}): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), "duebook-faults-"));
    const place = data ?? join(folder, ".data");
    const stage = new Stage(folder, place, await startPostgres(place, options));
    stage.ports = await freePorts(2);
    for (const name of ["service", "dashboard"]) await stage.postgres.ensureDatabase(name);
    await migrateService(stage.postgres.url("service"));
    // What looks into the databases must not take this server for one that it started.
    process.env["DATABASE_URL"] = stage.postgres.url("dashboard");
    process.env["SERVICE_DATABASE_URL"] = stage.postgres.url("service");
    process.env["DUEBOOK_DATA_DIR"] = place;
    return stage;
  }

  async startService(environment: Record<string, string> = {}): Promise<Running> {
    const port = String(this.ports[0]);
    const url = `http://localhost:${port}`;
    process.env["BILLING_URL"] = url;
    return this.start("../service/main.ts", `${url}/readyz`, url, {
      NODE_ENV: "production",
      SERVICE_DATABASE_URL: this.postgres.url("service"),
      SERVICE_PORT: port,
      SERVICE_SECRETS_KEY: TEST_SECRETS_KEY.toString("base64"),
      SERVICE_RATE_LIMIT: "0",
      SERVICE_LOG_LEVEL: "warn",
      ...environment,
    });
  }

  /** @param billing where it finds the billing service */
  async startDashboard(
    billing: string,
    environment: Record<string, string> = {},
  ): Promise<Running> {
    const port = String(this.ports[1]);
    const url = `http://localhost:${port}`;
    process.env["DUEBOOK_URL"] = url;
    const { secrets } = await ensureSecrets(this.data);
    return this.start("dashboard.ts", `${url}/readyz`, url, {
      ...secrets,
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: port,
      DATABASE_URL: this.postgres.url("dashboard"),
      BILLING_SANDBOX_API_URL: billing,
      NEXTAUTH_URL: url,
      MIRROR_WORKER: "elsewhere",
      ...environment,
    });
  }

  private async start(
    script: string,
    ready: string,
    url: string,
    environment: Record<string, string>,
  ): Promise<Running> {
    const command = { ...startCommand(script, { TZ: "UTC", ...environment }), url };
    this.running.push(command);
    let hasEnded = false;
    void command.exited.then(() => (hasEnded = true));
    await untilSo(`${script} is ready`, async () => {
      if (hasEnded) throw new Failure(`${script} ended: ${command.output().slice(-500)}`);
      return (await fetch(ready)).ok;
    });
    return command;
  }

  /** Again on the same data, as whoever keeps it running would. */
  async restartPostgres(): Promise<void> {
    this.postgres = await startPostgres(this.data);
  }

  async close(): Promise<void> {
    await Promise.all(this.running.map((one) => one.stop("SIGKILL")));
    if (existsSync(this.data)) await this.postgres.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A seller who goes on creating, and remembers what the service said that it had done. */
export class Trade {
  readonly acknowledged = new Set<string>();
  /** How often each answer came; "broken" where none came. */
  readonly answers = new Map<string, number>();
  readonly pool: pg.Pool;
  readonly key: string;
  readonly pbp_id: string;
  private readonly url: string;
  private made = 0;

  private constructor(pool: pg.Pool, url: string, key: string, pbp_id: string) {
    [this.pool, this.url, this.key, this.pbp_id] = [pool, url, key, pbp_id];
  }

  static async open({ url }: Pick<Running, "url">, databaseUrl: string): Promise<Trade> {
    const pool = openPool(databaseUrl);
    const seller = await createSeller(pool, "test", {});
    const clock = { now: () => new Date() };
    const { monthly } = await createCatalogue({ pool, clock }, seller);
    return new Trade(pool, url, seller.key, monthly);
  }

  /** Of a buyer whom nobody has seen. */
  newBuyer() {
    this.made += 1;
    return {
      phone: `98${String(10_000_000 + this.made)}`,
      full_name: "Asmita Rai",
      email: "asmita@example.com",
      address: "Patan",
    };
  }

  order(client = this.newBuyer()) {
    return { pbp_id: this.pbp_id, return_url: "https://shop.example/", client };
  }

  async call(path: string, body?: unknown, patience = 20_000) {
    return fetch(`${this.url}${path}`, {
      headers: { authorization: `Bearer ${this.key}`, "content-type": "application/json" },
      signal: AbortSignal.timeout(patience),
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
  }

  /** @returns the status and its words, or "broken" */
  async create(): Promise<string> {
    const order = this.order();
    const told = await this.call("/api/v1/subscriptions/", order).then(
      async (answer) => {
        if (answer.status === 201) this.acknowledged.add(order.client.phone);
        const { detail } = (await answer.json()) as { detail?: string };
        return detail === undefined ? String(answer.status) : `${answer.status} “${detail}”`;
      },
      () => "broken",
    );
    this.answers.set(told, (this.answers.get(told) ?? 0) + 1);
    return told;
  }

  async createUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) if ((await this.create()) === "broken") await delay(20);
  }

  get told(): string {
    return [...this.answers].map(([answer, times]) => `${times} × ${answer}`).join(", ");
  }

  /** @throws Failure where something that was acknowledged is not there, or there twice */
  async checkKept(): Promise<string> {
    const acknowledged = [...this.acknowledged];
    const { lost, doubled } = await this.compare(acknowledged);
    hold(lost === 0, `${lost} of ${acknowledged.length} are lost`);
    hold(doubled === 0, "something was done twice");
    return `all ${acknowledged.length} that were acknowledged, each once`;
  }

  /** @param pool of another database than its own */
  async compare(acknowledged: string[], pool = this.pool) {
    const { rows } = await pool.query<{ phone: string; rows: number }>(
      "select phone, count(*) as rows from subscription where right(phone, 10) = any($1) group by 1",
      [acknowledged],
    );
    const found = new Set(rows.map(({ phone }) => phone.slice(-10)));
    return {
      lost: acknowledged.filter((phone) => !found.has(phone)).length,
      doubled: rows.filter((row) => row.rows !== 1).length,
    };
  }
}

/** The trade's seller at the dashboard. */
export async function enter(trade: Trade) {
  const owner = await createOwner("Faults");
  const { seller, cookie } = owner;
  const scope = { seller, mode: "test" };
  const connected = await act("connectAction", seller, [scope, { api_key: trade.key }], owner);
  hold(outcomeOf(connected) === "ok", `the key was not taken: ${outcomeOf(connected)}`);
  const get = async (path: string) => {
    const answer = await knock(path, { cookie });
    return { status: answer.status, text: await answer.text() };
  };
  return {
    seller,
    cookie,
    page: () => get(`/${seller}/test/subscriptions`),
    /** "200", or the status with the kind of failure. */
    read: async (): Promise<string> => {
      const { status, text } = await get(`/api/${seller}/test/subscriptions`);
      const kind = /"kind":"(\w+)"/.exec(text)?.[1];
      return status === 200 ? "200" : `${status} ${kind ?? "without words"}`;
    },
    /** "ok", the kind of failure, or the bare status. */
    create: async (client = trade.newBuyer()): Promise<string> => {
      const input = trade.order(client);
      const made = await act("createSubscriptionAction", seller, [scope, input], {
        cookie,
      }).catch(() => null);
      return made === null ? "broken" : outcomeOf(made);
    },
  };
}
