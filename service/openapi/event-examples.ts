import * as z from "zod";
import {
  EVENT_KINDS,
  REFUND_WAYS,
  SUBSCRIPTION_STATUSES,
  type EventKind,
} from "#contract/names.ts";
import { strictTypes } from "#contract/wire.ts";
import { Event as paid, EXAMPLE_TIME, subscriptionData } from "./example-shop.ts";

/** The body of a delivery, whose `data` is the subscription and the event's own fields. */
const eventWith = (more: z.ZodRawShape) =>
  strictTypes.object({
    id: strictTypes.id,
    event: strictTypes.oneOf(EVENT_KINDS),
    type: strictTypes.oneOf(EVENT_KINDS),
    timestamp: strictTypes.datetime,
    subscription_id: strictTypes.id,
    old_status: strictTypes.oneOf(SUBSCRIPTION_STATUSES),
    new_status: strictTypes.oneOf(SUBSCRIPTION_STATUSES),
    reason: strictTypes.text,
    data: z.strictObject({
      product_id: strictTypes.id,
      pbp_id: strictTypes.id,
      current_period_start: strictTypes.nullable(strictTypes.datetime),
      current_period_end: strictTypes.nullable(strictTypes.datetime),
      next_billing_cycle: strictTypes.nullable(strictTypes.datetime),
      ...more,
    }),
  });
const paidEvent = eventWith({
  payment_id: strictTypes.id,
  amount: strictTypes.decimal,
  currency: strictTypes.text,
  vat: strictTypes.nullable(strictTypes.decimal),
  fee: strictTypes.decimal,
  method: strictTypes.text,
  provider_reference: strictTypes.nullable(strictTypes.text),
  paid_at: strictTypes.datetime,
});
const refundEvent = eventWith({
  refund_id: strictTypes.id,
  payment_id: strictTypes.id,
  amount: strictTypes.decimal,
  currency: strictTypes.text,
  payment_left: strictTypes.decimal,
  way: strictTypes.oneOf(REFUND_WAYS),
  reference: strictTypes.nullable(strictTypes.text),
  refunded_at: strictTypes.datetime,
});

const disputeEvent = eventWith({
  payment_id: strictTypes.id,
  amount: strictTypes.nullable(strictTypes.decimal),
  currency: strictTypes.text,
  provider_reference: strictTypes.nullable(strictTypes.text),
  disputed_at: strictTypes.datetime,
});

/** The bodies of deliveries. */
export const EVENT_BODIES = {
  Event: eventWith({}),
  PaidEvent: paidEvent,
  RefundEvent: refundEvent,
  DisputeEvent: disputeEvent,
};

export const BODY_OF_EVENT: Record<EventKind, keyof typeof EVENT_BODIES> = {
  "checkout.succeeded": "PaidEvent",
  "checkout.failed": "Event",
  "subscription.status_changed": "Event",
  "payment.refunded": "RefundEvent",
  "payment.refund_failed": "RefundEvent",
  "payment.disputed": "DisputeEvent",
};

const refunded = {
  ...paid,
  event: "payment.refunded",
  type: "payment.refunded",
  old_status: "active",
  reason: "requested",
  data: {
    ...subscriptionData,
    refund_id: "3f6a8d21-7c04-4e59-9b1d-52c7e0a4f8b6",
    payment_id: paid.data.payment_id,
    amount: "500.00",
    currency: paid.data.currency,
    payment_left: "630.00",
    way: "api",
    reference: "re_1PxQ",
    refunded_at: EXAMPLE_TIME,
  },
};

const disputed = {
  ...paid,
  event: "payment.disputed",
  type: "payment.disputed",
  old_status: "active",
  reason: "disputed",
  data: {
    ...subscriptionData,
    payment_id: paid.data.payment_id,
    amount: paid.data.amount,
    currency: paid.data.currency,
    provider_reference: paid.data.provider_reference,
    disputed_at: EXAMPLE_TIME,
  },
};

export const EVENT_EXAMPLES = {
  "payment.disputed": disputed,
  "checkout.succeeded": paid,
  "checkout.failed": {
    ...paid,
    event: "checkout.failed",
    type: "checkout.failed",
    new_status: "pending_checkout",
    reason: "declined",
    data: {
      ...subscriptionData,
      current_period_start: null,
      current_period_end: null,
      next_billing_cycle: null,
    },
  },
  "subscription.status_changed": {
    ...paid,
    event: "subscription.status_changed",
    type: "subscription.status_changed",
    old_status: "active",
    new_status: "pending_cancellation",
    reason: "cancel",
    data: subscriptionData,
  },
  "payment.refunded": refunded,
  "payment.refund_failed": {
    ...refunded,
    event: "payment.refund_failed",
    type: "payment.refund_failed",
    data: { ...refunded.data, payment_left: paid.data.amount },
  },
};

export const EVENT_BODY_EXAMPLES = {
  Event: EVENT_EXAMPLES["subscription.status_changed"],
  PaidEvent: paid,
  RefundEvent: refunded,
  DisputeEvent: disputed,
};
