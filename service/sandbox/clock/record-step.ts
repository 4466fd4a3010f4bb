import type { EventKind } from "#contract/events.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import type { TimedChange } from "../../subscriptions/timed-changes.ts";
import { transition } from "../../subscriptions/transitions.ts";

export interface RecordStep {
  at: Date;
  subscription_id: string;
  from: SubscriptionStatus;
  to: SubscriptionStatus;
  reason: string;
  events: readonly EventKind[];
}

export const timeStep = (
  subscription_id: string,
  { trigger, ...step }: TimedChange,
): RecordStep => ({
  ...step,
  subscription_id,
  reason: trigger,
});

interface Failed {
  at: Date;
  subscription_id: string;
  is_one_time: boolean;
  /** Pending checkout by default, the only status in which a checkout is abandoned. */
  status?: SubscriptionStatus;
}

/** The step of a failed payment; none if the status has no such transition. */
export function failureStep(
  { at, subscription_id, is_one_time, status = "pending_checkout" }: Failed,
  reason: string,
): RecordStep[] {
  const move = transition(status, "payment_failed", { isOneTime: is_one_time });
  if (move.outcome !== "changed") return [];
  return [{ at, subscription_id, from: status, to: move.to, reason, events: move.events }];
}
