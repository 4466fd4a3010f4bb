import type pg from "pg";
import { transaction, type Database } from "../db/database.ts";
import { catchUp } from "../lifecycle/catch-up.ts";
import { stepsUntil } from "../lifecycle/elapsed.ts";
import { sellerNow } from "../lifecycle/seller-clock.ts";
import { lockSeller, type Seller } from "../sellers/store.ts";
import { lockSubscription } from "../subscriptions/store.ts";
import type { RecordStep } from "./present.ts";
import type { Clock } from "./schemas.ts";
import { findNextMoment, moveClockTo, selectNext } from "./store.ts";

// A transaction holds the seller's tallies: few rows, so that no request waits for long.
const BATCH = 50;

export async function readClock(
  database: Database,
  seller: Seller,
  realNow: Date,
): Promise<Clock> {
  const next = await findNextMoment(database, seller.seller_id);
  return {
    now: sellerNow(seller, realNow).toISOString(),
    real_now: realNow.toISOString(),
    is_ahead: seller.clock_offset_ms !== 0,
    time_zone: seller.time_zone,
    next_transition_at: next?.toISOString() ?? null,
  };
}

/**
 * Moves the seller's clock to the target, through every moment at which something changes, in order.
 * The clock shows a moment once its changes are committed: killed half-way it stands in between.
 * @returns what time has done on the way
 */
export async function advanceClock(
  pool: pg.Pool,
  seller: Seller,
  { target, realNow }: { target: Date; realNow: Date },
): Promise<RecordStep[]> {
  const steps: RecordStep[] = [];
  // Found too early: the sweep looks at them again.
  const except: string[] = [];
  for (;;) {
    const move = await transaction(pool, async (database) => {
      await lockSeller(database, seller.seller_id);
      const search = { until: target, except, limit: BATCH };
      const next = await selectNext(database, seller.seller_id, search);
      const at = next[0]?.next_transition_at ?? target;
      const ids = next.map((row) => row.subscription_id);
      const moved = await moveRecords(database, seller, ids, at);
      if (next.length < BATCH) await moveClockTo(database, seller, { target: at, realNow });
      return { ids, moved };
    });
    if (move.ids.length === 0) return steps;
    steps.push(...move.moved);
    const done = new Set(move.moved.map((step) => step.subscription_id));
    except.push(...move.ids.filter((id) => !done.has(id)));
  }
}

async function moveRecords(
  database: Database,
  seller: Seller,
  ids: string[],
  at: Date,
): Promise<RecordStep[]> {
  const steps: RecordStep[] = [];
  for (const subscription_id of ids) {
    const found = await lockSubscription(database, seller.seller_id, subscription_id);
    if (!found) continue;
    steps.push(...stepsUntil(found, seller, at).map((step) => ({ ...step, subscription_id })));
    await catchUp(database, seller, found, at);
  }
  return steps;
}
