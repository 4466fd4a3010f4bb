import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { sendRequest } from "../../../e2e/support/intruder.ts";
import { countWrongTallies } from "../../../service/testing/kill/counters.ts";
import { findWrongPayments } from "../../../service/testing/kill/money.ts";
import { openDashboardClient } from "../faults/dashboard-client.ts";
import {
  countBy,
  isExpectedAnswer,
  SellerClient,
  SUBSCRIPTIONS_BY_PHONE,
  wordsOf,
} from "../faults/testbed.ts";
import { ensureThat, waitUntil } from "../faults/wait-until.ts";
import { hasFailureMessage, isPageShown } from "../topology/load.ts";
import { withConnection } from "./connection.ts";
import { DeliveryLog } from "./delivery-log.ts";
import { compareWrites, WriteLog } from "./write-log.ts";

const AFTER_REFUSAL = 250;
const INTERVAL = 30;
const BUYERS = 2;
const CUSTOMERS = 40;
const NOTES_OF_CUSTOMERS = 100 * CUSTOMERS;
const REPEATED_EACH = 4;

const KINDS = ["creations", "payments", "notes"] as const;

type DashboardClient = Awaited<ReturnType<typeof openDashboardClient>>;

interface ProgramUrls {
  service: string;
  dashboard: string;
  databases: { dashboard: string; service: string };
}

/** A seller whose buyers subscribe and pay at the service, and whose staff write notes on the desk. */
export class FailoverLoad {
  readonly writes = {
    creations: new WriteLog(),
    payments: new WriteLog(),
    notes: new WriteLog(),
  };
  /** The number of refusals by their text. */
  readonly refused = new Map<string, number>();
  /** Requests repeated with their key after their answer, and those that got another answer. */
  repeated = 0;
  differing = 0;
  readonly #seller: SellerClient;
  readonly #desk: DashboardClient;
  readonly #deliveries: DeliveryLog;
  readonly #deskDatabase: string;
  #customers: number[] = [];
  #notes = 0;

  private constructor(
    seller: SellerClient,
    desk: DashboardClient,
    deliveries: DeliveryLog,
    deskDatabase: string,
  ) {
    [this.#seller, this.#desk] = [seller, desk];
    [this.#deliveries, this.#deskDatabase] = [deliveries, deskDatabase];
  }

  static async open({ service, dashboard, databases }: ProgramUrls): Promise<FailoverLoad> {
    Object.assign(process.env, {
      DUEBOOK_URL: dashboard,
      BILLING_URL: service,
      DATABASE_URL: databases.dashboard,
      SERVICE_DATABASE_URL: databases.service,
    });
    const seller = await SellerClient.open({ url: service }, databases.service);
    const desk = await openDashboardClient(seller);
    const deliveries = await DeliveryLog.open(seller);
    const load = new FailoverLoad(seller, desk, deliveries, databases.dashboard);
    for (let made = 0; made < CUSTOMERS; made += 1) await load.#sell();
    await load.#listCustomers();
    ensureThat(load.#customers.length > 0, "the seller has no customers");
    return load;
  }

  async #listCustomers() {
    const page = await this.#seller.call(`/api/v1/customers/?page_size=${CUSTOMERS}`);
    const { results } = (await page.json()) as { results: { id: number }[] };
    this.#customers = results.map(({ id }) => id);
  }

  async writeUntil(signal: AbortSignal): Promise<void> {
    const repeat = async (act: () => Promise<unknown>) => {
      while (!signal.aborted) {
        await act();
        await delay(INTERVAL);
      }
    };
    await Promise.all([
      ...Array.from({ length: BUYERS }, () => repeat(() => this.#sell(signal))),
      repeat(() => this.#note()),
      repeat(() => this.#read()),
    ]);
  }

  /** Writes while the action runs. @returns its result */
  async writeWhile<Result>(act: () => Promise<Result>): Promise<Result> {
    const over = new AbortController();
    const working = this.writeUntil(over.signal);
    try {
      return await act();
    } finally {
      over.abort();
      await working;
    }
  }

  /** A buyer subscribes and pays; each request is repeated with its key until it is answered. */
  async #sell(signal?: AbortSignal) {
    const order = this.#seller.order();
    const made = await this.#write("/api/v1/subscriptions/", order, signal);
    if (!made) return;
    const { subscription_id: id = "" } = made.body;
    this.writes.creations.acknowledge(order.client.phone, made);
    const path = `/sandbox/subscriptions/${id}/pay/`;
    const paid = await this.#write(path, { outcome: "approve" }, signal);
    if (paid?.body["result"] === "paid") this.writes.payments.acknowledge(id, paid);
  }

  async #write(path: string, body: unknown, signal?: AbortSignal) {
    const key = randomUUID();
    const sentAt = Date.now();
    let first: string | null = null;
    let tries = 0;
    while (first === null) {
      if (signal?.aborted && tries > 0) return null;
      tries += 1;
      first = await this.#send(path, body, key);
      if (first === null) await delay(AFTER_REFUSAL);
    }
    const answeredAt = Date.now();
    if (Math.random() * REPEATED_EACH < 1) {
      const again = await this.#send(path, body, key);
      if (again !== null) this.repeated += 1;
      if (again !== null && again !== first) this.differing += 1;
    }
    const how = `${path.split("/")[3]}, try ${tries}`;
    return { body: JSON.parse(first) as Record<string, string>, how, sentAt, answeredAt };
  }

  /** @returns the text of a success, or null */
  async #send(path: string, body: unknown, key: string): Promise<string | null> {
    try {
      const answer = await this.#seller.call(path, body, { "idempotency-key": key });
      const text = await answer.text();
      if (answer.ok) return text;
      this.#refuse(`service: ${wordsOf(answer, text)}`);
    } catch {
      this.#refuse("service: broken");
    }
    return null;
  }

  async #note() {
    this.#notes += 1;
    // A customer has a limited number of notes: later ones are about newer customers.
    if (this.#notes % NOTES_OF_CUSTOMERS === 0) await this.#listCustomers().catch(() => {});
    const text = `note ${this.#notes}`;
    const id = this.#customers[this.#notes % this.#customers.length];
    const sentAt = Date.now();
    const outcome = await this.#desk.act("noteCustomerAction", { id, text });
    const answer = { how: "note", sentAt, answeredAt: Date.now() };
    if (outcome === "ok") return this.writes.notes.acknowledge(text, answer);
    this.#refuse(`desk, note: ${outcome}`);
    await delay(AFTER_REFUSAL);
  }

  /** Reads the list of the desk, as data and as a page. */
  async #read() {
    const { seller, cookie } = this.#desk;
    for (const path of [`/api/${seller}/test/subscriptions`, `/${seller}/test/subscriptions`]) {
      const told = await sendRequest(path, { cookie }).then(wordsOfRead, () => "broken");
      if (told === "200") continue;
      this.#refuse(`desk, ${path.startsWith("/api") ? "list" : "page"}: ${told}`);
      await delay(AFTER_REFUSAL);
    }
  }

  #refuse(words: string) {
    this.refused.set(words, (this.refused.get(words) ?? 0) + 1);
  }

  /** Refusals without an understandable message, or without Retry-After. */
  get wordless(): string[] {
    return [...this.refused.keys()].filter((words) => !IN_WORDS.some((isSo) => isSo(words)));
  }

  begin(): void {
    for (const kind of KINDS) this.writes[kind].begin();
  }

  /** The longest time without an acknowledged write of some kind in this round, in seconds. */
  get longestGap(): number {
    return Math.max(...KINDS.map((kind) => this.writes[kind].longestGap)) / 1_000;
  }

  /** The milliseconds that each write of this round took, from its first try to its answer. */
  get times(): number[] {
    return KINDS.flatMap((kind) => this.writes[kind].times);
  }

  /** Waits until a write of each kind has been acknowledged. */
  async waitForWrites(): Promise<void> {
    const before = KINDS.map((kind) => this.writes[kind].acknowledged.size);
    await waitUntil("an acknowledged write of each kind", async () =>
      KINDS.every((kind, at) => this.writes[kind].acknowledged.size > (before[at] ?? 0)),
    );
  }

  /**
   * Looks for every acknowledged write in the databases.
   * @param moment the time to which they were restored
   */
  async check(moment?: number): Promise<{ lost: string[]; doubled: number; late: number }> {
    const { pool, seller_id } = this.#seller;
    // Copied before the databases are read, because the load goes on.
    const logs = KINDS.map((kind) => [kind, new Map(this.writes[kind].acknowledged)] as const);
    const found = {
      creations: await countBy(pool, SUBSCRIPTIONS_BY_PHONE, [seller_id]),
      payments: await countBy(
        pool,
        "select subscription_id as name, count(*)::int from payment where seller_id = $1 group by 1",
        [seller_id],
      ),
      notes: await withConnection(this.#deskDatabase, (desk) =>
        countBy(desk, "select text as name, count(*)::int from customer_note group by 1"),
      ),
    };
    const all = logs.map(([kind, acknowledged]) =>
      compareWrites(acknowledged, found[kind], moment),
    );
    return {
      lost: all.flatMap(({ lost }) => lost),
      doubled: all.reduce((sum, { doubled }) => sum + doubled, 0),
      late: all.reduce((sum, { late }) => sum + late, 0),
    };
  }

  /** The number of writes that were acknowledged until the moment. */
  countAcknowledged(moment = Infinity): number {
    const all = KINDS.flatMap((kind) => [...this.writes[kind].acknowledged.values()]);
    return all.filter(({ answeredAt }) => answeredAt <= moment).length;
  }

  /** Forgets what was acknowledged after the moment: the databases were restored to it. */
  forgetAfter(moment: number): void {
    for (const kind of KINDS) this.writes[kind].forgetAfter(moment);
  }

  /** Checks that payments agree with events, and tallies with recounts. @returns what does not */
  async findInconsistencies(): Promise<string[]> {
    const { pool, seller_id } = this.#seller;
    const tallies = await countWrongTallies(pool, seller_id);
    return [
      ...(await findWrongPayments(pool, seller_id)),
      ...(tallies > 0 ? [`${tallies} tallies differ from a recount`] : []),
    ];
  }

  /** Waits until the desk's list has the service's subscriptions, each in its state, and no other. */
  waitForList(): Promise<string> {
    const { pool, seller_id } = this.#seller;
    return waitUntil("the desk's list is the service's", async () => {
      const { rows: stored } = await pool.query<{ id: string; status: string }>(
        "select subscription_id as id, status from subscription where seller_id = $1 order by 1",
        [seller_id],
      );
      const { rows: listed } = await withConnection(this.#deskDatabase, (desk) =>
        desk.query<{ id: string; status: string }>(
          `select id, status from mirror_subscription where seller_id =
             (select seller_id from mirror_subscription where id = $1) order by 1`,
          [stored[0]?.id],
        ),
      );
      return isDeepStrictEqual(listed, stored);
    });
  }

  /** Waits until every payment was delivered to the seller's endpoint. */
  checkDeliveries() {
    return this.#deliveries.check(this.#seller.pool);
  }

  async close(): Promise<void> {
    await this.#deliveries.close();
    await this.#seller.pool.end();
  }
}

const IN_WORDS: ((words: string) => boolean)[] = [
  (words) => isExpectedAnswer(words.replace(/^service: /, "")),
  // The first request with the key still runs, or its process has just lost its database.
  (words) => /^service: 409 “.+”$/.test(words),
  (words) => /^desk, note: (?:unavailable|status 503, again after \d+ s)$/.test(words),
  (words) => /^desk, \w+: 503 unavailable, again after \d+ s$/.test(words),
];

async function wordsOfRead(answer: Response): Promise<string> {
  const { status, headers } = answer;
  const text = await answer.text();
  if (isPageShown(status, text)) return "200";
  const told = hasFailureMessage(status, text) ? "unavailable" : "without words";
  const wait = headers.get("retry-after");
  return `${status} ${told}${wait ? `, again after ${wait} s` : ""}`;
}
