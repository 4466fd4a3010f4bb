import type { Database } from "../db/database.ts";
import { emitEvents, type EmittedPayment } from "./emit-events.ts";
import { updateStatus, type SubscriptionDates, type LockedSubscription } from "./store.ts";
import { findTransition, type Transition, type Trigger } from "./transitions.ts";

interface StatusChange {
  trigger: Trigger;
  now: Date;
  /** The new dates; an ended subscription always loses its billing date. */
  dates?: SubscriptionDates;
  reason?: string;
  payment?: EmittedPayment | undefined;
}

interface StatusChangeResult {
  outcome: Transition["outcome"];
  subscription: LockedSubscription;
}

/**
 * The only way to change a status: checks the transition, updates the row, emits the events.
 */
export async function changeStatus(
  database: Database,
  subscription: LockedSubscription,
  { trigger, now, dates, reason = trigger, payment }: StatusChange,
): Promise<StatusChangeResult> {
  const move = findTransition(subscription.status, trigger, {
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
  await emitEvents(database, {
    seller_id: subscription.seller_id,
    subscription_id: subscription.subscription_id,
    events: move.events,
    old_status: subscription.status,
    new_status: move.to,
    reason,
    details: payment,
    created_at: now,
  });
  return { outcome: "changed", subscription: changed };
}
