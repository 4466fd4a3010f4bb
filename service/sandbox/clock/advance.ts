import type { Clock } from "#contract/sandbox.ts";
import { abandonCheckoutsOfSeller } from "../../checkout/abandon.ts";
import { followUpAttempt } from "../../checkout/follow-up.ts";
import type { PaymentContext } from "../../checkout/provider.ts";
import { transaction, type Database } from "../../db/database.ts";
import { detailError } from "../../http/errors.ts";
import { lockSeller, sellerNow, type Seller } from "../../sellers/store.ts";
import { applyDueChanges } from "../../subscriptions/catch-up.ts";
import { lockSubscription } from "../../subscriptions/store.ts";
import { timedChangesUntil } from "../../subscriptions/timed-changes.ts";
import { countReplacements } from "../account/replace.ts";
import { failureStep, timeStep, type ForecastStep } from "./steps.ts";
import {
  findNextChangeAt,
  moveClockTo,
  selectDueBatch,
  selectExpiringPaymentsUntil,
  selectPendingAttempts,
} from "./store.ts";

// The number of subscriptions in a transaction. It locks the seller's counters, so it is small and
// no request waits long.
const BATCH = 50;

export async function readClock(
  database: Database,
  seller: Seller,
  { realNow, after }: { realNow: Date; after: number },
): Promise<Clock> {
  const next = await findNextChangeAt(database, seller.seller_id, { after });
  return {
    now: sellerNow(seller, realNow).toISOString(),
    real_now: realNow.toISOString(),
    is_ahead: seller.clock_offset_ms !== 0,
    time_zone: seller.time_zone,
    next_transition_at: next?.toISOString() ?? null,
  };
}

/**
 * Records all results that the sandbox's provider already has, so that only time-based changes
 * remain. It asks twice, because the first answer is always "pending" (ADR 0060).
 */
export async function recordProviderAnswers(
  payments: PaymentContext,
  { seller_id }: Seller,
): Promise<void> {
  for (const attempt of await selectPendingAttempts(payments.pool, seller_id))
    for (let asked = 0; asked < 2; asked += 1) await followUpAttempt(payments, attempt);
}

interface Journey {
  target: Date;
  /** The number of data replacements when the advance started. */
  replacements: number;
  /** Milliseconds without activity after which a checkout counts as abandoned. */
  after: number;
  /** Attempts that this advance asked about, and subscriptions that it could not change. */
  except: string[];
}

/**
 * Moves the seller's clock to the target, through every time at which something changes, in
 * order. The clock shows a time once its changes are committed; providers' time limits are
 * checked after that, since they use the same clock. If the process is killed, the clock stops
 * in between.
 * @returns the changes on the way
 */
export async function advanceClock(
  payments: PaymentContext,
  seller: Seller,
  { target, after }: Pick<Journey, "target" | "after">,
): Promise<ForecastStep[]> {
  const steps: ForecastStep[] = [];
  const replacements = await countReplacements(payments.pool, seller.seller_id);
  const journey: Journey = { target, after, replacements, except: [] };
  for (;;) {
    const stage = await transaction(payments.pool, (database) =>
      advanceToNextChange(database, { seller, realNow: payments.now() }, journey),
    );
    steps.push(...stage.steps);
    if (stage.isLast) return steps;
    if (stage.isReached)
      steps.push(...(await endPayments(payments, seller, stage.at, journey)));
  }
}

async function advanceToNextChange(
  database: Database,
  { seller, realNow }: { seller: Seller; realNow: Date },
  { target, after, except, replacements }: Journey,
) {
  const { seller_id } = seller;
  await lockSeller(database, seller_id);
  // The data were replaced, and the clock may have been set back.
  if ((await countReplacements(database, seller_id)) !== replacements)
    throw detailError(409, "The account's data were replaced while the clock was moving.");
  const next = await findNextChangeAt(database, seller_id, { after, except });
  const isLast = next === null || next > target;
  const at = isLast ? target : next;
  const due = await selectDueBatch(database, seller_id, { at, except, limit: BATCH });
  const steps = await moveRecords(database, seller, due, at);
  const moved = new Set(steps.map((step) => step.subscription_id));
  if (moved.size < due.length) {
    // Subscriptions that a sweep or a request changed in the meantime are no longer due.
    const again = await selectDueBatch(database, seller_id, { at, except, limit: BATCH });
    except.push(...due.filter((id) => !moved.has(id) && again.includes(id)));
  }
  const rest = { until: at, after, limit: BATCH - due.length };
  const left = rest.limit > 0 ? await abandonCheckoutsOfSeller(database, seller_id, rest) : [];
  for (const row of left)
    steps.push(...failureStep({ ...row, at: row.abandoned_at }, "abandoned"));
  const isReached = left.length < rest.limit;
  if (isReached) await moveClockTo(database, seller, { target: at, realNow });
  return { at, steps, isReached, isLast: isLast && isReached };
}

async function moveRecords(
  database: Database,
  seller: Seller,
  ids: string[],
  at: Date,
): Promise<ForecastStep[]> {
  const steps: ForecastStep[] = [];
  for (const id of ids) {
    const found = await lockSubscription(database, seller.seller_id, id);
    if (!found) continue;
    steps.push(...timedChangesUntil(found, seller, at).map((step) => timeStep(id, step)));
    await applyDueChanges(database, seller, found, at);
  }
  return steps;
}

async function endPayments(
  payments: PaymentContext,
  { seller_id }: Seller,
  until: Date,
  { except }: Journey,
): Promise<ForecastStep[]> {
  const steps: ForecastStep[] = [];
  for (const row of await selectExpiringPaymentsUntil(payments.pool, seller_id, {
    until,
    except,
  })) {
    const failure = await followUpAttempt(payments, row);
    if (failure) steps.push(...failureStep({ ...row, ...failure }, failure.reason));
    except.push(row.attempt_id);
  }
  return steps;
}
