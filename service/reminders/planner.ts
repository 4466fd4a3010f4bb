import type pg from "pg";
import { transaction } from "../db/database.ts";
import type { Jobs } from "../jobs.ts";
import { findSeller, sellerNow, type Seller } from "../sellers/store.ts";
import { dueRuns, endOfDay, type Run } from "#contract/process/reminder-calendar.ts";
import { bringForward, FIRST_ID, lockStep, queueBatch, saveCursor } from "./plan-store.ts";
import { selectSchedulesOn, type Schedule } from "./schedule-store.ts";

/** The most subscriptions that a transaction plans. */
const BATCH = 500;

interface PlanContext {
  pool: pg.Pool;
  now: () => Date;
  /** Called if a seller's reminders could not be planned; by default the error is thrown. */
  onError?: (error: unknown) => void;
  signal?: AbortSignal;
}

/** Queues the reminders that are due by now: of all sellers, or of one. */
export async function planReminders(
  context: PlanContext,
  sellerId: number | null = null,
): Promise<void> {
  const { pool, onError, signal } = context;
  for (const schedule of await selectSchedulesOn(pool, sellerId)) {
    if (signal?.aborted) return;
    try {
      const seller = await findSeller(pool, schedule.seller_id);
      if (seller) await planSeller(context, schedule, seller);
    } catch (error) {
      if (!onError) throw error;
      onError(error);
    }
  }
}

/** Plans again after a seller's clock has moved. */
export async function planAfterMove(context: PlanContext, sellerId: number): Promise<void> {
  await planReminders(context, sellerId);
  await bringForward(context.pool, sellerId, context.now());
}

async function planSeller(context: PlanContext, schedule: Schedule, seller: Seller) {
  const now = sellerNow(seller, context.now());
  for (const run of dueRuns(schedule, seller, now))
    while (
      !context.signal?.aborted &&
      (await planBatch(context, { schedule, seller, run, now }))
    );
}

interface Planning {
  schedule: Schedule;
  seller: Seller;
  run: Run;
  now: Date;
}

/** @returns whether more of the run may be left */
const planBatch = (
  { pool, now: clock }: PlanContext,
  { schedule, seller, run, now }: Planning,
): Promise<boolean> =>
  transaction(pool, async (database) => {
    const { step, day, from } = run;
    const known = await lockStep(database, seller.seller_id, step.step_id);
    if (!known) return false;
    const isLeft = step.kind === "checkout_left";
    const isOfDay = known.run_day === day;
    if (isOfDay && known.run_ended) return false;
    const isBegun = isOfDay && known.run_after !== null && known.run_after_id !== null;
    const after = isBegun
      ? { moment: known.run_after ?? from, id: known.run_after_id ?? FIRST_ID }
      : { moment: from, id: FIRST_ID };
    const at = clock();
    const until = endOfDay(now, seller.time_zone);
    const { count, moment, subscription_id } = await queueBatch(database, {
      sellerId: seller.seller_id,
      run,
      after,
      limit: BATCH,
      at,
      expires_at: new Date(until.getTime() - seller.clock_offset_ms),
      planned_at: isLeft ? now : run.at,
      until,
      language: schedule.language,
    });
    const isEnded = count < BATCH;
    await saveCursor(database, seller.seller_id, step.step_id, {
      run_day: day,
      run_after: moment ?? after.moment,
      run_after_id: subscription_id ?? after.id,
      // More checkouts can be left until the day ends.
      run_ended: isEnded && !isLeft,
    });
    return !isEnded;
  });

interface Options {
  now: () => Date;
  onError: (error: unknown) => void;
}

/** Plans every minute, in one of the processes that run this, until it is closed. */
export async function runReminders(jobs: Jobs, { now, onError }: Options) {
  const closing = new AbortController();
  await jobs.repeat({
    name: "reminder-planner",
    cron: "* * * * *",
    // If it takes longer, another process joins: a step's cursor is locked.
    expireIn: 300,
    work: () => planReminders({ pool: jobs.pool, now, onError, signal: closing.signal }),
  });
  return { close: async () => closing.abort() };
}
