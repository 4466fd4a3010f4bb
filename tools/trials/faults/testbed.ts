import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { freePorts, startCommand } from "../../../e2e/support/command.ts";
import { openPool } from "../../../service/db/database.ts";
import { migrateService } from "../../../service/db/migrate.ts";
import {
  createCatalogue,
  createSeller,
  TEST_SECRETS_KEY,
  type TestSeller,
} from "../../../service/testing/service.ts";
import { CommandFailure } from "#scripts/process/command.ts";
import { startPostgres, type PostgresServer } from "#scripts/database/postgres.ts";
import { ensureSecrets } from "#scripts/process/secrets.ts";
import { ensureThat, waitUntil } from "./wait-until.ts";

/** The result of a fault, in words and numbers. */
export interface FaultOutcome {
  /** What the clients and users observed. */
  got: string;
  kept: string;
  recovered: string;
}

export interface TrialFault {
  name: string;
  /** The missing requirement of this machine; null if it can run the trial. */
  lacks?: () => string | null;
  /** @param rounds number of repetitions, for faults that are repeated */
  run: (rounds?: number) => Promise<FaultOutcome>;
}

export type RunningProgram = ReturnType<typeof startCommand> & { url: string };

/** PostgreSQL, service and dashboard as separate processes that a trial can break. */
export class Testbed {
  readonly folder: string;
  readonly data: string;
  postgres: PostgresServer;
  private ports: number[] = [];
  private readonly running: RunningProgram[] = [];
  private readonly opened = new AsyncDisposableStack();

  private constructor(folder: string, data: string, postgres: PostgresServer) {
    this.folder = folder;
    this.data = data;
    this.postgres = postgres;
  }

  /** @param data the database's folder; a new one by default */
  static async open(data?: string, options: { durable?: boolean } = {}): Promise<Testbed> {
    const folder = await mkdtemp(join(tmpdir(), "duebook-faults-"));
    const place = data ?? join(folder, ".data");
    const testbed = new Testbed(folder, place, await startPostgres(place, options));
    try {
      testbed.ports = await freePorts(2);
      for (const name of ["service", "dashboard"]) await testbed.postgres.ensureDatabase(name);
      await migrateService(testbed.postgres.url("service"));
    } catch (error) {
      await testbed.close();
      throw error;
    }
    // Database tools must not take this server for one that they started.
    process.env["DATABASE_URL"] = testbed.postgres.url("dashboard");
    process.env["SERVICE_DATABASE_URL"] = testbed.postgres.url("service");
    process.env["DUEBOOK_DATA_DIR"] = place;
    return testbed;
  }

  async startService(environment: Record<string, string> = {}): Promise<RunningProgram> {
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

  /** Starts the dashboard. @param billing URL of the billing service */
  async startDashboard(
    billing: string,
    environment: Record<string, string> = {},
  ): Promise<RunningProgram> {
    const port = String(this.ports[1]);
    const url = `http://localhost:${port}`;
    process.env["DUEBOOK_URL"] = url;
    const { secrets } = await ensureSecrets(this.data, {
      urls: { dashboard: this.postgres.url("dashboard"), service: "" },
    });
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
  ): Promise<RunningProgram> {
    const command = { ...startCommand(script, { TZ: "UTC", ...environment }), url };
    this.running.push(command);
    let hasEnded = false;
    void command.exited.then(() => (hasEnded = true));
    await waitUntil(`${script} is ready`, async () => {
      if (hasEnded)
        throw new CommandFailure(`${script} ended: ${command.output().slice(-500)}`);
      return (await fetch(ready)).ok;
    });
    return command;
  }

  /** Restarts PostgreSQL on the same data, as a supervisor does. */
  async restartPostgres(): Promise<void> {
    this.postgres = await startPostgres(this.data);
  }

  /** Registers cleanup for close(), which also runs after a failure. */
  onClose(close: () => unknown): void {
    this.opened.defer(async () => void (await close()));
  }

  /** Creates a seller at the service; the testbed closes the client's pool. */
  async openSellerClient(service: RunningProgram): Promise<SellerClient> {
    const sellerClient = await SellerClient.open(service, this.postgres.url("service"));
    this.onClose(() => sellerClient.pool.end());
    return sellerClient;
  }

  /** Keeps creating subscriptions until the testbed closes. @returns a function that stops it */
  keepCreating(sellerClient: SellerClient): () => Promise<void> {
    const over = new AbortController();
    const trading = sellerClient.createUntil(over.signal);
    const end = async () => {
      over.abort();
      await trading;
    };
    this.onClose(end);
    return end;
  }

  async close(): Promise<void> {
    await Promise.all(this.running.map((one) => one.stop("SIGKILL")));
    await this.opened.disposeAsync();
    if (existsSync(this.data)) await this.postgres.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

const CALL_TIMEOUT = 20_000;

/** A seller that creates subscriptions and remembers which ones the service acknowledged. */
export class SellerClient {
  readonly acknowledged = new Set<string>();
  /** The number of answers of each kind, as returned by `create`. */
  readonly answers = new Map<string, number>();
  readonly pool: pg.Pool;
  readonly key: string;
  readonly seller_id: number;
  readonly pbp_id: string;
  private readonly url: string;
  private made = 0;

  private constructor(
    pool: pg.Pool,
    url: string,
    { key, seller_id }: Pick<TestSeller, "key" | "seller_id">,
    pbp_id: string,
  ) {
    [this.pool, this.url, this.pbp_id] = [pool, url, pbp_id];
    [this.key, this.seller_id] = [key, seller_id];
  }

  static async open(
    { url }: Pick<RunningProgram, "url">,
    databaseUrl: string,
  ): Promise<SellerClient> {
    const pool = openPool(databaseUrl);
    const seller = await createSeller(pool, "test", {});
    const clock = { now: () => new Date() };
    const { monthly } = await createCatalogue({ pool, clock }, seller);
    return new SellerClient(pool, url, seller, monthly);
  }

  /** A buyer with a new phone number. */
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

  async call(path: string, body?: unknown, headers: Record<string, string> = {}) {
    return fetch(`${this.url}${path}`, {
      headers: {
        authorization: `Bearer ${this.key}`,
        "content-type": "application/json",
        ...headers,
      },
      signal: AbortSignal.timeout(CALL_TIMEOUT),
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
  }

  /**
   * Creates a subscription.
   * @returns "201", another status with its message and, for 503, its Retry-After, or "broken"
   */
  async create(): Promise<string> {
    const order = this.order();
    const told = await this.call("/api/v1/subscriptions/", order)
      .then(async (answer) => {
        if (answer.status === 201) this.acknowledged.add(order.client.phone);
        return wordsOf(answer, await answer.text());
      })
      .catch(() => "broken");
    this.answers.set(told, (this.answers.get(told) ?? 0) + 1);
    return told;
  }

  async createUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) if ((await this.create()) === "broken") await delay(20);
  }

  /** @returns the id of the webhook */
  async registerWebhook(event: string, endpoint_url: string): Promise<number> {
    const made = await this.call("/api/v1/webhooks/", { event, endpoint_url });
    ensureThat(made.status === 201, `an endpoint was answered with ${made.status}`);
    return ((await made.json()) as { id: number }).id;
  }

  /** Creates a subscription and pays it. */
  async pay(): Promise<void> {
    const made = await this.call("/api/v1/subscriptions/", this.order());
    const { subscription_id } = (await made.json()) as { subscription_id: string };
    const path = `/sandbox/subscriptions/${subscription_id}/pay/`;
    const paid = await this.call(path, { outcome: "approve" });
    const { result } = (await paid.json()) as { result?: string };
    ensureThat(result === "paid", `a payment was answered with ${paid.status} ${result}`);
  }

  /**
   * Checks the answers.
   * @throws CommandFailure unless each was a success, a proper 503, or a broken connection
   */
  checkTold(): void {
    const others = [...this.answers.keys()].filter((one) => !isExpectedAnswer(one));
    ensureThat(others.length === 0, `it said ${others.join(", ")}`);
  }

  get told(): string {
    return [...this.answers].map(([answer, times]) => `${times} × ${answer}`).join(", ");
  }

  /**
   * Checks the stored rows.
   * @throws CommandFailure if an acknowledged subscription is missing or doubled
   */
  async checkKept(): Promise<string> {
    const acknowledged = [...this.acknowledged];
    const { lost, doubled } = await this.compare(acknowledged);
    ensureThat(lost === 0, `${lost} of ${acknowledged.length} are lost`);
    ensureThat(doubled === 0, "a subscription was created twice");
    return `all ${acknowledged.length} acknowledged subscriptions, each once`;
  }

  /**
   * Compares acknowledged subscriptions with the stored rows.
   * @param pool the pool of another database, such as a copy
   */
  async compare(acknowledged: string[], pool = this.pool) {
    // Reads all rows, because hundreds of thousands of query parameters would take longer.
    const found = await countBy(pool, SUBSCRIPTIONS_BY_PHONE, [this.seller_id]);
    return {
      lost: acknowledged.filter((phone) => !found.has(phone)).length,
      doubled: acknowledged.filter((phone) => (found.get(phone) ?? 0) > 1).length,
    };
  }
}

/** A seller's subscriptions of each buyer of `newBuyer`, for `countBy`. */
export const SUBSCRIPTIONS_BY_PHONE =
  "select right(phone, 10) as name, count(*)::int from subscription where seller_id = $1 group by 1";

/** How often each name is stored. @param statement selects `name` and `count` */
export async function countBy(
  database: Pick<pg.ClientBase, "query">,
  statement: string,
  values: unknown[] = [],
): Promise<Map<string, number>> {
  const { rows } = await database.query<{ name: string; count: number }>(statement, values);
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** Whether the answer, as words, is a success, a proper 503, or a broken connection. */
export const isExpectedAnswer = (words: string) =>
  /^(?:201|broken|503 “.+”, again after \d+ s)$/.test(words);

/** @returns "201", or another status with its message and, for 503, its Retry-After */
export function wordsOf({ status, headers }: Response, text: string): string {
  if (status === 201) return "201";
  const words = /"detail":\s*"([^"]+)"/.exec(text)?.[1];
  const told = words === undefined ? `${status} without a message` : `${status} “${words}”`;
  if (status !== 503) return told;
  const wait = headers.get("retry-after");
  return wait === null ? `${told} without Retry-After` : `${told}, again after ${wait} s`;
}
