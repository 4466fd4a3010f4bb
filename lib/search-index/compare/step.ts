import "server-only";
import { queryRow } from "#contract/process/database.ts";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { LEASE_HELD, leaseSql, pauseAfterFailure, type JobPause } from "#lib/db/lease.ts";
import { inLongTransaction, type Database } from "#lib/db/pool.ts";
import { failureOf } from "#lib/failure.ts";
import type { ListApi } from "#lib/search-index/records/lists.ts";
import { countRecords, scanPages } from "./count-records.ts";
import {
  type ComparePhase,
  type CompareReport,
  COMPARE_TIMEOUT_MS,
  type ComparisonExtent,
} from "./differences.ts";
import { compareWaitingRecords } from "./read-records.ts";

export interface CompareContext {
  db: pg.Pool;
  owner: KeyOwner;
  /** A client without an observer, which does not change the index. */
  api: ListApi;
  /** Number of concurrent calls. */
  calls: number;
}

export interface LeasedComparison {
  id: string;
  claim: string;
  reach: ComparisonExtent;
  phase: ComparePhase;
  place: ScanPlace;
  report: CompareReport;
}

/** The pages that are still to be read. */
interface ScanPlace {
  pages?: number[];
  /** Compare all pages from this one on. */
  from_page?: number;
  /** Records to compare in all; null if unknown. */
  expected?: number | null;
}

/** Where the next step continues; `phase` is null at the end. */
export interface StepResult {
  phase: ComparePhase | null;
  reach?: ComparisonExtent;
  place?: ScanPlace;
  report?: CompareReport;
  /** How many records this step compared. */
  compared?: number;
}

/** The lease of a step, longer than all its calls can take. */
const LEASE = leaseSql(90);

const PHASES: Record<
  ComparePhase,
  (context: CompareContext, comparison: LeasedComparison) => Promise<StepResult>
> = {
  counting: countRecords,
  walking: scanPages,
  reading: compareWaitingRecords,
};

/** Takes the next step of a comparison. @returns why the following step has to wait, or null */
export async function stepCompare(
  context: CompareContext,
  id: string,
): Promise<JobPause | null> {
  const comparison = await acquire(context, id);
  if (!comparison) return idleReason(context, id);
  try {
    const result = await PHASES[comparison.phase](context, comparison);
    await saveResult(context, comparison, result);
    return result.phase === null ? { kind: "finished" } : null;
  } catch (error) {
    const pause = pauseAfterFailure(failureOf(error));
    await release(context, comparison, pause);
    if (pause.kind === "stopped" && pause.failure.kind === "unexpected") throw error;
    return pause;
  }
}

const acquire = ({ db, owner: { seller_id, mode } }: CompareContext, id: string) =>
  queryRow<LeasedComparison>(
    db,
    `update reconciliation c set ${LEASE.acquire}, failure = null
       from mirror m
      where c.id = $1 and c.seller_id = $2 and c.mode = $3 and c.ended_at is null
        and ${LEASE.isFree("c")} and coalesce(c.wait_until, '-infinity') <= now()
        and m.seller_id = c.seller_id and m.mode = c.mode
        -- A rate limit that the sync met holds here too, because both call the same service.
        and (m.error is distinct from 'rate_limited' or coalesce(m.wait_until <= now(), true))
     returning c.id, c.reach, c.phase, c.place, c.report, c.claim`,
    [id, seller_id, mode],
  );

async function idleReason(
  { db, owner: { seller_id, mode } }: CompareContext,
  id: string,
): Promise<JobPause> {
  const { rows } = await db.query<{ wait: number | null }>(
    `select ceil(extract(epoch from greatest(c.wait_until,
              case when m.error = 'rate_limited' then m.wait_until end) - now()))::int as wait
       from reconciliation c join mirror m using (seller_id, mode)
      where c.id = $1 and c.seller_id = $2 and c.mode = $3 and c.ended_at is null`,
    [id, seller_id, mode],
  );
  const [row] = rows;
  if (!row) return { kind: "finished" };
  if (row.wait === null || row.wait <= 0) return LEASE_HELD;
  return { kind: "wait", seconds: row.wait, why: "rate_limited" };
}

/** Stores the result; does nothing if another step has taken over the lease. */
async function saveResult(
  { db, owner: { seller_id, mode } }: CompareContext,
  comparison: LeasedComparison,
  { phase, reach, place, report, compared }: StepResult,
): Promise<void> {
  const { rowCount } = await db.query(
    `update reconciliation
        set ${LEASE.release}, wait_until = null, phase = coalesce($5, phase), place = $6,
            report = $7, compared = compared + $8, reach = $9,
            ended_at = case when $5::text is null then clock_timestamp() end
      where id = $1 and seller_id = $2 and mode = $3 and ${LEASE.isHeldBy("$4")}`,
    [
      comparison.id,
      seller_id,
      mode,
      comparison.claim,
      phase,
      JSON.stringify(place ?? comparison.place),
      JSON.stringify(report ?? comparison.report),
      compared ?? 0,
      reach ?? comparison.reach,
    ],
  );
  if (phase === null && rowCount === 1)
    await inLongTransaction(db, COMPARE_TIMEOUT_MS, (client) =>
      tidyUp(client, comparison.id, { seller_id, mode }),
    );
}

/** Deletes earlier comparisons, and of the finished one the records that need not be shown. */
async function tidyUp(db: Database, id: string, { seller_id, mode }: KeyOwner): Promise<void> {
  const values = [id, seller_id, mode];
  await db.query(
    `delete from reconciliation_record
      where check_id = $1 and seller_id = $2 and mode = $3 and state in ('equal', 'waiting')`,
    values,
  );
  await db.query(
    `delete from reconciliation
      where id <> $1 and seller_id = $2 and mode = $3 and ended_at is not null`,
    values,
  );
}

/** Releases the lease, so that the next step starts at the same place. */
async function release(
  { db, owner: { seller_id, mode } }: CompareContext,
  { id, claim }: LeasedComparison,
  pause: JobPause,
): Promise<void> {
  await db.query(
    `update reconciliation set ${LEASE.release}, failure = $5,
            wait_until = now() + make_interval(secs => $6)
      where id = $1 and seller_id = $2 and mode = $3 and ${LEASE.isHeldBy("$4")}`,
    [
      id,
      seller_id,
      mode,
      claim,
      pause.kind === "stopped" ? JSON.stringify(pause.failure) : null,
      pause.kind === "wait" ? pause.seconds : null,
    ],
  );
}
