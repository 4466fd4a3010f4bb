import { setTimeout as delay } from "node:timers/promises";
import { openPool } from "../../db/database.ts";
import { createRandom } from "../../seed/random.ts";
import { Inbox } from "../inbox.ts";
import { ProcessFleet, type ProgramRole } from "../processes.ts";
import { openClient } from "../remote.ts";
import type { ServiceClient } from "../service.ts";
import { waitUntilNoRow } from "../until-none.ts";
import { checkCounters } from "./counters.ts";
import { checkHistory } from "./history.ts";
import { checkMoney } from "./money.ts";
import { Shop } from "./shop.ts";

const SHOPS = 3;
const LOOKS_A_SWEEP = 30;

interface Options {
  databaseUrl: string;
  rounds: number;
  seed: number;
  roles: ProgramRole[];
  onRound?: (round: number) => void;
}

export type KillReport = Awaited<ReturnType<typeof killPrograms>>;

/**
 * Sellers and buyers use the service over HTTP while services and workers are killed at random
 * and restarted; then the data are compared with the answers.
 * @throws Error that names what was lost, repeated or added
 */
export async function killPrograms(options: Options) {
  const { databaseUrl, seed, roles } = options;
  const pool = openPool(databaseUrl);
  const fleet = new ProcessFleet(databaseUrl, roles);
  const inbox = await Inbox.open();
  try {
    return await tradeAndCheck({ fleet, inbox, pool }, options);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Error(`seed ${seed}: ${problem}`, { cause: error });
  } finally {
    await fleet.close();
    await inbox.close();
    await pool.end();
  }
}

interface Scene {
  fleet: ProcessFleet;
  inbox: Inbox;
  pool: ServiceClient["pool"];
}

async function tradeAndCheck({ fleet, inbox, pool }: Scene, options: Options) {
  const client = openClient(fleet, pool, options.rounds);
  const shops = await Promise.all(
    Array.from({ length: SHOPS }, (_, index) =>
      Shop.open(client, inbox, options.seed * SHOPS + index),
    ),
  );
  const kills = await killWhile(fleet, shops, options);
  await waitUntilSettled(fleet, pool, shops);
  const problems = await compareWithLedgers(client, shops, inbox);
  if (problems.length > 0)
    throw new Error(`${problems.length} problems:\n${problems.slice(0, 12).join("\n")}`);
  return {
    kills,
    faults: client.faults(),
    arrivals: inbox.arrivals,
    ...(await countRows(pool, shops)),
  };
}

/** @returns the number of killed processes */
async function killWhile(
  fleet: ProcessFleet,
  shops: Shop[],
  options: Options,
): Promise<number> {
  const over = new AbortController();
  const trade = Promise.all(shops.map((shop) => shop.trade(over.signal)));
  const killing = killAtRandom(fleet, over.signal, options);
  try {
    await Promise.race([killing, trade]);
  } finally {
    over.abort();
    await Promise.allSettled([killing]);
  }
  await trade;
  return killing;
}

async function killAtRandom(
  fleet: ProcessFleet,
  signal: AbortSignal,
  { rounds, seed, onRound }: Options,
): Promise<number> {
  const random = createRandom(seed);
  let kills = 0;
  for (let round = 1; round <= rounds && !signal.aborted; round += 1) {
    await delay(random.integer(10, 800));
    const all = fleet.programs;
    const victims = random.chance(0.1) ? [...all] : [random.pick(all)];
    await Promise.all(victims.map((victim) => fleet.replace(victim)));
    kills += victims.length;
    // In half of the rounds, the next process may be killed while this one starts.
    if (random.chance(0.5)) await fleet.ready();
    onRound?.(round);
  }
  return kills;
}

interface Restartable<Each extends { role: ProgramRole }> {
  programs: Each[];
  ready: () => Promise<void>;
  replace: (program: Each) => Promise<void>;
}

export async function waitUntilSettled<Each extends { role: ProgramRole }>(
  fleet: Restartable<Each>,
  pool: ServiceClient["pool"],
  shops: Shop[],
) {
  await fleet.ready();
  let looks = 0;
  await waitUntilNoRow(pool, UNANSWERED, "payments have no end", async () => {
    // Workers sweep at start, which handles abandoned checkouts.
    const worker = fleet.programs.find(({ role }) => role !== "service");
    if (worker && looks % LOOKS_A_SWEEP === 0) await fleet.replace(worker);
    looks += 1;
    await fleet.ready();
    await delay(50);
  });
  await Promise.all(shops.map((shop) => shop.catchUp()));
}

const UNANSWERED = `
  select 1 from checkout_attempt a left join sandbox_charge c using (attempt_id)
  where a.state = 'returning'
    or a.state = 'pending' and (a.provider_reference is null or c.choice is not null)`;

/**
 * Compares the data with the answers.
 * @returns the differences between answers, payments, counters and events
 */
export async function compareWithLedgers(
  client: ServiceClient,
  shops: Shop[],
  inbox: Inbox,
): Promise<string[]> {
  const problems = await inbox.check(client);
  for (const { api, ledger } of shops) {
    const { seller_id } = api.seller;
    problems.push(
      ...(await checkHistory(client, seller_id, ledger)),
      ...(await checkMoney(client, seller_id, ledger)),
      ...(await checkCounters(api)),
    );
    const clock = await api.call({ url: "/sandbox/clock/" });
    if (Date.parse(clock.json<{ now: string }>().now) < ledger.clock)
      problems.push(`the clock of seller ${seller_id} went back`);
  }
  return problems;
}

async function countRows(pool: ServiceClient["pool"], shops: Shop[]) {
  const { rows } = await pool.query<
    Record<"events" | "deliveries" | "payments" | "given_back", number>
  >(
    `select (select count(*) from event) as events, (select count(*) from delivery) as deliveries,
       (select count(*) from payment) as payments,
       (select count(*) from sandbox_charge where returned_at is not null) as given_back`,
  );
  const total = (name: "acknowledged" | "unknown" | "repeated") =>
    shops.reduce((sum, { ledger }) => sum + ledger[name], 0);
  return {
    acknowledged: total("acknowledged"),
    unknown: total("unknown"),
    repeated: total("repeated"),
    receipts: shops.reduce((sum, { ledger }) => sum + ledger.receipts.size, 0),
    ...(rows[0] ?? { events: 0, deliveries: 0, payments: 0, given_back: 0 }),
  };
}
