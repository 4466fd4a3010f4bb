import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type pg from "pg";
import { CommandFailure, runCommand } from "#scripts/process/command.ts";
import { markdown } from "../markdown.ts";
import { startPostgres } from "#scripts/database/postgres.ts";
import { openPool, transaction, type Database } from "../../service/db/database.ts";
import { migrateService } from "../../service/db/migrate.ts";
import { lockCurrentSubscription } from "../../service/subscriptions/catch-up.ts";
import { savedTables } from "../../service/sandbox/account/tables.ts";
import { forecast } from "../../service/sandbox/clock/forecast.ts";
import { selectDueBatch } from "../../service/sandbox/clock/store.ts";
import {
  restoreSavedState,
  saveStateBeforeAdvance,
} from "../../service/sandbox/states/states.ts";
import { insertSeller, type Seller } from "../../service/sellers/store.ts";
import { fillAccount, STATES_CLOCK_START } from "./harness/states-rows.ts";

const HELP = `npm run bench states -- [--rows N] [--rounds N] [--whole]
Saves and restores an account of N subscriptions (10,000) with their customers, payments, events and
deliveries, beside saving it row by row and in tables of the same shape. Also forecasts a month, with
--whole beside running it in a transaction that is rolled back, which takes minutes.`;

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "10000" },
    rounds: { type: "string", default: "5" },
    whole: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const realNow = new Date(STATES_CLOCK_START);
const MONTH = new Date(realNow.getTime() + 30 * 86_400_000);
const ALL_DUE = { at: MONTH, except: [], limit: 1_000_000 };
const DAY = 86_400_000;

/** Times the methods in turn in each round, so that a slow second affects all of them. */
async function timeRounds(rounds: number, ways: Record<string, () => Promise<unknown>>) {
  const times = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, run] of Object.entries(ways)) {
      const started = performance.now();
      await run();
      times.get(name)?.push(performance.now() - started);
    }
  return [...times].map(([name, taken]) => {
    const sorted = taken.toSorted((a, b) => a - b);
    return [name, String(Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0))];
  });
}

/** Runs `work` in a transaction that is rolled back. */
async function rolledBack(pool: pg.Pool, work: (database: Database) => Promise<unknown>) {
  const nothing = new Error("rolled back");
  await transaction(pool, async (database) => {
    await work(database);
    throw nothing;
  }).catch((error: unknown) => {
    if (error !== nothing) throw error;
  });
}

/** A method that stores one JSON value per row. */
const saveRows = async (database: Database, { seller_id }: Seller) => {
  await database.query("create temp table one_row (table_name text, row jsonb) on commit drop");
  for (const { name } of await savedTables(database))
    await database.query(
      `insert into one_row select '${name}', to_jsonb(t) from ${name} t where seller_id = $1`,
      [seller_id],
    );
};

/** A method that stores the rows in tables of the same shape. */
const saveShadows = async (database: Database, { seller_id }: Seller) => {
  for (const { name } of await savedTables(database)) {
    await database.query(`create temp table shadow_${name} (like ${name}) on commit drop`);
    await database.query(
      `insert into shadow_${name} select * from ${name} where seller_id = $1`,
      [seller_id],
    );
  }
};

async function bench() {
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  const [rows, rounds] = [values.rows, values.rounds].map(Number);
  if (!rows || !rounds) throw new CommandFailure("--rows and --rounds take numbers above 0.");
  const directory = await mkdtemp(join(tmpdir(), "duebook-bench-"));
  const server = await startPostgres(directory, { durable: true });
  await migrateService(server.url("postgres"));
  const pool = openPool(server.url("postgres"));
  try {
    const sellers: Seller[] = [];
    for (const name of ["measured", "beside it"]) {
      const seller = await insertSeller(pool, {
        name,
        kyc_verified: true,
        api_usage_type: "payment",
        time_zone: "Asia/Kathmandu",
        grace_days: 7,
        created_at: realNow,
      });
      await fillAccount(pool, seller.seller_id, rows);
      sellers.push(seller);
    }
    await pool.query("analyze");
    const [seller] = sellers as [Seller];
    const { seller_id } = seller;
    const moment = { seller_id, realNow };
    const state = (await saveStateBeforeAdvance(pool, moment)) ?? 0;
    const span = { until: MONTH, after: DAY };
    const times = await timeRounds(rounds, {
      "save (bundles of 500)": () => saveStateBeforeAdvance(pool, moment),
      "save, a row of JSON each": () =>
        rolledBack(pool, (database) => saveRows(database, seller)),
      "save, tables of the same shape": () =>
        rolledBack(pool, (database) => saveShadows(database, seller)),
      "restore, with the save before it": () =>
        rolledBack(pool, (database) => restoreSavedState(database, moment, state)),
      "forecast of a month": () => forecast(pool, seller, span),
    });
    const all = await timeRounds(values.whole ? 1 : 0, {
      "a month in a transaction, rolled back": () =>
        rolledBack(pool, async (database) => {
          for (const id of await selectDueBatch(database, seller.seller_id, ALL_DUE))
            await lockCurrentSubscription(database, seller, id, MONTH);
        }),
    });
    const { rows: sizes } = await pool.query<{ bytes: number }>(
      "select max(bytes)::int as bytes from sandbox_state",
    );
    process.stdout.write(
      `${markdown([["way", "ms, median"], ...times, ...(values.whole ? all : [])])}\n`,
    );
    process.stdout.write(
      `\n${rows} subscriptions; a state takes ${((sizes[0]?.bytes ?? 0) / 1024 / 1024).toFixed(1)} MB\n`,
    );
  } finally {
    await pool.end();
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
}

await runCommand(bench);
