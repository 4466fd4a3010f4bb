import "server-only";
import type { Message, Subscription } from "#contract/subscriptions.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { billingDay } from "./rules.ts";

/** One change of one subscription; `day` is YYYY-MM-DD in the seller's zone. */
export type SentChange = { subscription_id: string } & (
  { operation: "cancel" | "resume" } | { operation: "reschedule"; day: string }
);

/** Sends the change. The answer has no record, so callers read it again. @throws AppError */
export function sendChange(billing: BillingClient, change: SentChange): Promise<Message> {
  const { subscription_id } = change;
  switch (change.operation) {
    case "cancel":
      return billing.cancelSubscription(subscription_id);
    case "resume":
      return billing.resumeSubscription(subscription_id);
    case "reschedule":
      return billing.rescheduleSubscription({
        subscription_id,
        next_billing_cycle: change.day,
      });
  }
}

/**
 * The change as the audit log stores it; fields ending in `_before` are left out if nothing
 * changed.
 */
export function changeDetail(before: Subscription, after: Subscription, time_zone: string) {
  return {
    ...pair("status", before.status, after.status),
    ...pair("next_billing", billingDay(before, time_zone), billingDay(after, time_zone)),
  };
}

function pair(name: string, before: string | null, after: string | null) {
  return before === after ? { [name]: after } : { [`${name}_before`]: before, [name]: after };
}
