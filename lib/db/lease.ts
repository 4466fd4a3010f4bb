import "server-only";
import type { Failure } from "#lib/failure.ts";

interface LeaseColumns {
  /** The claim's id; null where the end of the lease identifies it. */
  claim?: string | null;
  /** The end of the lease. */
  until?: string;
}

/**
 * SQL for a job's lease on its row, which stores the claim and when it ends: no connection is held
 * meanwhile, and after a crash the row is free again after `seconds`.
 */
export function leaseSql(
  seconds: number,
  { claim = "claim", until = "claimed_until" }: LeaseColumns = {},
) {
  const end = `${until} = clock_timestamp() + interval '${seconds} seconds'`;
  return {
    /** Assignments that acquire it. */
    acquire: claim === null ? end : `${claim} = gen_random_uuid(), ${end}`,
    /** Assignment that extends it. */
    extend: end,
    /** Condition: the row with this alias is not leased. */
    isFree: (alias: string) => `coalesce(${alias}.${until} <= clock_timestamp(), true)`,
    /** Condition: the claim in this parameter has the lease. */
    isHeldBy: (parameter: string) => `${claim ?? until} = ${parameter}`,
    /** Assignments that release it. */
    release: claim === null ? `${until} = null` : `${claim} = null, ${until} = null`,
  };
}

/** Why a job that works in steps waits or stops. */
export type JobPause =
  | { kind: "finished" | "paused" }
  | { kind: "wait"; seconds: number; why: "rate_limited" | "held" }
  | { kind: "stopped"; failure: Failure };

const HELD_SECONDS = 2;
/** Seconds to wait when the service does not say how long. */
const DEFAULT_RETRY_SECONDS = 5;

export const LEASE_HELD: JobPause = { kind: "wait", seconds: HELD_SECONDS, why: "held" };

/** The pause after a failure: a job waits for a rate limit; any other failure stops it. */
export function pauseAfterFailure(failure: Failure): JobPause {
  if (failure.kind !== "rate_limited") return { kind: "stopped", failure };
  const seconds = failure.retry_after ?? DEFAULT_RETRY_SECONDS;
  return { kind: "wait", seconds, why: "rate_limited" };
}
