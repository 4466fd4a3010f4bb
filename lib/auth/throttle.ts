import "server-only";
import { createHmac } from "node:crypto";
import type pg from "pg";
import { inTransaction, type Database } from "#lib/db/pool.ts";
import { env } from "#lib/env.ts";
import { logSecurity } from "#lib/log.ts";
import { networkOf } from "./client-address.ts";
import { deriveKey } from "./derived-key.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

/** How many tries of one key are free, and how long each further one waits after the one before. */
interface Limit {
  free: number;
  within: number;
  /** @param over how many there were beyond the free ones */
  pause: (over: number) => number;
}

const doubling =
  (longest: number) =>
  (over: number): number =>
    Math.min(longest, SECOND * 2 ** Math.min(over, 30));

/** None of them ever closes for good: the worst is a pause. */
export const LIMITS = {
  /** One account as seen from one network, or from one device that is known to it. */
  account_here: { free: 5, within: DAY, pause: doubling(300 * SECOND) },
  /** One account from wherever it is not known: a list of passwords over many addresses. */
  account_anywhere: { free: 30, within: HOUR, pause: () => 600 * SECOND },
  /** One network against many accounts. */
  network: { free: 60, within: HOUR, pause: () => 300 * SECOND },
  /** A million codes only: whoever has the password must not get through them. */
  code: { free: 5, within: DAY, pause: doubling(HOUR) },
  /** What makes something or sends mail, by network. */
  making: { free: 20, within: HOUR, pause: () => 300 * SECOND },
} as const satisfies Record<string, Limit>;

export interface Subject {
  limit: keyof typeof LIMITS;
  /** Who or what: is kept as an HMAC. */
  of: readonly string[];
}

export interface Reserved {
  /** How long to wait before the next try; 0 when this one may go on. */
  wait_seconds: number;
  /** Takes this try back: it was no guess. */
  release: () => Promise<void>;
}

/**
 * Counts a try before anything costly is done for it. Processes that share the database count
 * together, and tries at the same moment wait for each other.
 */
export async function reserveAttempt(
  pool: pg.Pool,
  subjects: readonly Subject[],
  now: Date,
): Promise<Reserved> {
  return inTransaction(pool, async (client) => {
    const waits: number[] = [];
    // In the order given, which is the same everywhere: nobody waits in a circle.
    for (const subject of subjects) waits.push(await waitOf(client, subject, now));
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
      release: async () => {
        await pool.query("delete from attempt where id = any($1)", [ids]);
      },
    };
  });
}

/** After a success: what came before from there were no guesses of others. */
export async function forgetAttempts(db: Database, subject: Subject): Promise<void> {
  await db.query("delete from attempt where key = $1", [keyOf(subject)]);
}

async function waitOf(client: Database, subject: Subject, now: Date): Promise<number> {
  const limit: Limit = LIMITS[subject.limit];
  const key = keyOf(subject);
  await client.query("select pg_advisory_xact_lock($1)", [key.readBigInt64BE().toString()]);
  const { rows } = await client.query<{ count: number; last: Date | null }>(
    "select count(*)::int as count, max(at) as last from attempt where key = $1 and at > $2",
    [key, new Date(now.getTime() - limit.within)],
  );
  const { count = 0, last = null } = rows[0] ?? {};
  if (last === null || count < limit.free) return 0;
  return Math.max(0, last.getTime() + limit.pause(count - limit.free) - now.getTime());
}

async function insertAttempts(client: Database, subjects: readonly Subject[], now: Date) {
  // A few of the old ones each time, so that none stays for ever.
  await client.query(
    "delete from attempt where id in (select id from attempt where at < $1 limit 20)",
    [new Date(now.getTime() - DAY)],
  );
  const { rows } = await client.query<{ id: string }>(
    "insert into attempt (key, at) select unnest($1::bytea[]), $2 returning id",
    [subjects.map(keyOf), now],
  );
  return rows.map(({ id }) => id);
}

/** By which lines of the log belong together; nobody learns from it who that is. */
const markOf = (subject: Subject) => keyOf(subject).toString("hex", 0, 8);

export const networkMark = (address: string | null) =>
  markOf({ limit: "network", of: [networkOf(address)] });

let key: Buffer | undefined;

function keyOf({ limit, of }: Subject): Buffer {
  key ??= deriveKey(env().NEXTAUTH_SECRET, "attempts");
  return createHmac("sha256", key)
    .update(JSON.stringify([limit, ...of]))
    .digest();
}
