import "server-only";
import type pg from "pg";
import type { PhoneHome } from "#contract/phone-number.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { inTransaction, singleRow, type Database } from "#lib/db/pool.ts";
import type { ProductCatalogue } from "#lib/products/queries.ts";
import { readIndexStatus } from "#lib/search-index/query/index-status.ts";
import { findIndexedIds, findKnownBuyers } from "#lib/search-index/query/known-buyers.ts";
import { dateOrderOf, isOrderOpen } from "./dates.ts";
import { productMatcher } from "./match-product.ts";
import { readCells, type ReadCells, type Reading, type RowTexts } from "./read-cells.ts";
import { cellAt, type ImportRow, type ImportRun, type Verdict } from "./rules.ts";
import { BATCH, IN_IMPORT, IS_IMPORT, lockImport, ofImport } from "./store.ts";

export interface JudgeContext {
  owner: KeyOwner;
  home: PhoneHome;
  catalogue: ProductCatalogue;
}

interface Judging extends Pick<JudgeContext, "owner"> {
  run: ImportRun;
  reading: Reading;
}

type GivenRow = Pick<ImportRow, "position" | "cells" | "mended">;

interface JudgedRow extends Omit<ReadCells, "phone_keys"> {
  position: number;
  verdict: Verdict;
  existing_id: string | null;
}

/** Judges every row of an import that has not been started. */
export const judgeImport = (
  pool: Pick<pg.Pool, "connect">,
  context: JudgeContext,
  id: string,
  /** Changes the locked import before its rows are judged. */
  change: (db: Database, run: ImportRun) => Promise<void> = async () => {},
): Promise<void> =>
  inTransaction(pool, async (db) => {
    const { owner } = context;
    await change(db, await lockImport(db, owner, id));
    const run = await orderDates(db, owner, await lockImport(db, owner, id));
    await judgeRows(db, judgingOf(context, run), null);
    const status = await readIndexStatus(db, owner);
    await db.query(
      `update import_run r set judged_at = clock_timestamp(), is_index_whole = $4
        where ${IS_IMPORT}`,
      [...ofImport(owner, id), status.state === "ready" && context.catalogue.is_complete],
    );
  });

/** Judges a changed row again, with the rows that had or now have the same buyer and product. */
export const judgeChangedRow = (
  pool: Pick<pg.Pool, "connect">,
  context: JudgeContext,
  { id, position }: { id: string; position: number },
  change: (db: Database, run: ImportRun) => Promise<void>,
): Promise<void> =>
  inTransaction(pool, async (db) => {
    const run = await lockImport(db, context.owner, id);
    const judging = judgingOf(context, run);
    const before = await findTwins(db, judging, position);
    await change(db, run);
    await judgeRows(db, judging, [position]);
    const after = await findTwins(db, judging, position);
    await judgeRows(db, judging, [...new Set([position, ...before, ...after])]);
  });

const judgingOf = ({ owner, home, catalogue }: JudgeContext, run: ImportRun): Judging => ({
  owner,
  run,
  reading: {
    match: productMatcher(catalogue.products),
    home,
    order: run.date_order,
    today: catalogue.today,
    defaults: {
      pbp_id: run.default_pbp_id,
      email: run.default_email,
      address: run.default_address,
    },
  },
});

/**
 * Decides whether days or months come first by the cells of the file, unless the seller chose it.
 * Corrections do not count, so that correcting one row changes no other row's date.
 */
async function orderDates(db: Database, owner: KeyOwner, run: ImportRun): Promise<ImportRun> {
  if (run.date_order_by === "seller") return run;
  const column = run.columns.indexOf("paid_until");
  const { rows } = await db.query<{ text: string | null }>(
    `select i.cells ->> $4::int as text from import_row i where ${IN_IMPORT}`,
    [...ofImport(owner, run.id), column === -1 ? null : column],
  );
  const texts = rows.flatMap(({ text }) => text ?? []);
  const order = dateOrderOf(texts);
  const isSure = order !== null || !texts.some(isOrderOpen);
  const decided = {
    date_order: order ?? "dmy",
    date_order_by: isSure ? "file" : "none",
  } as const;
  await db.query(
    `update import_run r set date_order = $4, date_order_by = $5 where ${IS_IMPORT}`,
    [...ofImport(owner, run.id), decided.date_order, decided.date_order_by],
  );
  return { ...run, ...decided };
}

/** @param positions the rows; null for all of them */
async function judgeRows(db: Database, judging: Judging, positions: number[] | null) {
  const whose = ofJudged(judging);
  let after = 0;
  for (;;) {
    const { rows } = await db.query<GivenRow>(
      `select i.position, i.cells, i.mended from import_row i
        where ${IN_IMPORT} and i.position > $4 and ($5::int[] is null or i.position = any($5))
        order by i.position limit ${BATCH}`,
      [...whose, after, positions],
    );
    const last = rows.at(-1);
    if (!last) break;
    after = last.position;
    await storeJudged(db, judging, await judgeBatch(db, judging, rows));
  }
  await markDoubles(db, judging, positions);
}

const ofJudged = ({ owner, run }: Judging) => ofImport(owner, run.id);

async function judgeBatch(
  db: Database,
  { owner, run, reading }: Judging,
  rows: readonly GivenRow[],
): Promise<JudgedRow[]> {
  const read = rows.map((row) => ({
    position: row.position,
    ...readCells(textsOf(run, row), reading),
  }));
  const right = read.flatMap(({ position, problems, phone_keys: keys, product_id, ...row }) =>
    problems.length > 0 || product_id === null || row.phone_key === null
      ? []
      : [{ position, keys, product_id, phone_key: row.phone_key }],
  );
  const known = await findKnownBuyers(db, owner, right);
  const made = await findUnindexed(db, owner, run.id, right);
  const byPosition = new Map(known.map((one) => [one.position, one]));
  return read.map(({ phone_keys: _keys, ...row }) => {
    const found = byPosition.get(row.position);
    const existing_id = found?.subscription_id ?? made.get(row.position) ?? null;
    const verdict =
      row.problems.length > 0 ? "wrong" : existing_id ? "has" : found ? "known" : "new";
    return { ...row, existing_id: verdict === "has" ? existing_id : null, verdict };
  });
}

/** A row's texts by field: the seller's correction, else the file's cell. */
function textsOf({ columns }: ImportRun, { cells, mended }: GivenRow): RowTexts {
  const given = columns.flatMap((field, at) =>
    field === null ? [] : [[field, cellAt(cells, at)] as const],
  );
  return { ...Object.fromEntries(given), ...mended };
}

interface AskedRow {
  position: number;
  phone_key: string;
  product_id: string;
}

/** Subscriptions that other imports made and the search index lacks, by position of the asked row. */
async function findUnindexed(
  db: Database,
  owner: KeyOwner,
  run_id: string,
  asked: readonly AskedRow[],
): Promise<Map<number, string>> {
  const { rows } = await db.query<{ position: number; subscription_id: string }>(
    `select a.position, i.subscription_id
       from jsonb_to_recordset($4) as a (position integer, phone_key text, product_id text)
       join import_row i on i.seller_id = $1 and i.mode = $2 and i.state = 'done'
        and i.phone_key = a.phone_key and i.product_id = a.product_id
      where i.run_id <> $3 and i.subscription_id is not null`,
    [owner.seller_id, owner.mode, run_id, JSON.stringify(asked)],
  );
  const ids = rows.map(({ subscription_id }) => subscription_id);
  const indexed = await findIndexedIds(db, owner, ids);
  return new Map(
    rows
      .filter(({ subscription_id }) => !indexed.has(subscription_id))
      .map(({ position, subscription_id }) => [position, subscription_id]),
  );
}

async function storeJudged(db: Database, judging: Judging, judged: readonly JudgedRow[]) {
  await db.query(
    `update import_row i
        set name = v.name, phone = v.phone, phone_key = v.phone_key, email = v.email,
            address = v.address, pan_vat = v.pan_vat, pbp_id = v.pbp_id,
            product_id = v.product_id, paid_until = v.paid_until, verdict = v.verdict,
            problems = v.problems, existing_id = v.existing_id, double_of = null
       from jsonb_to_recordset($4) as v (position integer, name text, phone text, phone_key text,
            email text, address text, pan_vat text, pbp_id text, product_id text,
            paid_until date, verdict text, problems text[], existing_id text)
      where ${IN_IMPORT} and i.position = v.position`,
    [...ofJudged(judging), JSON.stringify(judged)],
  );
}

/** Marks rows that have the same buyer and product as an earlier row that is not left out. */
async function markDoubles(db: Database, judging: Judging, positions: number[] | null) {
  // Materialized, because rows just stored have no statistics: the planner could rank them once for
  // each row.
  await db.query(
    `with doubles as materialized (
       select ranked.position, ranked.first from (
         select i.position, min(i.position) over (partition by i.phone_key, i.product_id) as first
           from import_row i
          where ${IN_IMPORT} and i.verdict in ('new', 'known', 'double')
            and i.choice is distinct from 'out'
            and ($4::int[] is null or i.position = any($4))) ranked
        where ranked.position > ranked.first)
     update import_row i set verdict = 'double', double_of = doubles.first from doubles
      where ${IN_IMPORT} and i.position = doubles.position`,
    [...ofJudged(judging), positions],
  );
}

/** The rows that have this row's buyer and product. */
async function findTwins(db: Database, judging: Judging, position: number): Promise<number[]> {
  const { rows } = await db.query<{ positions: number[] }>(
    `select coalesce(array_agg(t.position), '{}') as positions
       from import_row i join import_row t on t.run_id = i.run_id
        and t.phone_key = i.phone_key and t.product_id = i.product_id
      where ${IN_IMPORT} and i.position = $4`,
    [...ofJudged(judging), position],
  );
  return singleRow(rows).positions;
}
