import type pg from "pg";
import { transaction, type Database } from "../db/database.ts";
import { findSeller, type Seller } from "../sellers/store.ts";
import { lockSubscription } from "../subscriptions/store.ts";
import { catchUp } from "../subscriptions/catch-up.ts";
import { sellerNow } from "../sellers/seller-clock.ts";
import { claimDue, type DueRow } from "./store.ts";

// A transaction locks its sellers' counters: few rows, so that no request waits long.
const BATCH = 25;

export interface Sweep {
  pool: pg.Pool;
  now: () => Date;
  onError?: (error: unknown) => void;
  /** Stops the sweep after the current batch. */
  signal?: AbortSignal | undefined;
}

/**
 * Applies all due status changes. Concurrent sweeps in any number of processes share the work
 * and skip locked rows.
 * @returns how many subscriptions changed
 */
export async function sweepLifecycle(sweep: Sweep): Promise<number> {
  const { pool, now, signal } = sweep;
  const moment = now();
  // Unchanged or failed ones are not tried again in this sweep, so that it always ends.
  const except: string[] = [];
  let moved = 0;
  while (!signal?.aborted) {
    let claimed: DueRow[] = [];
    let held: string[] = [];
    const still = await transaction(pool, async (database) => {
      ({ claimed, held } = await claimDue(database, moment, { except, limit: BATCH }));
      return moveAll(database, claimed, moment);
    }).catch((error: unknown) => {
      if (claimed.length === 0) throw error;
      return moveSingly(sweep, claimed, moment);
    });
    if (claimed.length + held.length === 0) return moved;
    except.push(...still, ...held);
    moved += claimed.length - still.length;
  }
  return moved;
}

async function moveAll(database: Database, rows: DueRow[], moment: Date): Promise<string[]> {
  const sellers = new Map<number, Seller | null>();
  const still: string[] = [];
  for (const { subscription_id, seller_id } of rows) {
    if (!sellers.has(seller_id)) sellers.set(seller_id, await findSeller(database, seller_id));
    const seller = sellers.get(seller_id);
    if (!seller || !(await move(database, seller, subscription_id, moment)))
      still.push(subscription_id);
  }
  return still;
}

async function move(database: Database, seller: Seller, id: string, moment: Date) {
  const found = await lockSubscription(database, seller.seller_id, id);
  return found && (await catchUp(database, seller, found, sellerNow(seller, moment))) !== found;
}

/** A failing one must not block the others: each gets its own transaction. */
async function moveSingly({ pool, onError }: Sweep, rows: DueRow[], moment: Date) {
  const still: string[] = [];
  for (const row of rows)
    try {
      still.push(...(await transaction(pool, (database) => moveAll(database, [row], moment))));
    } catch (error) {
      onError?.(error);
      still.push(row.subscription_id);
    }
  return still;
}
