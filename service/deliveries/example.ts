import { randomUUID } from "node:crypto";
import type { EventKind } from "#contract/names.ts";
import { notFoundError } from "../http/errors.ts";
import type { WriteContext } from "../http/write.ts";
import { insertExample, selectWebhook } from "./store.ts";

const CHANGES: Record<EventKind, [from: string, to: string]> = {
  "checkout.succeeded": ["pending_checkout", "active"],
  "checkout.failed": ["pending_checkout", "pending_checkout"],
  "subscription.status_changed": ["active", "pending_cancellation"],
  "payment.refunded": ["active", "active"],
  "payment.refund_failed": ["active", "active"],
  "payment.disputed": ["active", "active"],
};
const EXAMPLE_PAYMENT = {
  payment_id: "example",
  amount: "1130.00",
  currency: "NPR",
  vat: "130.00",
  fee: "22.49",
  method: "wallet",
  provider_reference: "example",
};
const EXAMPLE_REFUND = {
  refund_id: "example",
  payment_id: "example",
  amount: "500.00",
  currency: "NPR",
  payment_left: "630.00",
  way: "api",
  reference: "example",
};
const EXAMPLE_DISPUTE = {
  payment_id: "example",
  amount: "1130.00",
  currency: "NPR",
  provider_reference: "example",
};
const PERIOD = 30 * 24 * 60 * 60 * 1_000;

/**
 * Queues an example event for an endpoint, signed and delivered like a real one; its reason is
 * "example", and no subscription has its id. Paused endpoints receive it too.
 * @returns the delivery's id
 * @throws 404 for an unknown endpoint or another seller's
 */
export async function sendExample(
  { database, seller, clock }: Pick<WriteContext, "database" | "seller" | "clock">,
  { webhookId, event }: { webhookId: number; event: EventKind },
): Promise<number> {
  if (!(await selectWebhook(database, seller.seller_id, webhookId))) throw notFoundError();
  const created_at = clock();
  const event_id = randomUUID();
  const subscription_id = randomUUID();
  const [old_status, new_status] = CHANGES[event];
  const end = new Date(created_at.getTime() + PERIOD).toISOString();
  const body = JSON.stringify({
    id: event_id,
    event,
    type: event,
    timestamp: created_at.toISOString(),
    subscription_id,
    old_status,
    new_status,
    reason: "example",
    data: {
      product_id: randomUUID(),
      pbp_id: "example",
      current_period_start: created_at.toISOString(),
      current_period_end: end,
      next_billing_cycle: end,
      ...(event === "checkout.succeeded" && { ...EXAMPLE_PAYMENT, paid_at: created_at }),
      ...(event.startsWith("payment.refund") && { ...EXAMPLE_REFUND, refunded_at: created_at }),
      ...(event === "payment.disputed" && { ...EXAMPLE_DISPUTE, disputed_at: created_at }),
    },
  });
  const example = { webhook_id: webhookId, event_id, event, subscription_id, body, created_at };
  return insertExample(database, seller.seller_id, example);
}
