import {
  EXAMPLE_TIME,
  Customer,
  EXAMPLE_PERIOD_END,
  Event,
  EXAMPLE_SUBSCRIPTION_ID,
  examplePageOf,
  EXAMPLE_PBP_ID,
  examplePerson,
  Product,
  Subscription,
  Webhook,
} from "./example-shop.ts";
import { ACCOUNT_EXAMPLES } from "./account-examples.ts";
import { EVENT_BODY_EXAMPLES } from "./event-examples.ts";
import type { SchemaName } from "./schemas.ts";

const Clock = {
  now: "2026-04-10T06:00:00.000Z",
  real_now: EXAMPLE_TIME,
  is_ahead: true,
  time_zone: "Asia/Kathmandu",
  next_transition_at: EXAMPLE_PERIOD_END,
};
const step = {
  at: "2026-04-10T18:15:00.000Z",
  subscription_id: EXAMPLE_SUBSCRIPTION_ID,
  full_name: examplePerson.full_name,
  old_status: "active",
  new_status: "due",
  reason: "billing_date_passed",
  events: ["subscription.status_changed"],
};
const TimeSpan = {
  from: EXAMPLE_TIME,
  to: "2026-04-11T06:00:00.000Z",
  count: 1,
  reasons: [{ reason: step.reason, count: 1 }],
  events: [{ event: "subscription.status_changed", count: 1 }],
  moments: [{ at: step.at, count: 1 }],
  steps: [step],
};
const SavedState = {
  id: 1,
  kind: "saved",
  name: "Before the fair",
  clock_at: EXAMPLE_TIME,
  created_at: EXAMPLE_TIME,
  subscriptions: 250,
  customers: 200,
  bytes: 180_000,
  is_restorable: true,
};
const state = {
  status: "active",
  pbp_id: EXAMPLE_PBP_ID,
  price: Subscription.product.price,
  currency: Subscription.product.currency,
  current_period_start: EXAMPLE_TIME,
  next_billing_cycle: EXAMPLE_PERIOD_END,
};
const delivery = {
  id: 1,
  event_id: Event.id,
  event: "checkout.succeeded",
  webhook_id: 1,
  endpoint_url: Webhook.endpoint_url,
  subscription_id: EXAMPLE_SUBSCRIPTION_ID,
  state: "delivered",
  attempts: 1,
  last_response_code: 204,
  last_error: null,
  next_attempt_at: null,
  created_at: EXAMPLE_TIME,
  finished_at: "2026-03-10T06:00:01.000Z",
};

const { payment_id, amount, currency, vat, fee, provider_reference, paid_at } = Event.data;
const payment = {
  payment_id,
  reference: payment_id.slice(0, 8).toUpperCase(),
  subscription_id: EXAMPLE_SUBSCRIPTION_ID,
  customer: {
    id: Customer.id,
    full_name: Customer.full_name,
    buyer_phone: Customer.buyer_phone,
    buyer_email: Customer.buyer_email,
  },
  product: {
    product_id: Product.product_id,
    name: Product.name,
    plan_name: Subscription.product.plan_name,
  },
  amount,
  currency,
  vat,
  fee,
  method: "wallet",
  provider_reference,
  refunded: "0.00",
  refund_owed: "0.00",
  dispute: null,
  bill_id: "b7f0a9de-3f5b-4f07-9b6d-2f5f0d8f4c11",
  reversed_at: null,
  recorded: null,
  period_start: EXAMPLE_TIME,
  paid_at,
};
const body = JSON.stringify(Event);

const SANDBOX_EXAMPLES = {
  Clock,
  SetClock: { ...Clock, now: EXAMPLE_TIME, is_ahead: false, undo: 1 },
  TimeSpan,
  ClockMove: { ...TimeSpan, undo: 1 },
  SavedState,
  StateList: { results: [SavedState], most_saved: 10 },
  Replaced: { message: "The account now contains the scenario some_due.", undo: 1 },
  Restored: { message: "The account was restored.", undo: 2, sent_since: 0 },
  Delivery: {
    ...delivery,
    body,
    attempt_list: [
      {
        started_at: EXAMPLE_TIME,
        duration_ms: 84,
        request: {
          url: Webhook.endpoint_url,
          headers: {
            "content-type": "application/json",
            "webhook-id": delivery.event_id,
            "webhook-timestamp": "1773122400",
            "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
          },
          body,
        },
        response: { code: 204, body: null },
        error: null,
      },
    ],
  },
  DeliveryPage: { next: null, results: [delivery] },
  AccountPayment: payment,
  AccountPaymentPage: { next: null, results: [payment] },
  ChangePage: {
    cursor: "WzEsImY4Il0",
    has_more: false,
    results: [
      {
        kind: "customer",
        id: String(Customer.id),
        change: "created",
        changed_at: EXAMPLE_TIME,
        subscription: null,
        customer: Customer,
        product: null,
        payment: null,
        history: [],
      },
    ],
  },
  SubscriptionChangePage: {
    since: EXAMPLE_TIME,
    next: null,
    results: [
      {
        id: 12,
        subscription_id: EXAMPLE_SUBSCRIPTION_ID,
        recorded_at: EXAMPLE_TIME,
        before: {
          ...state,
          status: "pending_checkout",
          current_period_start: null,
          next_billing_cycle: null,
        },
        after: state,
      },
    ],
  },
  NoticeList: {
    results: [
      {
        id: 1,
        webhook_id: 1,
        endpoint_url: Webhook.endpoint_url,
        kind: "gone",
        message:
          "Switched off: the endpoint answered 410, which says that it is gone for good.",
        created_at: EXAMPLE_TIME,
      },
    ],
  },
  Recovered: { recovered: 3, left: 0 },
  SentExample: { delivery_id: 1 },
  ScenarioList: {
    results: [
      { name: "some_due", description: "Some subscriptions are due.", is_current: true },
    ],
  },
  SimulatedPayment: {
    subscription_id: EXAMPLE_SUBSCRIPTION_ID,
    result: "paid",
    reason: null,
    old_status: "pending_checkout",
    new_status: "active",
    events: ["checkout.succeeded", "subscription.status_changed"],
  },
  MoveClock: { by: "P1M" },
  RecoverDeliveries: { webhook_id: 1, since: EXAMPLE_TIME },
  SendExample: { event: Webhook.event },
  RotateSecret: { overlap_hours: 24 },
  StartScenario: { name: "some_due" },
  SimulatePayment: { outcome: "approve", method: "wallet" },
  SaveState: { name: SavedState.name },
};

const ORDER = {
  pbp_id: EXAMPLE_PBP_ID,
  return_url: "https://shop.example/thanks",
  client: examplePerson,
};

export const EXAMPLES: Record<SchemaName, unknown> = {
  Subscription,
  SubscriptionPage: {
    ...examplePageOf(Subscription),
    total_subscriptions: 1,
    active_subscriptions: 1,
    due_subscriptions: 0,
    inactive_subscriptions: 0,
  },
  CreatedSubscription: {
    subscription_id: EXAMPLE_SUBSCRIPTION_ID,
    pbp_id: EXAMPLE_PBP_ID,
    status: "pending_checkout",
    checkout_url: `https://billing.example/pay/${EXAMPLE_SUBSCRIPTION_ID}`,
    next_billing_cycle: null,
    created_at: EXAMPLE_TIME,
  },
  Message: { message: "Done." },
  Product,
  ProductPage: examplePageOf(Product),
  Customer,
  CustomerPage: examplePageOf(Customer),
  Webhook,
  WebhookPage: examplePageOf(Webhook),
  GeneralError: { detail: "Not found." },
  FieldErrors: { status: ["Use one of the subscription statuses."] },
  Problem: { return_url: ["This field is required."] },
  OpenApiDocument: { openapi: "3.1.1", info: { title: "Subscription billing" }, paths: {} },
  ...SANDBOX_EXAMPLES,
  ...ACCOUNT_EXAMPLES,
  Health: { status: "ok" },
  ...EVENT_BODY_EXAMPLES,
  CreateSubscription: ORDER,
  TakeOverSubscription: { ...ORDER, paid_until: "2026-04-13" },
  RescheduleSubscription: {
    subscription_id: EXAMPLE_SUBSCRIPTION_ID,
    next_billing_cycle: "2026-05-01",
  },
  CreateWebhook: { event: Webhook.event, endpoint_url: Webhook.endpoint_url },
  UpdateWebhook: { is_active: false },
};

export const TEXT_EXAMPLES: Record<string, string> = {
  "text/html": '<!doctype html><html lang="en">…</html>',
  "text/css": ":root { color-scheme: light dark; }",
  "text/plain": "1158201444",
  "application/pdf": "%PDF-1.7…",
  "image/svg+xml": '<svg xmlns="http://www.w3.org/2000/svg"/>',
  "image/webp": "RIFF…WEBP",
};
