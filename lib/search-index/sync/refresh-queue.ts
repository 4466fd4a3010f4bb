import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import {
  AppError,
  failureOf,
  isTemporaryFailure,
  type Failure,
  type FailureKind,
} from "#lib/failure.ts";
import { readClock, type Database } from "#lib/db/pool.ts";
import { INDEXED_LISTS, rowsOf, type SingleList } from "#lib/search-index/records/lists.ts";
import { removeRow, storeRows } from "./store.ts";
import type { SyncContext } from "./sync-job.ts";

/** The most queued refreshes of a seller; more of them request a full sync instead. */
const MOST_WAITING = 1_000;

/** Queues records to be read again from the API. Does nothing while no key is connected. */
export async function enqueueRefresh(
  db: Database,
  { seller_id, mode }: KeyOwner,
  list: SingleList,
  ids: string[],
): Promise<void> {
  await db.query(
    `with held as (
       select (select count(*) from mirror_hint where seller_id = $1 and mode = $2) as waiting
         from mirror where seller_id = $1 and mode = $2
     ), left_here as (
       insert into mirror_hint (seller_id, mode, list, id)
       select $1, $2, $3, id from held, unnest($4::text[]) id
        where waiting < ${MOST_WAITING} order by id
       on conflict (seller_id, mode, list, id) do update
         set hinted_at = clock_timestamp(), not_before = now(), tries = 0
     )
     update mirror
        set due_at = least(due_at, now()),
            round_wanted_at = case when waiting < ${MOST_WAITING} then round_wanted_at
              else greatest(round_wanted_at, now() - interval '10 minutes') end
       from held where seller_id = $1 and mode = $2`,
    [seller_id, mode, list, ids],
  );
  await db.query("select pg_notify('mirror', '')");
}

/**
 * Locks the index until the transaction ends. Its writers lock it before payments and their sums, so
 * a transaction that stores a payment and then queues a refresh must do so too.
 */
export async function lockIndex(db: Database, { seller_id, mode }: KeyOwner): Promise<void> {
  await db.query("select from mirror where seller_id = $1 and mode = $2 for no key update", [
    seller_id,
    mode,
  ]);
}

/** Requests a full sync as soon as the service allows it. @returns false while no key is connected */
export async function requestFullSync(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update mirror
        set round_wanted_at = clock_timestamp(), due_at = now(),
            wait_until = case when error = 'rate_limited' then wait_until end
      where seller_id = $1 and mode = $2`,
    [seller_id, mode],
  );
  await db.query("select pg_notify('mirror', '')");
  return rowCount === 1;
}

interface Hint {
  list: SingleList;
  id: string;
  hinted_at: string;
  tries: number;
}

const MOST_TRIES = 3;

/** Reads some queued records again, at most `calls`. @returns their number */
export async function drainRefreshQueue(context: SyncContext): Promise<number> {
  const { db, claimed, calls } = context;
  const { rows } = await db.query<Hint>(
    `select list, id, hinted_at::text, tries from mirror_hint
      where seller_id = $1 and mode = $2 and not_before <= now() order by not_before limit $3`,
    [claimed.seller_id, claimed.mode, calls],
  );
  await Promise.all(rows.map((hint) => refreshOne(context, hint)));
  return rows.length;
}

async function refreshOne({ db, claimed, api }: SyncContext, hint: Hint): Promise<void> {
  const { list, id } = hint;
  const asked_at = await readClock(db);
  const answer = await readRecordOrFailure(() => INDEXED_LISTS[list].readOne(api, id));
  if ("record" in answer) {
    const rows = rowsOf(list, [answer.record]).filter((row) => row.id === id);
    await storeRows(db, claimed, list, rows, asked_at);
  } else if (answer.failure.kind === "not_found") {
    await removeRow(db, claimed, list, id, asked_at);
  } else if (hint.tries + 1 < MOST_TRIES) return putOff(db, claimed, hint);
  // The entry stays if the record was queued again during the read.
  await db.query(
    `delete from mirror_hint where seller_id = $1 and mode = $2 and list = $3 and id = $4
        and hinted_at = $5`,
    [claimed.seller_id, claimed.mode, list, id, hint.hinted_at],
  );
}

/** Removes entries of records that were read after they were queued. */
export async function deleteAnsweredRefreshes(
  db: Database,
  { seller_id, mode }: KeyOwner,
  list: SingleList,
  ids: string[],
  asked_at: string,
): Promise<void> {
  await db.query(
    `delete from mirror_hint where seller_id = $1 and mode = $2 and list = $3 and id = any ($4)
        and hinted_at < $5`,
    [seller_id, mode, list, ids, asked_at],
  );
}

/**
 * Reads one record. A refusal counts as an answer: some services refuse records that do not
 * exist.
 * @throws failures that do not concern the record
 */
export async function readRecordOrFailure<Record>(
  read: () => Promise<Record>,
): Promise<{ record: Record } | { failure: Failure }> {
  try {
    return { record: await read() };
  } catch (error) {
    const failure = failureOf(error);
    if (
      !(error instanceof AppError) ||
      isTemporaryFailure(failure) ||
      OF_THE_KEY.has(failure.kind)
    )
      throw error;
    return { failure };
  }
}

const OF_THE_KEY = new Set<FailureKind>([
  "unauthorized",
  "unverified",
  "not_connected",
  "mode_absent",
]);

async function putOff(db: Database, { seller_id, mode }: KeyOwner, { list, id }: Hint) {
  await db.query(
    `update mirror_hint set tries = tries + 1, not_before = now() + interval '1 minute'
      where seller_id = $1 and mode = $2 and list = $3 and id = $4`,
    [seller_id, mode, list, id],
  );
}
