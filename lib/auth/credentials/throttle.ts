import "server-only";
import { createHmac } from "node:crypto";
import type pg from "pg";
import { inTransaction, type Database } from "#lib/db/pool.ts";
import { env } from "#lib/env.ts";
import { logSecurity } from "#lib/log.ts";
import { networkOf } from "#contract/process/network.ts";
import { deriveKey } from "#lib/crypto/derived-key.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

/** How many attempts need no pause, and how long to pause before each further one. */
interface Limit {
  free: number;
  within: number;
  /** @param over the number of attempts beyond the free ones @returns milliseconds */
  pause: (over: number) => number;
}

const doubling =
  (longest: number) =>
  (over: number): number =>
    Math.min(longest, SECOND * 2 ** Math.min(over, 30));

/** No limit locks an account forever: each only makes its user wait. */
const THROTTLE_LIMITS = {
  /** Attempts on one account from one network or known device; also API keys that one user tries. */
  account_here: { free: 5, within: DAY, pause: doubling(300 * SECOND) },
  /**
   * Attempts on one account from all unknown devices, against password lists tried from many
   * addresses.
   */
  account_anywhere: { free: 30, within: HOUR, pause: () => 600 * SECOND },
  /** Attempts of one network on any account. */
  network: { free: 60, within: HOUR, pause: () => 300 * SECOND },
  /**
   * Second-factor codes: there are only a million, so someone who knows the password must not try
   * them all.
   */
  code: { free: 5, within: DAY, pause: doubling(HOUR) },
  /** Requests of one network or user that create something, send mail or reveal who has an account. */
  making: { free: 20, within: HOUR, pause: () => 300 * SECOND },
  /** Password-reset mails to one account: about ten a day. */
  mail: { free: 5, within: DAY, pause: () => 4 * HOUR },
  /**
   * Requests of the return page after a checkout, which refreshes until the payment is there; many
   * buyers share a network.
   */
  returning_here: { free: 240, within: HOUR, pause: () => 15 * SECOND },
  returning_anywhere: { free: 1_200, within: HOUR, pause: () => SECOND },
} as const satisfies Record<string, Limit>;

export interface ThrottleSubject {
  limit: keyof typeof THROTTLE_LIMITS;
  /** The parts that identify the subject; stored as an HMAC. */
  of: readonly string[];
}

interface Reserved {
  /** Seconds to wait before the next attempt; 0 if this one may proceed. */
  wait_seconds: number;
  /** Deletes this attempt after a success; with a subject, all of the subject's attempts. */
  release: (forgotten?: ThrottleSubject) => Promise<void>;
}

/**
 * Counts an attempt before any costly work. Processes that share the database share the counters, and
 * concurrent attempts wait for each other.
 */
export async function reserveAttempt(
  pool: pg.Pool,
  subjects: readonly ThrottleSubject[],
  now: Date,
): Promise<Reserved> {
  return inTransaction(pool, async (client) => {
    const waits = await waitsOf(client, subjects, now);
    const wait = Math.max(...waits);
    const reached = subjects.filter((_subject, at) => (waits[at] ?? 0) > 0);
    if (reached.length > 0)
      logSecurity("limit.reached", {
        limits: reached.map(({ limit }) => limit),
        marks: reached.map(markOf),
      });
    const ids = wait > 0 ? [] : await insertAttempts(client, subjects, now);
    return {
      wait_seconds: Math.ceil(wait / SECOND),
      release: async (forgotten) => {
        await pool.query({
          name: "release_attempts",
          text: RELEASE,
          values: [ids, forgotten ? keyOf(forgotten) : null],
        });
      },
    };
  });
}

// Locks in a fixed order, so that no deadlock arises.
const LOCK = `select pg_advisory_xact_lock(lock)
       from unnest($1::bigint[]) with ordinality as t (lock, n) order by n`;
const COUNT = `select made.count, made.last
       from unnest($1::bytea[], $2::timestamptz[]) with ordinality as t (key, since, n)
      cross join lateral (select count(*)::int as count, max(at) as last
                            from attempt a where a.key = t.key and a.at > t.since) made
      order by n`;
// The statement also deletes a few old rows, so that they do not accumulate.
const INSERT = `with old as (
         delete from attempt where id in (select id from attempt where at < $3 limit 20))
       insert into attempt (key, at) select unnest($1::bytea[]), $2 returning id`;
const RELEASE = "delete from attempt where id = any($1) or key = $2";

/** @returns milliseconds, in the order of the subjects */
async function waitsOf(client: Database, subjects: readonly ThrottleSubject[], now: Date) {
  const keys = subjects.map(keyOf);
  const locks = keys.map((key) => key.readBigInt64BE().toString());
  await client.query({ name: "lock_attempts", text: LOCK, values: [locks] });
  const since = subjects.map(
    ({ limit }) => new Date(now.getTime() - THROTTLE_LIMITS[limit].within),
  );
  // A separate statement, so that it sees the rows of those who held the lock before.
  const { rows } = await client.query<{ count: number; last: Date | null }>({
    name: "count_attempts",
    text: COUNT,
    values: [keys, since],
  });
  return subjects.map(({ limit }, at) => waitOf(THROTTLE_LIMITS[limit], rows[at], now));
}

function waitOf(
  limit: Limit,
  { count, last }: { count: number; last: Date | null } = { count: 0, last: null },
  now: Date,
): number {
  if (last === null || count < limit.free) return 0;
  return Math.max(0, last.getTime() + limit.pause(count - limit.free) - now.getTime());
}

async function insertAttempts(
  client: Database,
  subjects: readonly ThrottleSubject[],
  now: Date,
) {
  const { rows } = await client.query<{ id: string }>({
    name: "insert_attempts",
    text: INSERT,
    values: [subjects.map(keyOf), now, new Date(now.getTime() - DAY)],
  });
  return rows.map(({ id }) => id);
}

/** A pseudonym of a subject, by which log lines can be grouped. */
const markOf = (subject: ThrottleSubject) => keyOf(subject).toString("hex", 0, 8);

export const hashNetwork = (address: string | null) =>
  markOf({ limit: "network", of: [networkOf(address)] });

let key: Buffer | undefined;

function keyOf({ limit, of }: ThrottleSubject): Buffer {
  key ??= deriveKey(env().NEXTAUTH_SECRET, "attempts");
  return createHmac("sha256", key)
    .update(JSON.stringify([limit, ...of]))
    .digest();
}
