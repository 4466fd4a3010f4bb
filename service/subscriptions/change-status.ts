import type { Database } from "../db/database.ts";
import { emit, type EmittedPayment } from "./emit-events.ts";
import { updateStatus, type Dates, type LockedSubscription } from "./store.ts";
import { transition, type Transition, type Trigger } from "./transitions.ts";

export interface Change {
  trigger: Trigger;
  now: Date;
  /** The new dates; an ended subscription always loses its billing date. */
  dates?: Dates;
  reason?: string;
  payment?: EmittedPayment | undefined;
}

export interface Result {
  outcome: Transition["outcome"];
  subscription: LockedSubscription;
}

/**
 * The only way to change a status: checks the transition, updates the row, emits the events.
 */
export async function changeStatus(
  database: Database,
  subscription: LockedSubscription,
  { trigger, now, dates, reason = trigger, payment }: Change,
): Promise<Result> {
  const move = transition(subscription.status, trigger, {
    isOneTime: subscription.is_one_time,
  });
  if (move.outcome !== "changed") return { outcome: move.outcome, subscription };

  const hasEnded = move.to === "cancelled" || move.to === "inactive";
  const changed: LockedSubscription = {
    ...subscription,
    ...dates,
    // Spec choice, date after a cancellation: an ended subscription has no billing date.
    ...(hasEnded && { next_billing_cycle: null, anchor_day: null }),
    status: move.to,
  };
  if (dates || changed.status !== subscription.status) await updateStatus(database, changed);
  await emit(database, {
    seller_id: subscription.seller_id,
    subscription_id: subscription.subscription_id,
    events: move.events,
    old_status: subscription.status,
    new_status: move.to,
    reason,
    payment,
    created_at: now,
  });
  return { outcome: "changed", subscription: changed };
}
