import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { startPaymentSimulators } from "#tools/simulators/start-payment-simulators.ts";
import { openPool } from "../../db/database.ts";
import { createRandom, type Random } from "../../seed/random.ts";
import { postForm, submitCodePage } from "../checkout-forms.ts";
import { ProviderBooks, type ProviderName } from "../payments/books.ts";
import { reachProvider } from "../payments/buyers.ts";
import { comparePayments, type PaymentCounts } from "../payments/compare.ts";
import { addSimulatedAccounts } from "../payments/scene.ts";
import { ProcessFleet, ServiceProgram } from "../processes.ts";
import { openClient, reloading } from "../remote.ts";
import { SellerApi } from "../seller-api.ts";
import type { ServiceClient } from "../service.ts";

interface Options {
  databaseUrl: string;
  seed: number;
  rounds: number;
  onRound: (text: string) => void;
}

interface Scene {
  pool: pg.Pool;
  client: ServiceClient;
  books: ProviderBooks;
  counts: PaymentCounts;
}

/**
 * Kills the only process of the service before each of its statements about payments, from a
 * buyer's choice to the refund of the second payment, until the whole story passes without a kill;
 * then as each request has reached a provider, before and after it takes effect; then any of
 * several processes at random moments. The providers' books are compared after each story, and at
 * the end.
 * @throws Error that names money that was forgotten, booked twice or given back twice
 */
export async function killPayments({ databaseUrl, seed, rounds, onRound }: Options) {
  const pool = openPool(databaseUrl);
  const books = new ProviderBooks(await startPaymentSimulators());
  const counts: PaymentCounts = {};
  const victims = new Victims(databaseUrl);
  const client = reloading(openClient(victims, pool, 1_000_000));
  const scene = { pool, client, books, counts };
  try {
    for (let statement = 1, passed = 0; passed < 2; statement += 1) {
      await victims.start(statement);
      await playStory(scene, "khalti", () => victims.arm());
      passed = victims.hasDied ? 0 : passed + 1;
      onRound(`statement ${statement}: ${victims.hasDied ? "killed" : "not reached"}`);
    }
    for (const fault of ["hang_before", "hang_after"] as const)
      for (let request = 1; request <= REQUESTS; request += 1) {
        await victims.start(0);
        const reached = victims.killAtRequest(books, request, fault);
        await playStory(scene, request % 2 === 0 ? "fonepay_qr" : "khalti", reached.begin);
        reached.end();
        onRound(`request ${request}, ${fault}: ${victims.hasDied ? "killed" : "not reached"}`);
      }
    await victims.close();
    await killAtRandom({ ...scene, databaseUrl, seed, rounds, onRound });
    return { ...counts, killed: victims.kills };
  } finally {
    await victims.close();
    await books.simulators.close();
    await pool.end();
  }
}

/** More requests than the story sends to providers, not counting repetitions. */
const REQUESTS = 6;

/** One process of the service at a time; a killed one is replaced at once. */
class Victims {
  kills = 0;
  hasDied = false;
  complaints = "";
  private readonly databaseUrl: string;
  private program: ServiceProgram | null = null;
  private armed = Promise.withResolvers<void>();
  private statement = -1;
  private isClosed = false;

  constructor(databaseUrl: string) {
    this.databaseUrl = databaseUrl;
  }

  async urls(): Promise<string[]> {
    for (;;) {
      if (this.isClosed || !this.program) throw new Error("the process was ended");
      await this.program.ready;
      if (this.program.isReady) return [this.program.url];
      await delay(10);
    }
  }

  /** @param statement before which it dies once it is armed; 0 for none */
  async start(statement: number): Promise<void> {
    this.hasDied = false;
    if (this.program?.isReady !== true || this.statement !== statement)
      await this.replace(statement);
    await this.urls();
  }

  async arm(): Promise<void> {
    this.program?.signal("SIGUSR2");
    await this.armed.promise;
  }

  /** Kills the process while its n-th request to the providers from now on has no answer. */
  killAtRequest(books: ProviderBooks, place: number, fault: "hang_before" | "hang_after") {
    const all = new Set(
      Object.values(books.simulators.providers).map((each) => each.simulator),
    );
    let left = place;
    let isOver = false;
    const simulators = [...all];
    const prepare = () => {
      if (left === 1) for (const each of simulators) each.next(fault);
    };
    const watch = async () => {
      prepare();
      while (!isOver) {
        await Promise.race(simulators.map((each) => each.arrival()));
        if (isOver) return;
        left -= 1;
        prepare();
        if (left !== 0) continue;
        for (const each of simulators) each.calm();
        this.hasDied = true;
        this.kills += 1;
        return this.replace(0);
      }
    };
    return {
      begin: async () => void watch(),
      end: () => {
        isOver = true;
        books.calm();
      },
    };
  }

  async close() {
    this.isClosed = true;
    await this.program?.end();
  }

  private async replace(statement: number) {
    const killed = this.program?.end();
    this.statement = statement;
    this.armed = Promise.withResolvers<void>();
    const environment = {
      NODE_OPTIONS: `--import ${new URL(`die-at-statement.ts?at=${statement}`, import.meta.url).href}`,
    };
    const { databaseUrl, armed } = this;
    const onLine = (line: string) => line.includes("armed") && armed.resolve();
    const program = new ServiceProgram("service and worker", databaseUrl, environment, onLine);
    this.program = program;
    void program.ended.then(() => {
      if (this.isClosed || this.program !== program) return;
      this.hasDied = true;
      this.kills += 1;
      // Replaced by a process that dies at the next statement.
      void this.replace(statement + 1);
    });
    await killed;
  }
}

/** A buyer pays with two providers, one of which has to give the money back. */
async function playStory(scene: Scene, first: ProviderName, arm: () => Promise<void>) {
  const { client, books, pool, counts } = scene;
  books.simulators.clear();
  const api = await SellerApi.open(client);
  await addSimulatedAccounts(client, api.seller, books);
  const { subscription_id: id } = await api.create();
  await arm();
  const attempts: string[] = [];
  for (const provider of [first, "stripe"] as const) {
    const went = await goToProvider(scene, id, provider);
    if (went) attempts.push(went.attempt);
    if (went) books.of(provider).decide(went.reference, "approve");
  }
  for (const attempt of attempts)
    await client.call(null, { url: `/pay/${id}?attempt=${attempt}` });
  await settle(pool, [api.seller.seller_id]);
  add(counts, await comparePayments(client, [api.seller.seller_id], books));
}

async function goToProvider(
  { client, pool }: Scene,
  id: string,
  provider: ProviderName,
): Promise<{ reference: string; attempt: string } | null> {
  // After a kill, the repeated request is refused with the attempt that was begun.
  const { query } = await postForm(client, `/pay/${id}/code`, { method: provider });
  const attempt = query.get("attempt");
  if (attempt === null) return null;
  await submitCodePage(client, id, attempt);
  for (let looks = 0; looks < 5; looks += 1) {
    const page = await client.call(null, { url: `/pay/${id}/go?attempt=${attempt}` });
    const reference = await reachProvider({ pool }, page, attempt);
    if (reference !== null) return { reference, attempt };
    // A process that was killed while it began holds its claim for a minute.
    await passTime(pool, 61);
  }
  return null;
}

/** Lets time pass for all that waits, by moving its stored times back; in seconds. */
async function passTime(pool: pg.Pool, seconds: number) {
  const { rows } = await pool.query<{ table_name: string; changes: string }>(
    `select table_name, string_agg(format('%1$I = %1$I - $1 * interval ''1 second''', column_name), ', ')
       as changes from information_schema.columns
     where table_schema = 'public' and data_type = 'timestamp with time zone'
       and table_name in ('charge', 'refund', 'payment_account', 'checkout_attempt')
     group by table_name`,
  );
  for (const { table_name, changes } of rows)
    await pool.query(`update ${table_name} set ${changes}`, [seconds]);
  await pool.query("select pg_notify('duebook_payments', '')");
}

const OPEN = `
  select 'charge ' || charge_id || ': ' || state as what from charge
  where seller_id = any ($1) and state in ('claimed', 'open')
  union all
  select 'refund ' || refund_id || ': ' || state from refund
  where seller_id = any ($1) and state in ('owed', 'sent', 'under_way')
  union all
  select 'attempt ' || attempt_id || ': ' || state from checkout_attempt a
  where seller_id = any ($1) and state = 'pending' and not exists (
    select from charge c where c.attempt_id = a.attempt_id and c.state = 'held')`;
const MOST_LOOKS = 500;

/**
 * Waits until nothing is under way; the sweep that ends what was cut off runs once a minute.
 * @throws Error that names what is still under way after all that time
 */
async function settle(pool: pg.Pool, sellers: number[]) {
  let open: string[] = [];
  for (let looks = 1; looks <= MOST_LOOKS; looks += 1) {
    await delay(100);
    const { rows } = await pool.query<{ what: string }>(OPEN, [sellers]);
    if (rows.length === 0) return;
    open = rows.map(({ what }) => what);
    if (looks % 10 === 5) await passTime(pool, looks < 100 ? 600 : 86_400);
  }
  throw new Error(`charges, refunds or attempts are still under way: ${open.join(", ")}`);
}

async function killAtRandom({ databaseUrl, seed, rounds, onRound, ...scene }: Scene & Options) {
  const { pool, books, counts } = scene;
  books.simulators.clear();
  const random = createRandom(seed);
  const fleet = new ProcessFleet(databaseUrl, ["service", "service and worker", "worker"]);
  const client = reloading(openClient(fleet, pool, 1_000_000));
  try {
    await fleet.ready();
    const apis = await Promise.all([0, 1, 2].map(() => SellerApi.open(client)));
    for (const { seller } of apis) await addSimulatedAccounts(client, seller, books);
    let isOver = false;
    const trades = apis.map(async (api, place) => {
      const buyer = createRandom(seed + place + 1);
      for (let number = 0; !isOver; number += 1)
        await buy(
          { ...scene, client },
          api,
          buyer,
          `98${place}${String(number).padStart(7, "0")}`,
        );
    });
    for (let round = 1; round <= rounds; round += 1) {
      await delay(random.integer(10, 800));
      const victims = random.chance(0.1) ? [...fleet.programs] : [random.pick(fleet.programs)];
      await Promise.all(victims.map((victim) => fleet.replace(victim)));
      add(counts, { "killed at random": victims.length });
      if (random.chance(0.5)) await fleet.ready();
      if (round % 10 === 0) onRound(`${round} of ${rounds} rounds at random`);
    }
    isOver = true;
    await Promise.all(trades);
    const sellers = apis.map(({ seller }) => seller.seller_id);
    await settle(pool, sellers);
    add(counts, await comparePayments(client, sellers, books));
  } finally {
    await fleet.close();
  }
}

async function buy(scene: Scene, api: SellerApi<ServiceClient>, random: Random, phone: string) {
  const { client, books } = scene;
  const made = await api.requestCreate(api.periods.monthly, { phone });
  const { subscription_id: id } = made.json<{ subscription_id: string }>();
  const tabs = [];
  for (let times = random.integer(1, 3); times > 0; times -= 1) {
    const provider = random.pick(["khalti", "esewa", "fonepay", "stripe"] as const);
    const went = await goToProvider(scene, id, provider);
    if (went) tabs.push({ provider, ...went });
  }
  await Promise.all(
    tabs.map(async ({ provider, reference, attempt }) => {
      const leaving =
        provider === "esewa" ? "cancel" : provider === "fonepay" ? "decline" : "expire";
      books.of(provider).decide(reference, random.chance(0.8) ? "approve" : leaving);
      for (let looks = 0; looks < 2; looks += 1)
        await client.call(null, { url: `/pay/${id}?attempt=${attempt}` });
    }),
  );
}

function add(counts: PaymentCounts, more: PaymentCounts) {
  for (const [what, times] of Object.entries(more)) counts[what] = (counts[what] ?? 0) + times;
}
