import "server-only";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { database, inTransaction, singleRow, type Database } from "#lib/db/pool.ts";
import { AppError } from "#lib/failure.ts";
import { message, type MessageKey } from "#lib/i18n/message.ts";
import {
  ITEM_STATES,
  type CountsByState,
  type ItemState,
} from "#lib/subscriptions/bulk/rules.ts";
import { headingKey, isImportField, type KnownHeadings } from "./headings.ts";
import {
  IMPORT_KEPT_DAYS,
  type ImportField,
  type ImportRow,
  type ImportRun,
  type ImportRunSummary,
  type ReadTable,
  type RowFilter,
  type VerdictCounts,
} from "./rules.ts";

/** SQL conditions of an import and of its rows, by the values of `ofImport`. */
export const IS_IMPORT = "r.id = $1 and r.seller_id = $2 and r.mode = $3";
export const IN_IMPORT = "i.run_id = $1 and i.seller_id = $2 and i.mode = $3";
export const ofImport = ({ seller_id, mode }: KeyOwner, id: string): string[] => [
  id,
  seller_id,
  mode,
];

const OLD = `r.created_at < now() - interval '${IMPORT_KEPT_DAYS} days'`;
const RUN = `r.id, r.file_name, r.created_at, r.headings, r.columns, r.judged_at, r.is_index_whole,
  r.date_order, r.date_order_by, r.default_pbp_id, r.default_email, r.default_address,
  r.unpaid_choice, r.started_at, r.paused_at, r.closed_at, r.undo_started_at,
  (select u.name from app_user u where u.id = r.created_by) as created_by`;
export const IMPORT_ROW_COLUMNS = `i.position, i.cells, i.mended, i.name, i.phone, i.email, i.address,
  i.pan_vat, i.pbp_id, i.product_id, i.paid_until::text, i.verdict, i.problems, i.double_of,
  i.existing_id, i.choice, i.is_made, i.state, i.subscription_id, i.checkout_url, i.message`;

/**
 * Made rows whose subscription must still be taken back; each is tried once after taking back was
 * started.
 */
export const TO_UNDO = "i.state = 'done' and i.settled_at < r.undo_started_at";
/** Whether a step is working on the row, or settled it a moment ago. */
export const IS_BUSY = `(i.claimed_until > clock_timestamp()
  or i.settled_at > clock_timestamp() - interval '5 seconds')`;
export const COUNTS_BY_STATE = ITEM_STATES.map(
  (state) => `count(*) filter (where i.state = '${state}')::int as "${state}"`,
).join(", ");
export const countsOf = (found: Record<ItemState, number>): CountsByState =>
  Object.fromEntries(ITEM_STATES.map((state) => [state, found[state]])) as CountsByState;

/** Deletes a seller's old imports with the buyers in them; the sync worker calls it. */
export async function deleteOldImports(
  { seller_id, mode }: KeyOwner,
  db: Database = database(),
) {
  await db.query(`delete from import_run r where r.seller_id = $1 and r.mode = $2 and ${OLD}`, [
    seller_id,
    mode,
  ]);
}

const LISTED = 20;

/** The newest imports, with the progress of each run. */
export async function selectImports(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<ImportRunSummary[]> {
  const { rows } = await db.query<Omit<ImportRunSummary, "counts"> & Record<ItemState, number>>(
    `with listed as (
       select * from import_run r where r.seller_id = $1 and r.mode = $2 and not (${OLD})
        order by r.created_at desc, r.id limit ${LISTED}
     )
     select ${RUN}, c.*, w.rest,
            -- The rows of a finished run need not be read.
            w.rest > 0 and exists (
              select from import_row i where i.run_id = r.id and i.state is not null and ${IS_BUSY}
            ) as is_busy
       from listed r
       cross join lateral (
         select count(*)::int as rows, ${COUNTS_BY_STATE} from import_row i where i.run_id = r.id) c
       cross join lateral (
         select case when r.undo_started_at is null then c.waiting + c.running + c.unknown
                else (select count(*)::int from import_row i
                       where i.run_id = r.id and ${TO_UNDO}) end as rest) w
      order by r.created_at desc, r.id`,
    [seller_id, mode],
  );
  return rows.map((row) => ({ ...asText(row), counts: countsOf(row) }));
}

/** @returns null for an import of another seller, and for one that was deleted or is too old */
export async function selectImport(
  db: Database,
  owner: KeyOwner,
  id: string,
): Promise<ImportRun | null> {
  const { rows } = await db.query<ImportRun>(
    `select ${RUN} from import_run r where ${IS_IMPORT} and not (${OLD})`,
    ofImport(owner, id),
  );
  return rows[0] ? asText(rows[0]) : null;
}

const FILTERS: Record<RowFilter, string> = {
  new: "i.verdict = 'new' and i.is_made",
  known: "i.verdict = 'known' and i.is_made",
  has: "i.verdict = 'has'",
  double: "i.verdict = 'double'",
  wrong: "i.verdict = 'wrong'",
  out: "i.verdict in ('new', 'known') and not i.is_made",
  refused: "i.state in ('refused', 'failed', 'unknown')",
};

/** A page of judged rows in the order of the file. */
export async function selectImportRows(
  db: Database,
  owner: KeyOwner,
  id: string,
  { show, after, limit }: { show: RowFilter | null; after: number; limit: number },
): Promise<ImportRow[]> {
  const { rows } = await db.query<ImportRow>(
    `select ${IMPORT_ROW_COLUMNS} from import_row i
      where ${IN_IMPORT} and i.position > $4 and ${show ? FILTERS[show] : "true"}
      order by i.position limit $5`,
    [...ofImport(owner, id), after, limit],
  );
  return rows;
}

/** How many rows each filter shows, how many are made, and how many of these are paid until a day. */
export async function countVerdicts(
  db: Database,
  owner: KeyOwner,
  id: string,
): Promise<VerdictCounts> {
  const counted = Object.entries(FILTERS).map(
    ([name, condition]) => `count(*) filter (where ${condition})::int as "${name}"`,
  );
  const { rows } = await db.query<VerdictCounts>(
    `select ${counted.join(", ")}, count(*)::int as all,
            count(*) filter (where i.is_made)::int as made,
            count(*) filter (where i.is_made and i.paid_until is not null)::int as paid
       from import_row i where ${IN_IMPORT}`,
    ofImport(owner, id),
  );
  return singleRow(rows);
}

/** The subscriptions that an import has made and not taken back. */
export async function readMadeSubscriptions(
  db: Database,
  owner: KeyOwner,
  id: string,
): Promise<string[]> {
  const { rows } = await db.query<{ subscription_id: string }>(
    `select i.subscription_id from import_row i
      where ${IN_IMPORT} and i.state = 'done' and i.subscription_id is not null`,
    ofImport(owner, id),
  );
  return rows.map(({ subscription_id }) => subscription_id);
}

/** Stores a table that was read; nothing is judged yet. @returns the import's id */
export async function insertImport(
  pool: Pick<pg.Pool, "connect">,
  { seller_id, mode }: KeyOwner,
  user_id: string,
  {
    file_name,
    headings,
    columns,
    rows,
  }: Omit<ReadTable, "isGuessed"> & Pick<ImportRun, "file_name">,
): Promise<string> {
  return inTransaction(pool, async (db) => {
    const inserted = await db.query<{ id: string }>(
      `insert into import_run (seller_id, mode, created_by, file_name, headings, columns)
       values ($1, $2, $3, $4, $5, $6) returning id`,
      [
        seller_id,
        mode,
        user_id,
        file_name,
        headings && JSON.stringify(headings),
        JSON.stringify(columns),
      ],
    );
    const { id } = singleRow(inserted.rows);
    for (let at = 0; at < rows.length; at += BATCH)
      await db.query(
        `insert into import_row (run_id, seller_id, mode, position, cells)
         select $1, $2, $3, position, cells
           from jsonb_to_recordset($4) as given (position integer, cells jsonb)`,
        [id, seller_id, mode, JSON.stringify(rows.slice(at, at + BATCH))],
      );
    return id;
  });
}

/** How many rows are read and written at once. */
export const BATCH = 1_000;

/** @throws AppError `not_found`, or `conflict` for an import whose run is neither done nor closed */
export async function deleteImport(db: Database, owner: KeyOwner, id: string): Promise<void> {
  const { rowCount } = await db.query(
    `delete from import_run r where ${IS_IMPORT}
        and (r.started_at is null or r.closed_at is not null or not exists (
          select from import_row i
           where ${IN_IMPORT} and i.state in ('waiting', 'running', 'unknown')))`,
    ofImport(owner, id),
  );
  if (rowCount) return;
  const found = await selectImport(db, owner, id);
  throw found ? refusedImport("imports.problem.running") : new AppError({ kind: "not_found" });
}

/**
 * The import, locked until the end of the transaction, so that changes follow one another.
 * @throws AppError `not_found`, or `conflict` for an import that has been started
 */
export async function lockImport(
  db: Database,
  owner: KeyOwner,
  id: string,
): Promise<ImportRun> {
  const { rows } = await db.query<ImportRun>(
    `select ${RUN} from import_run r where ${IS_IMPORT} and not (${OLD}) for update`,
    ofImport(owner, id),
  );
  const [run] = rows;
  if (!run) throw new AppError({ kind: "not_found" });
  if (run.started_at !== null) throw refusedImport("imports.problem.started");
  return asText(run);
}

export const refusedImport = (key: MessageKey): AppError =>
  new AppError({ kind: "conflict", detail: message(key) });

/** The fields of headings as the seller chose them the last time. */
export async function readKnownHeadings(
  db: Database,
  { seller_id }: Pick<KeyOwner, "seller_id">,
): Promise<KnownHeadings> {
  const { rows } = await db.query<{ heading_key: string; field: string | null }>(
    "select heading_key, field from import_heading where seller_id = $1",
    [seller_id],
  );
  const fieldOf = (field: string | null): ImportField | null =>
    field !== null && isImportField(field) ? field : null;
  return new Map(rows.map(({ heading_key, field }) => [heading_key, fieldOf(field)]));
}

const MOST_HEADINGS = 500;

/** Remembers what each heading stood for; the least recently used headings are forgotten. */
export async function rememberHeadings(
  db: Database,
  { seller_id }: Pick<KeyOwner, "seller_id">,
  headings: readonly (string | null)[],
  columns: readonly (ImportField | null)[],
): Promise<void> {
  const chosen = new Map(
    headings.map((heading, at) => [headingKey(heading ?? ""), columns[at] ?? null]),
  );
  chosen.delete("");
  await db.query(
    `insert into import_heading (seller_id, heading_key, field)
     select $1, key, field from unnest($2::text[], $3::text[]) as given (key, field)
     on conflict (seller_id, heading_key) do update set field = excluded.field, used_at = now()`,
    [seller_id, [...chosen.keys()], [...chosen.values()]],
  );
  await db.query(
    `delete from import_heading where seller_id = $1 and heading_key in (
       select heading_key from import_heading where seller_id = $1
        order by used_at desc, heading_key offset ${MOST_HEADINGS})`,
    [seller_id],
  );
}

/** Turns pg's Date objects into ISO texts. */
function asText<Run extends ImportRun>(run: Run): Run {
  const text = (moment: string | null) => moment && new Date(moment).toISOString();
  return {
    ...run,
    created_at: text(run.created_at) ?? "",
    judged_at: text(run.judged_at),
    started_at: text(run.started_at),
    paused_at: text(run.paused_at),
    closed_at: text(run.closed_at),
    undo_started_at: text(run.undo_started_at),
  };
}
