import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { startPostgres } from "#scripts/database/postgres.ts";
import { testCodeOf } from "../../service/checkout/codes.ts";
import { openPool } from "../../service/db/database.ts";
import { migrateService } from "../../service/db/migrate.ts";
import { postForm, requestCode } from "../../service/testing/checkout-forms.ts";
import { ProviderBooks, type ProviderName } from "../../service/testing/payments/books.ts";
import { addSimulatedAccounts } from "../../service/testing/payments/scene.ts";
import { ProcessFleet } from "../../service/testing/processes.ts";
import { openClient, reloading } from "../../service/testing/remote.ts";
import { SellerApi } from "../../service/testing/seller-api.ts";
import type { ServiceClient } from "../../service/testing/service.ts";
import { startPaymentSimulators } from "../simulators/start-payment-simulators.ts";
import { callAtRate } from "./harness/at-rate.ts";
import { summarizeTimes } from "./harness/load.ts";

const HELP = `npm run bench payments -- [--seconds N] [--without N] [--waiting N]
A provider hangs: it takes every request and never answers. Measured for N seconds (120) with it, and for as many or
--without N seconds before, beside N payments that wait for its answer (100), one new one a second and its buyers' pages: the API's
reads, the checkout and the questions of other providers' accounts, and how late due dates come.`;

const { values } = readOptions({
  options: {
    seconds: { type: "string", default: "120" },
    without: { type: "string" },
    waiting: { type: "string", default: "100" },
    help: { type: "boolean", default: false },
  },
});
function whole(name: "seconds" | "without" | "waiting"): number {
  const value = Number(values[name] ?? values.seconds);
  if (Number.isInteger(value) && value >= 1 && value <= 10_000) return value;
  throw new CommandFailure(`--${name} takes a whole number from 1 to 10,000.`);
}

const HANGING = "khalti";
const OTHERS = ["stripe", "fonepay_qr"] as const;
const READS_A_SECOND = 10;
/** More than can be sent in the time of a measurement. */
const MOST_REQUESTS = 20_000;

interface Bench {
  pool: pg.Pool;
  client: ServiceClient;
  books: ProviderBooks;
  /** The seller with the account that hangs, and one with accounts that do not. */
  hanging: SellerApi<ServiceClient>;
  other: SellerApi<ServiceClient>;
  seconds: number;
}

let buyers = 0;
const nextPhone = () => `98${String((buyers += 1)).padStart(8, "0")}`;

/**
 * Orders, and goes to a provider.
 * @returns the subscription's id, the attempt with the provider's reference, and the milliseconds
 *   from the press until the provider's page
 */
async function goToProvider(
  { client, pool }: Bench,
  api: SellerApi<ServiceClient>,
  provider: ProviderName,
) {
  const { subscription_id: id } = await api.create(api.periods.monthly, { phone: nextPhone() });
  const begun = performance.now();
  const attempt = await requestCode(client, id, { method: provider });
  if (attempt === "") throw new CommandFailure(`the checkout sent no code for ${provider}.`);
  // The total is a constant, so that no read of the price is timed.
  const fields = { attempt, code: testCodeOf(attempt), total: "1130.00" };
  await postForm(client, `/pay/${id}/pay`, fields);
  await client.call(null, { url: `/pay/${id}/go?attempt=${attempt}` });
  const took = performance.now() - begun;
  const { rows } = await pool.query<{ reference: string | null }>(
    "select reference from charge where attempt_id = $1",
    [attempt],
  );
  return { id, attempt, took, reference: rows[0]?.reference ?? null };
}

/** Reads single records. @returns milliseconds of each answer */
async function timeReads({ other, seconds }: Bench, id: string) {
  const times: number[] = [];
  await callAtRate({ rate: READS_A_SECOND, seconds }, async () => {
    const begun = performance.now();
    await other.read(id);
    times.push(performance.now() - begun);
  });
  return times;
}

/**
 * Buyers of another seller go to other providers and pay there, but do not return to the checkout.
 * @returns milliseconds to the provider's page, and from the payment until the service has it
 */
async function timeOthers(bench: Bench) {
  const { other, seconds, books, pool } = bench;
  const [pages, booked]: number[][] = [[], []];
  await callAtRate({ rate: 1, seconds }, async (at) => {
    const provider = OTHERS[at % OTHERS.length] ?? "stripe";
    const { id, took, reference } = await goToProvider(bench, other, provider);
    pages?.push(took);
    if (reference === null) throw new CommandFailure("no charge began at a working provider.");
    books.of(provider).decide(reference, "approve");
    const paid = performance.now();
    for (let looks = 0; looks < 600; looks += 1) {
      const { rowCount } = await pool.query("select from payment where subscription_id = $1", [
        id,
      ]);
      if (rowCount === 1) return void booked?.push(performance.now() - paid);
      await delay(100);
    }
    throw new CommandFailure("a payment was not booked within a minute.");
  });
  return { pages: pages ?? [], booked: booked ?? [] };
}

/** Starts payments at the provider that hangs, and times the pages of payments that wait for it. */
async function timeHanging(bench: Bench, waiting: { id: string; attempt: string }[]) {
  const { client, hanging, seconds } = bench;
  const pages: number[] = [];
  await Promise.all([
    callAtRate({ rate: 1, seconds }, async () => {
      await goToProvider(bench, hanging, HANGING);
    }),
    callAtRate({ rate: 4, seconds }, async (at) => {
      const one = waiting[at % waiting.length];
      const begun = performance.now();
      await client.call(null, { url: `/pay/${one?.id}?attempt=${one?.attempt}` });
      pages.push(performance.now() - begun);
    }),
  ]);
  return pages;
}

/** Lets billing dates pass one after another. @returns how many seconds late each status became due */
async function timeDueDates({ other, pool, seconds }: Bench) {
  const count = Math.ceil(seconds / 2);
  const ids: string[] = [];
  for (let each = 0; each < count; each += 1)
    ids.push(
      (await other.create(other.periods.monthly, { phone: nextPhone() })).subscription_id,
    );
  await pool.query(
    `update subscription set status = 'active', current_period_start = now() - interval '31 days',
       next_billing_cycle = now() - interval '1 day', anchor_day = extract(day from now())
     where subscription_id = any ($1)`,
    [ids],
  );
  await pool.query(
    `update subscription set next_transition_at =
       now() + array_position($1::uuid[], subscription_id) * $2::float8 * interval '1 second'
     where subscription_id = any ($1)`,
    [ids, seconds / count],
  );
  const begun = performance.now();
  const late: number[] = [];
  const seen = new Set<string>();
  while (seen.size < count && performance.now() < begun + (seconds + 120) * 1_000) {
    const { rows } = await pool.query<{ subscription_id: string }>(
      "select subscription_id from subscription where subscription_id = any ($1) and status = 'due'",
      [ids],
    );
    for (const { subscription_id } of rows) {
      if (seen.has(subscription_id)) continue;
      seen.add(subscription_id);
      const due = (ids.indexOf(subscription_id) + 1) * (seconds / count);
      late.push((performance.now() - begun) / 1_000 - due);
    }
    await delay(250);
  }
  if (seen.size < count)
    throw new CommandFailure("not every subscription became due within two minutes.");
  return late;
}

async function measure(bench: Bench, waiting: { id: string; attempt: string }[]) {
  const { subscription_id } = await bench.other.create();
  const [reads, others, waits, late] = await Promise.all([
    timeReads(bench, subscription_id),
    timeOthers(bench),
    timeHanging(bench, waiting),
    timeDueDates(bench),
  ]);
  const timesOf = (times: number[], places = 0) => {
    const { p50, p99 } = summarizeTimes(times, 1);
    return [p50, p99, Math.max(...times)].map((value) => value.toFixed(places)).join(" / ");
  };
  return {
    "read of a record, ms": timesOf(reads, 1),
    "checkout of another account until its provider's page, ms": timesOf(others.pages),
    "payment at another account until it is booked, s": timesOf(
      others.booked.map((each) => each / 1_000),
      1,
    ),
    "page of a payment that waits for the one provider, ms": timesOf(waits),
    "due date until the subscription is due, s": timesOf(late, 1),
  };
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const [seconds, waiting] = [whole("seconds"), whole("waiting")];
  const directory = await mkdtemp(join(tmpdir(), "duebook-bench-"));
  const postgres = await startPostgres(directory);
  await postgres.ensureDatabase("service");
  const databaseUrl = postgres.url("service");
  await migrateService(databaseUrl);
  const pool = openPool(databaseUrl);
  const books = new ProviderBooks(await startPaymentSimulators());
  const fleet = new ProcessFleet(databaseUrl, ["service", "worker"]);
  try {
    await fleet.ready();
    const client = reloading(openClient(fleet, pool, MOST_REQUESTS));
    const [hanging, other] = [await SellerApi.open(client), await SellerApi.open(client)];
    const bench: Bench = { pool, client, books, hanging, other, seconds };
    for (const { seller } of [hanging, other])
      await addSimulatedAccounts(client, seller, books);
    const begun = [];
    for (let each = 0; each < waiting; each += 1)
      begun.push(await goToProvider(bench, hanging, HANGING));
    const without = await measure({ ...bench, seconds: whole("without") }, begun);
    const { simulator } = books.simulators.providers[HANGING];
    for (let each = 0; each < MOST_REQUESTS; each += 1) simulator.next("hang_before");
    const beside = await measure(bench, begun);
    console.log(
      [
        `| p50 / p99 / longest, ${waiting} payments waiting | all answer, ${whole("without")} s | one hangs, ${seconds} s |`,
        "| --- | ---: | ---: |",
        ...Object.entries(without).map(
          ([what, times]) => `| ${what} | ${times} | ${beside[what as keyof typeof beside]} |`,
        ),
      ].join("\n"),
    );
  } finally {
    await fleet.close();
    await books.simulators.close();
    await pool.end();
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
});
