import type { EventKind } from "#contract/events.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import type { Step } from "../../subscriptions/elapsed.ts";
import { transition } from "../../subscriptions/transitions.ts";

/** What time does to a subscription or its checkout: one change, or one failure, and its events. */
export interface RecordStep {
  at: Date;
  subscription_id: string;
  from: SubscriptionStatus;
  to: SubscriptionStatus;
  reason: string;
  events: readonly EventKind[];
}

export const timeStep = (subscription_id: string, { trigger, ...step }: Step): RecordStep => ({
  ...step,
  subscription_id,
  reason: trigger,
});

interface Failed {
  at: Date;
  subscription_id: string;
  is_one_time: boolean;
  /** Pending if left out: only such a checkout is abandoned. */
  status?: SubscriptionStatus;
}

/** A payment that fails, where its status knows one; none where it does not. */
export function failureStep(
  { at, subscription_id, is_one_time, status = "pending_checkout" }: Failed,
  reason: string,
): RecordStep[] {
  const move = transition(status, "payment_failed", { isOneTime: is_one_time });
  if (move.outcome !== "changed") return [];
  return [{ at, subscription_id, from: status, to: move.to, reason, events: move.events }];
}
