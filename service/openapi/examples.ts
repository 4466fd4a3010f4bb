import {
  AT,
  Customer,
  Event,
  ID,
  PBP,
  pageOf,
  person,
  Product,
  subscriptionData,
  Subscription,
  Webhook,
} from "./example-shop.ts";
import { SANDBOX_EXAMPLES } from "./sandbox-examples.ts";
import type { SchemaName } from "./schemas.ts";

/** One example of each schema, all about the same shop. */
export const EXAMPLES: Record<SchemaName, unknown> = {
  Subscription,
  SubscriptionPage: {
    ...pageOf(Subscription),
    total_subscriptions: 1,
    active_subscriptions: 1,
    due_subscriptions: 0,
    inactive_subscriptions: 0,
  },
  CreatedSubscription: {
    subscription_id: ID,
    pbp_id: PBP,
    status: "pending_checkout",
    checkout_url: `https://billing.example/pay/${ID}`,
    next_billing_cycle: null,
    created_at: AT,
  },
  Message: { message: "Done." },
  Product,
  ProductPage: pageOf(Product),
  Customer,
  CustomerPage: pageOf(Customer),
  Webhook,
  WebhookPage: pageOf(Webhook),
  GeneralError: { detail: "Not found." },
  FieldErrors: { status: ["Use one of the statuses that there are."] },
  Problem: { return_url: ["This field is required."] },
  OpenApiDocument: { openapi: "3.1.1", info: { title: "Subscription billing" }, paths: {} },
  ...SANDBOX_EXAMPLES,
  Health: { status: "ok" },
  Event,
  CreateSubscription: {
    pbp_id: PBP,
    return_url: "https://shop.example/thanks",
    client: person,
  },
  RescheduleSubscription: { subscription_id: ID, next_billing_cycle: "2026-05-01" },
  CreateWebhook: { event: Webhook.event, endpoint_url: Webhook.endpoint_url },
  UpdateWebhook: { is_active: false },
};

export const EVENT_EXAMPLES = {
  "checkout.succeeded": Event,
  "checkout.failed": {
    ...Event,
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
    ...Event,
    event: "subscription.status_changed",
    type: "subscription.status_changed",
    old_status: "active",
    new_status: "pending_cancellation",
    reason: "cancel",
    data: subscriptionData,
  },
};

export const TEXT_EXAMPLES: Record<string, string> = {
  "text/html": '<!doctype html><html lang="en">…</html>',
  "text/css": ":root { color-scheme: light dark; }",
  "image/svg+xml": '<svg xmlns="http://www.w3.org/2000/svg"/>',
};
