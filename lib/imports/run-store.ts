import "server-only";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { leaseSql } from "#lib/db/lease.ts";
import { inTransaction, type Database } from "#lib/db/pool.ts";
import { AppError } from "#lib/failure.ts";
import type { ItemState } from "#lib/subscriptions/bulk/rules.ts";
import type { ImportRow } from "./rules.ts";
import type { ImportChange, ImportProgress } from "./run-queries.ts";
import {
  BATCH,
  COUNTS_BY_STATE,
  countsOf,
  IMPORT_ROW_COLUMNS,
  IN_IMPORT,
  IS_BUSY,
  IS_IMPORT,
  lockImport,
  ofImport,
  refusedImport,
  TO_UNDO,
} from "./store.ts";

// Longer than a row's write and its repetition can take.
const LEASE = leaseSql(60);
const TO_MAKE = "i.state in ('waiting', 'running', 'unknown')";

/**
 * Starts making subscriptions of the rows that are taken in.
 * @param takesOver whether the service takes over a day until which a buyer has paid
 * @returns how many rows
 */
export const startImport = (
  pool: Pick<pg.Pool, "connect">,
  owner: KeyOwner,
  { id, user_id, takesOver }: { id: string; user_id: string; takesOver: boolean },
): Promise<number> =>
  inTransaction(pool, async (db) => {
    const run = await lockImport(db, owner, id);
    if (run.judged_at === null) throw refusedImport("importRun.problem.unjudged");
    const whose = ofImport(owner, id);
    if (!takesOver) await settlePaidRows(db, whose, run.unpaid_choice);
    const { rowCount } = await db.query(
      `update import_row i set state = 'waiting' where ${IN_IMPORT} and i.is_made`,
      whose,
    );
    if (!rowCount) throw refusedImport("importRun.problem.nothing");
    await db.query(
      `update import_run r set started_at = clock_timestamp(), started_by = $4 where ${IS_IMPORT}`,
      [...whose, user_id],
    );
    return rowCount;
  });

/** Settles rows with a paid-until day that the service cannot take over, as the seller chose. */
async function settlePaidRows(
  db: Database,
  whose: string[],
  choice: "pending" | "skip" | null,
): Promise<void> {
  const paid = `${IN_IMPORT} and i.is_made and i.paid_until is not null`;
  if (choice === "pending")
    await db.query(`update import_row i set paid_until = null where ${paid}`, whose);
  else if (choice === "skip")
    await db.query(`update import_row i set choice = 'out' where ${paid}`, whose);
  else {
    const { rowCount } = await db.query(
      `select from import_row i where ${paid} limit 1`,
      whose,
    );
    if (rowCount) throw refusedImport("importRun.problem.choose");
  }
}

const CHANGES: Record<ImportChange, string> = {
  pause: "paused_at = coalesce(paused_at, clock_timestamp())",
  continue: "paused_at = null, closed_at = null",
  close: "closed_at = coalesce(closed_at, clock_timestamp())",
  retry: "paused_at = null, closed_at = null",
  undo: "paused_at = null, closed_at = null, undo_started_at = clock_timestamp()",
};

/**
 * Pauses, continues or ends a run for all its viewers, tries refused rows again, or begins to take
 * back what it made.
 * @throws AppError `not_found`; `conflict` for taking back while it is unknown what was made
 */
export const changeImportRun = (
  pool: Pick<pg.Pool, "connect">,
  owner: KeyOwner,
  id: string,
  change: ImportChange,
): Promise<void> =>
  inTransaction(pool, async (db) => {
    const whose = ofImport(owner, id);
    const { rowCount } = await db.query(
      `update import_run r set ${CHANGES[change]}
        where ${IS_IMPORT} and r.started_at is not null
          ${change === "retry" ? "and r.undo_started_at is null" : ""}`,
      whose,
    );
    if (!rowCount) throw new AppError({ kind: "not_found" });
    if (change === "undo") {
      const unsure = await db.query(
        `select from import_row i where ${IN_IMPORT} and i.state in ('running', 'unknown') limit 1`,
        whose,
      );
      if (unsure.rowCount) throw refusedImport("importRun.problem.unsure");
      await db.query(
        `update import_row i set state = null, choice = 'out'
          where ${IN_IMPORT} and i.state = 'waiting'`,
        whose,
      );
    }
    // The service repeats its refusal for the same key, so these rows get new keys.
    if (change === "retry")
      await db.query(
        `update import_row i set state = 'waiting', message = null, settled_at = null,
                idempotency_key = gen_random_uuid()
          where ${IN_IMPORT} and i.state in ('failed', 'refused')`,
        whose,
      );
  });

export interface LeasedRow extends ImportRow {
  claim: string;
  idempotency_key: string;
  /** Whether the row's subscription is taken back, not made. */
  is_undo: boolean;
  /** Its state before the step; `running` after a crash. */
  was: ItemState;
  return_url: string | null;
  return_token: string;
}

/**
 * Leases the next row of a run: the waiting ones, then those whose answer was lost or whose process
 * died; once taking back has started, the made ones. Concurrent steps get different rows, because
 * locked ones are skipped. The statement waits for a concurrent change of the run, so that no row is
 * leased after a pause, or to be made after taking back has started.
 */
export async function leaseNextRow(
  db: Database,
  owner: KeyOwner,
  id: string,
): Promise<LeasedRow | null> {
  const unsettled = `(i.state = 'unknown' or i.state = 'running' and ${LEASE.isFree("i")})`;
  const toUndo = `${TO_UNDO} and ${LEASE.isFree("i")}`;
  // Each condition is one index range; a single query for all three would read every row before the
  // next one.
  for (const next of [
    "i.state = 'waiting' and r.undo_started_at is null",
    `${unsettled} and r.undo_started_at is null`,
    toUndo,
  ]) {
    const { rows } = await db.query<LeasedRow>(
      `with next as (
         select i.run_id, i.position, i.state as was, r.undo_started_at is not null as is_undo,
                s.return_url, s.return_token
           from import_row i join import_run r on r.id = i.run_id join seller s on s.id = r.seller_id
          where ${IN_IMPORT} and r.started_at is not null and r.paused_at is null
            and r.closed_at is null and ${next}
          order by i.position limit 1 for share of r for update of i skip locked
       )
       update import_row i set ${LEASE.acquire},
              state = case when next.is_undo then i.state else 'running' end
         from next where i.run_id = next.run_id and i.position = next.position
       returning ${IMPORT_ROW_COLUMNS}, i.claim, i.idempotency_key, next.was, next.is_undo,
                 next.return_url, next.return_token`,
      ofImport(owner, id),
    );
    if (rows[0]) return rows[0];
  }
  return null;
}

export interface RowOutcome {
  state: ItemState;
  message: string | null;
  made?: { subscription_id: string; checkout_url: string };
  /** Whether the row is put back as it was, to be tried again. */
  isPutBack?: boolean;
}

/** Stores the outcome of a leased row, unless another step has taken it over. */
export async function finishRow(
  db: Database,
  owner: KeyOwner,
  id: string,
  { position, claim }: LeasedRow,
  { state, message, made, isPutBack = false }: RowOutcome,
): Promise<void> {
  await db.query(
    `update import_row i set state = $6, message = $7, ${LEASE.release},
            subscription_id = coalesce($8, i.subscription_id),
            checkout_url = coalesce($9, i.checkout_url),
            settled_at = case when $10 then i.settled_at else clock_timestamp() end
      where ${IN_IMPORT} and i.position = $4 and ${LEASE.isHeldBy("$5")}`,
    [
      ...ofImport(owner, id),
      position,
      claim,
      state,
      message,
      made?.subscription_id ?? null,
      made?.checkout_url ?? null,
      isPutBack,
    ],
  );
}

type StoredProgress = Omit<ImportProgress, "counts" | "can_undo"> & Record<ItemState, number>;

/**
 * The progress of a run.
 * @throws AppError `not_found`
 */
export async function selectImportProgress(
  db: Database,
  owner: KeyOwner,
  id: string,
): Promise<Omit<ImportProgress, "can_undo">> {
  const { rows } = await db.query<StoredProgress>(
    `select r.started_at, r.paused_at, r.closed_at, r.undo_started_at,
            (select u.name from app_user u where u.id = r.started_by) as started_by,
            ${COUNTS_BY_STATE},
            count(*) filter (where case when r.undo_started_at is null then ${TO_MAKE}
                                        else ${TO_UNDO} end)::int as rest,
            count(*) filter (where i.state = 'done' and i.paid_until is null)::int as links,
            coalesce(bool_or(${IS_BUSY}), false) as is_busy
       from import_run r left join import_row i on i.run_id = r.id and i.state is not null
      where ${IS_IMPORT} group by r.id`,
    ofImport(owner, id),
  );
  const [found] = rows;
  if (!found) throw new AppError({ kind: "not_found" });
  const { started_by, rest, links, is_busy } = found;
  const text = (moment: string | null) => moment && new Date(moment).toISOString();
  return {
    started_at: text(found.started_at),
    started_by,
    paused_at: text(found.paused_at),
    closed_at: text(found.closed_at),
    undo_started_at: text(found.undo_started_at),
    counts: countsOf(found),
    rest,
    links,
    is_busy,
  };
}

/** All rows in the order of the file, in batches. */
export async function* selectResultRows(
  db: Database,
  owner: KeyOwner,
  id: string,
): AsyncGenerator<ImportRow[]> {
  for (let after = 0; ;) {
    const { rows } = await db.query<ImportRow>(
      `select ${IMPORT_ROW_COLUMNS} from import_row i
        where ${IN_IMPORT} and i.position > $4
        order by i.position limit ${BATCH}`,
      [...ofImport(owner, id), after],
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.position;
  }
}
