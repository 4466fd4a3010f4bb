import type pg from "pg";
import { deleteFinished } from "./store.ts";

// Small batches, so that rows are locked only briefly.
const BATCH = 500;

/**
 * ADR 0051: forgets what ended before a moment, with its attempts; events and notices stay. From the
 * oldest on, a batch at a time, so that it may be stopped anywhere and begun again.
 * @returns how many deliveries
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
