import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { migrateDashboard } from "#lib/db/migrate.ts";
import { createPool } from "#lib/db/pool.ts";
import { openExport, type ExportFile } from "#lib/subscriptions/export/data.ts";
import { EXPORT_COLUMNS } from "#lib/subscriptions/export/columns.ts";
import { EXPORT_FORMATS, type ExportFormat } from "#lib/list-answer.ts";
import { parseSubscriptionSearch } from "#lib/subscriptions/search.ts";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { markdown } from "../markdown.ts";
import { startPostgres } from "#scripts/database/postgres.ts";
import { createIndexedSeller } from "../testing/fixtures/records-fixture.ts";
import { generateRows } from "./harness/fixture-rows.ts";

const HELP = `npm run bench export -- [--rows N]
Exports N indexed subscriptions (100,000) with all columns, beside only reading the same rows. A tenth of
them comes first, because memory must not grow with the rows.`;

const { values } = readOptions({
  options: {
    rows: { type: "string", default: "100000" },
    help: { type: "boolean", default: false },
  },
});

interface Run {
  name: string;
  rows: number;
  seconds: number;
  /** The size of the file. */
  bytes: number;
  /** Peak resident memory of this process during the run, in bytes. */
  peak: number;
}

/** Reads a stream without keeping its chunks. */
async function measure(
  name: string,
  rows: number,
  read: () => Promise<AsyncIterable<Uint8Array | unknown[]>>,
): Promise<Run> {
  let [bytes, peak] = [0, 0];
  const begun = performance.now();
  for await (const chunk of await read()) {
    bytes += chunk instanceof Uint8Array ? chunk.length : 0;
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  return { name, rows, seconds: (performance.now() - begun) / 1_000, bytes, peak };
}

/** Reads and parses the rows without writing a file: the shortest possible time of an export. */
async function readOnly(pool: pg.Pool, { seller_id }: KeyOwner) {
  async function* batches() {
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query(
        `declare floor cursor for select record from mirror_subscription
          where seller_id = $1 and mode = 'test' order by created_at desc, id desc`,
        [seller_id],
      );
      for (;;) {
        const { rows } = await client.query<{ record: unknown }>("fetch 500 from floor");
        if (rows.length === 0) return;
        yield rows;
      }
    } finally {
      await client.query("rollback");
      client.release();
    }
  }
  return batches();
}

/** Whether an export of all rows reads them in the order of this database index. */
const isRead = (index: string) => index === "mirror_subscription_created";

/** Translation is not part of the measurement. */
const named = (key: string) => key;
const wording = { t: named, tList: named } as unknown as ExportFile["wording"];

async function exported(pool: pg.Pool, owner: KeyOwner, format: ExportFormat) {
  const question = {
    search: parseSubscriptionSearch({}),
    words: "",
    time_zone: "Asia/Kathmandu",
  };
  const file = {
    format,
    columns: EXPORT_COLUMNS,
    amounts: {},
    wording,
    user_id: owner.seller_id,
    mayGoOn: async () => true,
  };
  return (await openExport(pool, owner, question, file)).body;
}

async function measureAll(pool: pg.Pool, owner: KeyOwner, rows: number): Promise<Run[]> {
  const runs = [await measure("only reading the rows", rows, () => readOnly(pool, owner))];
  for (const format of EXPORT_FORMATS)
    runs.push(await measure(format, rows, () => exported(pool, owner, format)));
  return runs;
}

function report(runs: Run[]): string {
  const floors = new Map(
    runs.filter(({ bytes }) => bytes === 0).map(({ rows, seconds }) => [rows, rows / seconds]),
  );
  const heads = ["", "rows", "rows a second", "of only reading", "file MB", "peak MB"];
  const lines = runs.map(({ name, rows, seconds, bytes, peak }) => [
    name,
    rows.toLocaleString("en"),
    Math.round(rows / seconds).toLocaleString("en"),
    (rows / seconds / (floors.get(rows) ?? 1)).toFixed(2),
    (bytes / 1e6).toFixed(1),
    (peak / 1e6).toFixed(0),
  ]);
  return markdown([heads, ...lines]);
}

await runCommand(async () => {
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  const rows = Number(values.rows);
  if (!Number.isInteger(rows) || rows < 10_000)
    throw new CommandFailure("--rows takes a whole number of 10,000 and more.");
  const directory = await mkdtemp(join(tmpdir(), "duebook-bench-"));
  const server = await startPostgres(directory, { durable: false });
  await migrateDashboard(server.url("postgres"));
  const pool = createPool(server.url("postgres"));
  try {
    const owner = await createIndexedSeller(pool);
    const tenth = Math.floor(rows / 10);
    await generateRows(pool, owner, [1, tenth], isRead);
    const few = await measureAll(pool, owner, tenth);
    await generateRows(pool, owner, [tenth + 1, rows], isRead);
    const all = await measureAll(pool, owner, rows);
    process.stdout.write(`${report([...few, ...all])}\n`);
  } finally {
    await pool.end();
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
});
