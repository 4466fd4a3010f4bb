import "server-only";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { failureOf, type Failure } from "#lib/failure.ts";
import { inPatientTransaction, only, type Database } from "#lib/db/pool.ts";
import type { Api } from "#lib/search-index/records/lists.ts";
import { countService, nameStatus, walkPages } from "./count-records.ts";
import { judge } from "../../reconciliation/judging/data.ts";
import type { Halt, Phase, Report } from "./queries.ts";
import { readWaiting } from "./read-records.ts";
import { LONGEST_STATEMENT, type Reach } from "./differences.ts";

/** What a step works with. */
export interface Desk {
  db: pg.Pool;
  owner: KeyOwner;
  /** One that tells the copy nothing. */
  api: Api;
  /** Calls at once. */
  calls: number;
}

export interface Claimed {
  id: string;
  reach: Reach;
  phase: Phase;
  place: Place;
  report: Report;
  /** Whether it looks again at what was to be put right. */
  is_again: boolean;
}

export interface Place {
  /** Lists of a status whose rows are still to be named. */
  statuses?: string[];
  /** Pages of the whole list that are still to be read, or the one from which on all are. */
  pages?: number[];
  from_page?: number;
  /** Records that there are to compare. */
  expected?: number | null;
}

/** Where it goes on; `phase` null at its end. */
export interface Progress {
  phase: Phase | null;
  place?: Place;
  report?: Report;
  /** Records that were compared by this step. */
  compared?: number;
  halt?: Halt;
}

/** Longer than the calls of one step can take together. */
const LEASE_SECONDS = 90;
const HELD_SECONDS = 2;
const UNTOLD_WAIT_SECONDS = 5;

/** Does the next piece of a comparison. @returns why the next one has to wait, or that there is none */
export async function stepCheck(desk: Desk, id: string): Promise<Halt | null> {
  const claim = await claimCheck(desk, id);
  if (!claim) return whyNothing(desk, id);
  const { check, key } = claim;
  try {
    const progress = await PHASES[check.phase](desk, check);
    await keepProgress(desk, check, key, progress);
    return progress.halt ?? (progress.phase === null ? { kind: "finished" } : null);
  } catch (error) {
    const halt = haltOf(failureOf(error));
    await letGo(desk, check, key, halt);
    if (halt.kind === "stopped" && halt.failure.kind === "unexpected") throw error;
    return halt;
  }
}

const PHASES: Record<Phase, (desk: Desk, check: Claimed) => Promise<Progress>> = {
  repairing: awaitCopy,
  counting: countService,
  naming: nameStatus,
  walking: walkPages,
  reading: readWaiting,
  judging: judge,
};

/** Two windows that work on one comparison take turns. */
async function claimCheck(
  { db, owner: { seller_id, mode } }: Desk,
  id: string,
): Promise<{ check: Claimed; key: string } | null> {
  const { rows } = await db.query<Claimed & { claim: string }>(
    `update reconciliation c
        set claim = gen_random_uuid(), failure = null,
            claimed_until = now() + interval '${LEASE_SECONDS} seconds'
       from mirror m
      where c.id = $1 and c.seller_id = $2 and c.mode = $3 and c.ended_at is null
        and c.paused_at is null and coalesce(c.claimed_until, '-infinity') <= now()
        and coalesce(c.wait_until, '-infinity') <= now()
        and m.seller_id = c.seller_id and m.mode = c.mode
        -- A limit that the copy was told is one of the same service.
        and (m.error is distinct from 'rate_limited' or coalesce(m.wait_until <= now(), true))
     returning c.id, c.reach, c.phase, c.place, c.report, c.claim,
               exists (select 1 from reconciliation_record r
                        where r.check_id = c.id and r.is_repaired) as is_again`,
    [id, seller_id, mode],
  );
  const [row] = rows;
  if (!row) return null;
  const { claim: key, ...check } = row;
  return { check, key };
}

async function whyNothing({ db, owner: { seller_id, mode } }: Desk, id: string): Promise<Halt> {
  const { rows } = await db.query<{ is_paused: boolean; wait: number | null }>(
    `select c.paused_at is not null as is_paused,
            ceil(extract(epoch from greatest(c.wait_until,
              case when m.error = 'rate_limited' then m.wait_until end) - now()))::int as wait
       from reconciliation c join mirror m using (seller_id, mode)
      where c.id = $1 and c.seller_id = $2 and c.mode = $3 and c.ended_at is null`,
    [id, seller_id, mode],
  );
  const [row] = rows;
  if (!row) return { kind: "finished" };
  if (row.is_paused) return { kind: "paused" };
  if (row.wait !== null && row.wait > 0)
    return { kind: "wait", seconds: row.wait, why: "rate_limited" };
  return { kind: "wait", seconds: HELD_SECONDS, why: "held" };
}

/** Who was stopped meanwhile still keeps what it found; who was taken over does not. */
async function keepProgress(
  { db, owner: { seller_id, mode } }: Desk,
  check: Claimed,
  key: string,
  { phase, place, report, compared }: Progress,
): Promise<void> {
  const { rowCount } = await db.query(
    `update reconciliation
        set claim = null, claimed_until = null, wait_until = null,
            phase = coalesce($5, phase), place = $6, report = $7, compared = compared + $8,
            ended_at = case when $5::text is null then clock_timestamp() end
      where id = $1 and seller_id = $2 and mode = $3 and claim = $4`,
    [
      check.id,
      seller_id,
      mode,
      key,
      phase,
      JSON.stringify(place ?? check.place),
      JSON.stringify(report ?? check.report),
      compared ?? 0,
    ],
  );
  if (phase === null && rowCount === 1)
    await inPatientTransaction(db, LONGEST_STATEMENT, (client) =>
      tidyUp(client, check.id, { seller_id, mode }),
    );
}

/** Of what ended only what was found is kept, and of those before it nothing. */
async function tidyUp(db: Database, id: string, { seller_id, mode }: KeyOwner): Promise<void> {
  const whose = [id, seller_id, mode];
  await db.query(
    `delete from reconciliation_record
      where check_id = $1 and seller_id = $2 and mode = $3 and state in ('equal', 'waiting')`,
    whose,
  );
  await db.query(
    `delete from reconciliation
      where id <> $1 and seller_id = $2 and mode = $3 and ended_at is not null`,
    whose,
  );
}

function haltOf(failure: Failure): Halt {
  if (failure.kind !== "rate_limited") return { kind: "stopped", failure };
  const seconds = failure.retry_after ?? UNTOLD_WAIT_SECONDS;
  return { kind: "wait", seconds, why: "rate_limited" };
}

/** Where it was stays: the next step begins there. */
async function letGo(
  { db, owner: { seller_id, mode } }: Desk,
  { id }: Claimed,
  key: string,
  halt: Halt,
): Promise<void> {
  await db.query(
    `update reconciliation
        set claim = null, claimed_until = null, failure = $5,
            wait_until = now() + make_interval(secs => $6)
      where id = $1 and seller_id = $2 and mode = $3 and claim = $4`,
    [
      id,
      seller_id,
      mode,
      key,
      halt.kind === "stopped" ? JSON.stringify(halt.failure) : null,
      halt.kind === "wait" ? halt.seconds : null,
    ],
  );
}

const COPY_SECONDS = 1;

/** What is to be put right has to be read into the copy first. */
async function awaitCopy({ db, owner }: Desk, check: Claimed): Promise<Progress> {
  const { rows } = await db.query<{ is_waiting: boolean }>(
    `select exists (select 1 from mirror_hint h join reconciliation_record r
                       on r.check_id = $1 and r.id = h.id and r.state = 'waiting'
                     where h.seller_id = $2 and h.mode = $3 and h.list = 'subscriptions')
         or exists (select 1 from mirror m join mirror_round d using (seller_id, mode)
                     where m.seller_id = $2 and m.mode = $3
                       and (d.ended_at is null or d.started_at < m.round_wanted_at))
         as is_waiting`,
    [check.id, owner.seller_id, owner.mode],
  );
  if (!only(rows).is_waiting) return { phase: "counting" };
  return {
    phase: "repairing",
    halt: { kind: "wait", seconds: COPY_SECONDS, why: "copy" },
  };
}
