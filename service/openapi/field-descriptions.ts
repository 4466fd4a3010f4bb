import { ACCOUNT_DESCRIPTIONS } from "./account-descriptions.ts";
import { BILL_DESCRIPTIONS } from "./bill-examples.ts";
import { BUYER_DESCRIPTIONS } from "./buyer-examples.ts";
import { LEDGER_DESCRIPTIONS } from "./ledger-examples.ts";
import { PAYMENT_DESCRIPTIONS } from "./payment-examples.ts";
import { PAYMENT_ACCOUNT_DESCRIPTIONS } from "./payment-account-examples.ts";
import { REMINDER_DESCRIPTIONS } from "./reminder-examples.ts";
import type { JsonSchema } from "./schemas.ts";

/**
 * Descriptions by property, with its parent where a name has several meanings. Kept out of the
 * contract, which browsers load.
 */
export const DESCRIPTIONS: Record<string, string> = {
  ...ACCOUNT_DESCRIPTIONS,
  ...PAYMENT_DESCRIPTIONS,
  ...BUYER_DESCRIPTIONS,
  ...BILL_DESCRIPTIONS,
  ...LEDGER_DESCRIPTIONS,
  ...PAYMENT_ACCOUNT_DESCRIPTIONS,
  ...REMINDER_DESCRIPTIONS,
  // Lists and errors
  count: "Number of rows on all pages.",
  "TimeSpan.count": "Number of changes.",
  "ClockMove.count": "Number of changes.",
  next: "URL of the next page; null on the last.",
  previous: "URL of the previous page; null on the first.",
  results: "The rows of this page.",
  detail: "What is wrong, as a sentence.",
  message: "What was done, as a sentence.",
  total_subscriptions: "Number of recurring subscriptions in the account.",
  active_subscriptions: "Number of active subscriptions among them.",
  due_subscriptions: "Number of due subscriptions among them.",
  inactive_subscriptions: "Number of subscriptions among them that ended unpaid.",

  // Products
  product_id: "The product's id.",
  "Product.name": "The product's name, as buyers see it.",
  "product.name": "The product's name.",
  "Product.description": "What the product is.",
  "plan.description": "What the plan is.",
  type: "The kind of product.",
  "Product.is_active": "Whether the product is on sale.",
  terms_and_conditions: "The terms that a buyer agrees to.",
  features_and_benefits: "What the buyer gets.",
  "Product.vat": "The tax on its prices.",
  product_image: "The product's images.",
  "Product.plan": "The product's plans.",
  total_subscribers: "Number of subscribers, as text.",
  updated_at: "When it was last changed.",
  is_vat_active: "Whether tax applies.",
  vat_type: "Inclusive: prices contain the tax. Exclusive: it is added to them.",
  vat_percentage: "The tax rate in percent.",
  image: "The URL of the image.",
  image_order: "The image's position, lowest first.",
  plan_id: "The plan's id.",
  plan_name: "The plan's name.",
  billing_periods: "The plan's billing periods.",
  pbp_id: "The billing period's id, used to create a subscription.",
  interval_type: "The unit of the billing period's length; `one_time` is paid once.",
  interval_count: "The billing period's length in units.",
  label: "The billing period's name.",
  price: "The list price as decimal text, before offers and added tax.",
  currency: "The ISO 4217 currency code.",
  "billing_periods.is_current": "Whether the billing period is on sale now.",
  "new_billing_periods.is_current": "Whether the billing period is on sale now.",
  is_limited: "Whether the billing period is sold for a limited time.",
  is_archived: "Whether the billing period was withdrawn from sale.",
  offers: "The discounts on the billing period.",
  "offers.id": "The offer's id.",
  discount_amount: "The amount deducted from the price.",
  starts_at: "The first day of the offer.",
  valid_until: "The last day of the offer.",
  "offers.is_active": "Whether the offer is enabled.",

  // Subscriptions
  subscription_id: "The subscription's id.",
  status: "The subscription's status.",
  "Subscription.is_active": "Whether the status is active.",
  client: "The buyer.",
  product: "The product and billing period.",
  current_period_start: "Start of the current period; null before the first payment.",
  current_period_end: "End of the current period: the next billing date.",
  next_billing_cycle: "The next billing date; null until the first payment.",
  "TakeOverSubscription.paid_until":
    "The last day for which the buyer paid elsewhere. It becomes the billing date; with a past day, the subscription is due at once.",
  "RescheduleSubscription.next_billing_cycle": "The new billing date: today or a later day.",
  created_at: "When it was created.",
  phone: "The phone number, which identifies the buyer.",
  full_name: "The full name.",
  email: "The email address.",
  address: "The postal address.",
  billing: "Billing details; null if the same as the buyer.",
  shipping: "Delivery details; null if the same as the buyer.",
  business_name: "The business's name.",
  pan_vat: "The business's PAN or VAT number; empty if not given.",
  "shipping.phone": "The recipient's phone number.",
  "shipping.full_name": "The recipient's full name.",
  return_url:
    "Where the buyer is sent after the checkout. A return to this URL does not prove a payment.",
  billing_business_name: "The name of the business on the bill.",
  billing_email: "The email address for the bill.",
  billing_address: "The address on the bill.",
  billing_pan_vat: "The PAN or VAT number on the bill, nine digits.",
  checkout_url: "The payment page; send this URL to the buyer.",

  // Customers and webhooks
  "Customer.id": "The customer's number.",
  buyer_phone: "The buyer's phone number.",
  buyer_email: "The buyer's email address.",
  "Webhook.id": "The webhook endpoint's number.",
  event: "The kind of event; an endpoint receives one kind.",
  endpoint_url: "The URL that deliveries are posted to.",
  is_active: "False pauses deliveries.",

  // Events
  "Event.id": "The event's id, the same in every delivery of it.",
  "Event.event": "The kind of event.",
  "Event.type": "Same as `event`, under the name used by Standard Webhooks.",
  timestamp: "When the event happened.",
  "Event.old_status": "The status before the change.",
  "Event.new_status": "The status after the change.",
  reason: "The cause, such as payment, renewal, declined or cancel.",
  data: "The subscription at that time, and what was paid or given back.",
  payment_id:
    "The payment's id. Its first eight characters are the reference on the buyer's receipt.",
  amount: "The amount paid, as decimal text.",
  "data.vat": "The tax included in the amount, as decimal text; null if none applies.",
  fee: "The processing fee of 1.99 %, as decimal text.",
  "data.method":
    "How it was paid: `wallet`, `bank` or `card` at the checkout; `cash`, `transfer` or `other` to the seller.",
  provider_reference:
    "The payment provider's reference of the payment; null if no provider took it.",
  paid_at: "When it was paid.",
  refund_id: "The refund's id.",
  "RefundEvent.amount": "The amount given back, as decimal text.",
  payment_left: "What is left of the payment after all its refunds, as decimal text.",
  way: "`api`: the payment provider gave the money back on request. `by_hand`: a member gave it back. `provider`: the payment provider gave it back by itself.",
  "RefundEvent.reference":
    "The provider's reference of the refund, or the member's note; null if there is none.",
  "DisputeEvent.amount":
    "The disputed amount, as decimal text; null if the provider does not say.",
  disputed_at: "When the provider reported the dispute.",
  refunded_at: "When the money was given back.",

  // The sandbox's clock
  now: "The account's current time.",
  real_now: "The real time.",
  is_ahead: "Whether the account's clock is ahead.",
  time_zone: "The account's time zone.",
  next_transition_at: "When the next time-based change is due; null if none.",
  to: "The end time.",
  "MoveClock.to": "The time to which the clock moves; send either `to` or `by`.",
  "MoveClock.by":
    "A period such as P1M or PT36H by which the clock moves; send either `to` or `by`.",
  from: "The start time.",
  reasons: "Number of changes by reason.",
  "reasons.count": "Number of changes.",
  "events.count": "Number of events.",
  "events.event": "The kind of event.",
  "moments.count": "Number of changes.",
  "steps.events": "The events sent for the change.",
  "TimeSpan.events": "Number of events by kind.",
  "ClockMove.events": "Number of events by kind.",
  "SimulatedPayment.events": "The events sent for the payment.",
  moments: "Number of changes at each time.",
  steps: "The changes, in order.",
  undo: "The number of the saved state that undoes this; null if none was saved.",
  at: "When it happens.",
  old_status: "The status before the change.",
  new_status: "The status after the change.",
  since: "Resend deliveries created since this time.",

  // Deliveries
  "DeliveryPage.id": "The delivery's number.",
  "Delivery.id": "The delivery's number.",
  event_id: "The event's id.",
  webhook_id: "The webhook endpoint's number.",
  state: "The delivery state.",
  attempts: "Number of attempts.",
  last_response_code: "HTTP status of the last response; null if there was none.",
  last_error: "Why the last attempt failed; null if it succeeded.",
  next_attempt_at: "When the next attempt is due; null if none.",
  finished_at: "When it finished; null while in progress.",
  body: "The body of the request or response.",
  attempt_list: "Every attempt.",
  started_at: "When the attempt started.",
  duration_ms: "Duration in milliseconds.",
  request: "The request sent.",
  response: "The response; null if there was none.",
  error: "Why it failed; null if it succeeded.",
  url: "The URL it was sent to.",
  headers: "The HTTP headers.",
  code: "The HTTP status of the response.",
  recovered: "Number of deliveries that will be resent.",
  left: "Number of missed deliveries that are left, counted up to 100,000. Call again until it is 0.",
  delivery_id: "The number of the delivery.",
  "RotateSecret.overlap_hours": "Hours for which the old secret also signs; 0 ends it at once.",
  "NoticeList.id": "The notice's number.",
  "NoticeList.kind": "Why the endpoint was switched off.",
  "NoticeList.message": "The reason as a sentence.",

  // Payments
  "AccountPayment.reference": "The payment's reference on the buyer's receipt.",
  customer: "The buyer.",
  "customer.id": "The customer's number.",
  "AccountPayment.product": "The product and plan that were paid for.",
  "AccountPayment.vat":
    "The tax included in the amount, as decimal text; null if none applies.",
  "AccountPayment.method":
    "How it was paid: `wallet`, `bank` or `card` at the checkout; `cash`, `transfer` or `other` to the seller.",
  period_start: "The start of the paid period; for a one-time purchase the time of payment.",

  // Changes
  cursor: "The position after these rows; send it with the next request.",
  has_more: "Whether more rows are ready, so that it is worth asking again at once.",
  "ChangePage.kind": "What kind of record it is; the record is in the field of that name.",
  "ChangePage.id": "The record's id, as text.",
  change: "Whether the record is new, changed, or no longer shown by the API.",
  changed_at: "When it last changed, by the real clock.",
  "ChangePage.subscription":
    "The subscription as it is now; null for other kinds and if it is gone.",
  "ChangePage.customer": "The customer as it is now; null for other kinds and if it is gone.",
  "ChangePage.product": "The product as it is now; null for other kinds and if it is gone.",
  "ChangePage.payment": "The payment; null for other kinds.",
  history:
    "For a subscription, the changes that this row reports, in order; empty for other kinds.",
  "history.id":
    "The change's number; of two changes of one subscription the later one has the higher number.",
  "SubscriptionChangePage.since": "The time since which every change is kept.",
  "SubscriptionChangePage.id":
    "The change's number; of two changes of one subscription the later one has the higher number.",
  recorded_at: "When it was recorded, by the real clock.",
  "SubscriptionChangePage.before": "The subscription before the change.",
  "SubscriptionChangePage.after": "The subscription after the change.",
  "history.before": "The subscription before the change.",
  "history.after": "The subscription after the change.",

  // The sandbox's scenarios, states and payments
  name: "The name.",
  description: "A description.",
  "ScenarioList.is_current": "Whether the account was started from this scenario.",
  outcome: "The result of the payment.",
  method: "The payment method to use.",
  result: "The outcome of the payment.",
  "SimulatedPayment.reason": "Why it was not paid; null if it was.",
  "SavedState.id": "The state's number.",
  "SavedState.kind": "Saved by hand, or automatically before a change.",
  most_saved: "Maximum number of states saved by hand.",
  clock_at: "The account's time when it was saved.",
  subscriptions: "Number of subscriptions in the saved state.",
  customers: "Number of customers in the saved state.",
  bytes: "Size in bytes.",
  is_restorable: "Whether this version of the service can restore it.",
  sent_since: "Number of deliveries sent since the state was saved; they are not taken back.",

  // The checkout's forms, this document and the health checks
  early: "Whether to pay for the next period before its billing date.",
  page: "Identifies the page, so that submitting its form twice requests one code.",
  attempt: "The payment attempt.",
  "form.code": "The one-time code.",
  "form.id": "The request that the code belongs to.",
  "form.full_name": "The buyer's name; at a correction, empty if it is right.",
  "form.email": "The buyer's mail address; at a correction, empty if it is right.",
  "form.address": "The buyer's postal address; at a correction, empty if it is right.",
  "form.phone": "The buyer's phone number, to which the code goes.",
  "form.order": "The order that the code belongs to.",
  phone_or_email: "The phone number or email address by which the seller knows the buyer.",
  "form.language": "The language of messages to the buyer.",
  "form.subscription": "The subscription that the request is about.",
  "form.kind": "What the buyer asks for: a pause, or to stop.",
  "form.until": "The billing date that a pause asks for, as YYYY-MM-DD.",
  "form.words": "The buyer's own words.",
  total: "The total shown to the buyer; if it has changed, the new total is shown first.",
  reference: "The provider's reference of the payment.",
  openapi: "The version of OpenAPI.",
  info: "About this API.",
  paths: "The paths of the API.",
  "Health.status": "The state of the service.",
};

/** Adds each property's description; `parent` is the property or schema that contains it. */
export function withDescriptions<Value>(value: Value, parent: string, schema = parent): Value {
  if (Array.isArray(value))
    return value.map((one) => withDescriptions(one, parent, schema)) as Value;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === "properties"
      ? describeEach(inner as Record<string, JsonSchema>, parent, schema)
      : withDescriptions(inner, parent, schema),
  ]);
  return Object.fromEntries(entries) as Value;
}

function describeEach(
  properties: Record<string, JsonSchema>,
  parent: string,
  schema: string,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const names = [`${parent}.${name}`, `${schema}.${name}`, name];
      const description = names.map((one) => DESCRIPTIONS[one]).find(Boolean);
      return [name, { ...withDescriptions(property, name, schema), description }];
    }),
  );
}
