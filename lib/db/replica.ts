import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { env } from "#lib/env.ts";
import { logLine } from "#lib/log.ts";
import { isDatabaseAway } from "#lib/log.ts";
import { createPool, database, singleRow } from "./pool.ts";

/** Milliseconds to wait for the replica to catch up; after that the primary is faster. */
const LONGEST_WAIT = 40;
const LOOK_EVERY = 5;
const TIMEOUT_MS = 1_000;
/** Bytes of a WAL page header, which can lie between two records; shorter than any record. */
const PAGE_HEADER = 24;
/** Milliseconds for which a failed replica is not tried again. */
const LEFT_ALONE = 5_000;
const SAY_AGAIN_AFTER = 60_000;

type Read<Value> = (pool: pg.Pool) => Promise<Value>;

/**
 * Sends reads to the replica if it has replayed all that the primary had written when the read began,
 * so that callers see their own writes; otherwise to the primary (ADR 0192).
 */
export class Replica {
  readonly #primary: pg.Pool;
  readonly #replica: pg.Pool;
  readonly #say: (words: string) => void;
  readonly #said = new Map<string, number>();
  #leaveUntil = 0;

  constructor(primary: pg.Pool, replica: pg.Pool, say: (words: string) => void = logLine) {
    this.#primary = primary;
    this.#replica = replica;
    this.#say = say;
  }

  /** @param read runs again at the primary if the replica fails, so it must only read */
  async read<Value>(read: Read<Value>): Promise<Value> {
    if (!(await this.#isUpToDate())) return read(this.#primary);
    try {
      return await read(this.#replica);
    } catch (error) {
      if (!isReplicasFault(error)) throw error;
      this.#leave(error);
      return read(this.#primary);
    }
  }

  async #isUpToDate(): Promise<boolean> {
    if (performance.now() < this.#leaveUntil) return false;
    const { rows } = await this.#primary.query<{ written: string }>(
      "select pg_current_wal_insert_lsn()::text as written",
    );
    const { written } = singleRow(rows);
    try {
      return await this.#hasReached(written);
    } catch (error) {
      this.#leave(error);
      return false;
    }
  }

  async #hasReached(written: string): Promise<boolean> {
    const deadline = performance.now() + LONGEST_WAIT;
    for (;;) {
      const { rows } = await this.#replica.query<{ behind: number }>(askBehind(written));
      const { behind } = singleRow(rows);
      if (behind <= PAGE_HEADER) return true;
      if (performance.now() >= deadline) {
        this.#tell("behind", `the replica is ${behind} bytes behind, so the primary is read`);
        return false;
      }
      await delay(LOOK_EVERY);
    }
  }

  #leave(error: unknown) {
    this.#leaveUntil = performance.now() + LEFT_ALONE;
    const why = error instanceof Error ? error.message || "no answer" : "no answer";
    this.#tell("away", `the replica cannot be read (${why}), so the primary is read`);
  }

  /** Logs a message at most once a minute. */
  #tell(what: string, words: string) {
    const last = this.#said.get(what) ?? -Infinity;
    if (performance.now() - last < SAY_AGAIN_AFTER) return;
    this.#said.set(what, performance.now());
    this.#say(words);
  }
}

/**
 * Asks the replica whether it has replayed the WAL. The timeout keeps an unresponsive server from
 * delaying a page.
 */
const askBehind = (written: string) => ({
  text: "select coalesce(pg_wal_lsn_diff($1, pg_last_wal_replay_lsn()), 0)::float8 as behind",
  values: [written],
  query_timeout: TIMEOUT_MS,
});

// PostgreSQL's code for a read that failed because replay removed rows it needed.
const TAKEN_AWAY = "40001";

/**
 * Whether the replica caused the failure. A timeout is not its fault: the primary would take as
 * long.
 */
const isReplicasFault = (error: unknown): boolean =>
  isDatabaseAway(error) || (error instanceof pg.DatabaseError && error.code === TAKEN_AWAY);

// On globalThis, so that a module reloaded in development does not open a second pool.
const shared = globalThis as typeof globalThis & { duebookReplica?: Replica };

/**
 * For reads of many records: search, reports, exports. Never for a session, a role or data that is
 * about to change.
 */
export function readFromReplica<Value>(read: Read<Value>): Promise<Value> {
  const url = env().DATABASE_REPLICA_URL;
  if (!url) return read(database());
  shared.duebookReplica ??= new Replica(
    database(),
    createPool(url, { connectWithin: TIMEOUT_MS, isReplica: true }),
  );
  return shared.duebookReplica.read(read);
}
