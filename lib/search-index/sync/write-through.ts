import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { ObservedRecords, ReadContext } from "#lib/billing/observe.ts";
import { logFault } from "#lib/log.ts";
import { database, emptyIndex, inDeleteTransaction } from "#lib/db/pool.ts";
import { rowsOf } from "#lib/search-index/records/lists.ts";
import { recordSeenPayments, storeRows } from "./store.ts";
import { enqueueRefresh, requestFullSync } from "./refresh-queue.ts";
import {
  digestOf,
  rememberDigests,
  splitUnchangedRecords,
  touchUnchangedRows,
} from "./row-digests.ts";

/** The most queued answers; the next sync finds the others. */
const MOST_WAITING = 200;
/** Milliseconds to wait before writing, so that the response is sent first. */
const PAUSE = 10;
/** Milliseconds to wait before writing unchanged records; no page shows when they were read. */
const LONG_PAUSE = 1_000;
/** Milliseconds that a page waits for queued answers at most. */
const LONGEST_WAIT = 2_000;
const waiting: Observation[] = [];
const unchanged: Observation[] = [];
// On globalThis, because start-up code, which writes, and the server bundle, which waits, each load
// this file.
const shared = globalThis as typeof globalThis & { duebookWrites?: Promise<void> | undefined };
let settling: Promise<void> | null = null;

/** Writes the records of an answer into the index, in the background. */
export function writeThrough(
  owner: KeyOwner,
  observed: ObservedRecords,
  context: ReadContext,
): void {
  if (waiting.length >= MOST_WAITING) return;
  waiting.push({ owner, observed, context });
  shared.duebookWrites ??= writeAll().finally(() => (shared.duebookWrites = undefined));
}

/**
 * Waits until the records that this process saw before are in the index, so that a page shows its
 * reader's own change; at most two seconds.
 */
export async function waitForWrites(): Promise<void> {
  const writes = shared.duebookWrites;
  if (writes) await Promise.race([writes, delay(LONGEST_WAIT, undefined, { ref: false })]);
}

/** Writes the queued answers one after the other, so that one connection is enough. */
async function writeAll(): Promise<void> {
  while (waiting.length > 0) {
    // After a change there is no pause, so that the next page shows it.
    if (waiting.every(({ observed }) => observed.kind === "rows"))
      await delay(PAUSE, undefined, { ref: false });
    for (const one of dropRepeatedObservations(waiting.splice(0))) await keep(putOff(one));
  }
}

/** Moves unchanged records into a later batch. @returns the others */
function putOff(one: Observation): Observation {
  const { owner, observed, context } = one;
  if (observed.kind !== "rows") return one;
  const whose = { ...owner, index_version: context.index_version };
  const { same, news } = splitUnchangedRecords(whose, observed.list, observed.records);
  if (same.length > 0 && unchanged.length < MOST_WAITING) {
    unchanged.push({ ...one, observed: { ...observed, records: same } });
    settling ??= settle().finally(() => (settling = null));
  }
  return { ...one, observed: { ...observed, records: news } };
}

async function settle(): Promise<void> {
  await delay(LONG_PAUSE, undefined, { ref: false });
  for (const one of dropRepeatedObservations(unchanged.splice(0))) await keep(one);
}

const keep = ({ owner, observed, context }: Observation): Promise<void> =>
  applyObserved(database(), owner, observed, context).catch((error: unknown) =>
    logFault("index: an API answer could not be stored", error),
  );

/** Stores the records of an answer in the seller's index, or queues them to be read again. */
export async function applyObserved(
  db: pg.Pool,
  owner: KeyOwner,
  observed: ObservedRecords,
  { index_version, asked_at }: ReadContext,
): Promise<void> {
  if (observed.kind === "replaced") return restartIndex(db, owner);
  if (observed.kind === "all_changed") return void (await requestFullSync(db, owner));
  if (observed.kind === "changed")
    return enqueueRefresh(db, owner, "subscriptions", [observed.id]);
  const whose = { ...owner, index_version };
  const { list } = observed;
  if (observed.records.length === 0) return;
  const rows = rowsOf(
    list,
    await touchUnchangedRows(db, whose, list, observed.records, asked_at),
  );
  await storeRows(db, whose, list, rows, asked_at);
  if (list === "subscriptions" && rows.length > 0) await recordSeenPayments(db, owner);
  rememberDigests(whose, list, rows, asked_at);
}

export interface Observation {
  owner: KeyOwner;
  observed: ObservedRecords;
  context: ReadContext;
}

/**
 * Drops records that a later answer repeats unchanged. Different versions stay in order; answers of
 * other kinds separate the groups that are compared.
 */
export function dropRepeatedObservations(passed: readonly Observation[]): Observation[] {
  const kept: Observation[] = [];
  const seen = new Map<string, number>();
  for (const one of passed.toReversed()) {
    const { owner, observed, context } = one;
    if (observed.kind !== "rows") {
      seen.clear();
      kept.push(one);
      continue;
    }
    const whose = [owner.seller_id, owner.mode, context.index_version, observed.list].join(":");
    const asked = Date.parse(context.asked_at);
    const records = observed.records.filter((record) => {
      const key = whose + digestOf(record);
      const known = seen.get(key);
      // If the time is unknown, the comparison is false and the record is written.
      if (known !== undefined && known > asked) return false;
      seen.set(key, asked);
      return true;
    });
    if (records.length > 0) kept.push({ ...one, observed: { ...observed, records } });
  }
  return kept.toReversed();
}

/**
 * Deletes all indexed records and starts a new version of the index. Does nothing while no key is
 * connected.
 */
export async function restartIndex(
  pool: Pick<pg.Pool, "connect">,
  owner: KeyOwner,
): Promise<void> {
  const { seller_id, mode } = owner;
  await emptyIndex(pool, owner);
  // A single statement, so that a concurrent writer, which locks the index's row, finds another
  // version afterwards.
  const text = `with fresh as (
       update mirror
          set copy = gen_random_uuid(), filled_at = null, read_at = null, newest = '{}',
              round_wanted_at = null, claim = null, claimed_until = null, due_at = now()
        where seller_id = $1 and mode = $2 returning seller_id, mode
     )
     select clear_mirror(seller_id, mode), pg_notify('mirror', '') from fresh`;
  await inDeleteTransaction(pool, (client) => client.query(text, [seller_id, mode]));
}
