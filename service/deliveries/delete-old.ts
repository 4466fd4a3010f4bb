import type pg from "pg";
import { deleteFinished } from "./store.ts";

// Small batches, so that rows are locked only briefly.
const BATCH = 500;

/**
 * ADR 0051: deletes deliveries that ended before a time, with their attempts, in batches from
 * the oldest on, so that it can be interrupted; events and notices are kept.
 * @returns how many deliveries were deleted
 */
export async function deleteOldDeliveries(
  pool: pg.Pool,
  before: Date,
  signal?: AbortSignal,
): Promise<number> {
  let [after, forgotten] = [0, 0];
  while (!signal?.aborted) {
    const step = await deleteFinished(pool, { after, before, limit: BATCH });
    forgotten += step.forgotten;
    if (step.last === null || !step.is_old) break;
    after = step.last;
  }
  return forgotten;
}
