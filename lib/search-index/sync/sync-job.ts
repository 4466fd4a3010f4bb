import "server-only";
import type pg from "pg";
import { AppError, failureOf, type Failure } from "#lib/failure.ts";
import { readClock } from "#lib/db/pool.ts";
import { isDatabaseAway, tellAway } from "#lib/db/away.ts";
import { logLine } from "#lib/log.ts";
import { ClaimLost, noteReached, releaseCopy, type Claimed, type Rest } from "./sync-lease.ts";
import { followHints } from "./refresh-queue.ts";
import { keepShownPayments } from "#lib/search-index/sync/seen-payments.ts";
import type { Api } from "#lib/search-index/records/lists.ts";
import { followNewest } from "./incremental-sync.ts";
import { goRound } from "./full-sync.ts";

export interface Pace {
  /** Calls at once to one seller's API. */
  calls: number;
  /** Seconds between two looks at the newest rows, and between two whole ones. */
  newestEvery: number;
  roundEvery: number;
  /** Milliseconds after which another seller's copy has its turn. */
  turn: number;
}

export const PACE: Pace = { calls: 4, newestEvery: 30, roundEvery: 3_600, turn: 15_000 };

/** What a turn works with. */
export interface Desk extends Pace {
  db: pg.Pool;
  claimed: Claimed;
  api: Api;
  /** Whether it is time to stop. */
  isOver: () => boolean;
}

/**
 * Does what is due for one copy, for a while: what was hinted at, the newest rows, then a piece of a
 * whole look. Gives the copy back in the end; what stood in the way is kept for the seller to see.
 */
export async function takeTurn(
  db: pg.Pool,
  claimed: Claimed,
  api: Api,
  pace: Pace,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const endsAt = performance.now() + pace.turn;
  const isOver = () => isStopped() || performance.now() >= endsAt;
  const desk: Desk = { db, claimed, api, isOver, ...pace };
  try {
    const rest = await work(desk);
    await keepShownPayments(db, claimed);
    await releaseCopy(db, claimed, rest);
  } catch (error) {
    if (error instanceof ClaimLost) return;
    if (isDatabaseAway(error)) tellAway(error);
    else if (!(error instanceof AppError)) logLine(`copy: ${reasonOf(error)}`);
    await releaseCopy(db, claimed, restAfter(failureOf(error), claimed.failures));
  }
}

async function work(desk: Desk): Promise<Rest> {
  const { db, claimed, newestEvery, isOver } = desk;
  const isDue = claimed.age === null || claimed.age >= newestEvery * 1_000 - 500;
  if (isDue) await followNewest(desk);
  while (!isOver()) {
    if ((await followHints(desk)) > 0) continue;
    if (await goRound(desk)) continue;
    if (!claimed.is_filled) await noteReached(db, claimed, { filled_at: await readClock(db) });
    return { due: newestEvery, halt: null };
  }
  return { due: 0, halt: null };
}

const LONGEST_WAIT = 600;

/** The service says itself how long to wait, or it is twice as long each time. */
function restAfter(failure: Failure, failures: number): Rest {
  const told = failure.kind === "rate_limited" ? failure.retry_after : null;
  const wait = told ?? Math.min(LONGEST_WAIT, 5 * 2 ** Math.min(failures, 10));
  return { due: wait, halt: { error: failure.kind, wait } };
}

const reasonOf = (error: unknown) =>
  error instanceof Error ? error.message.split("\n")[0] : "an unknown error";
