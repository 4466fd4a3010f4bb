import type { JsonSchema } from "./schemas.ts";

/**
 * What each property means, by its name; where a name means several things, with what it stands in
 * before it. The contract leaves them out: browsers read its schemas too.
 */
export const DESCRIPTIONS: Record<string, string> = {
  // Lists and refusals
  count: "How many rows there are on all pages.",
  next: "The address of the next page; null on the last.",
  previous: "The address of the page before; null on the first.",
  results: "The rows of this page.",
  detail: "What is wrong, in words.",
  message: "What was done, in words.",
  total_subscriptions: "Recurring subscriptions of the account.",
  active_subscriptions: "How many of them are active.",
  due_subscriptions: "How many of them are due.",
  inactive_subscriptions: "How many of them ended unpaid.",

  // Products
  product_id: "The product's id.",
  "Product.name": "The product's name, as buyers see it.",
  "product.name": "The product's name.",
  "Product.description": "What the product is.",
  "plan.description": "What the plan is.",
  type: "The kind of product.",
  "Product.is_active": "Whether it is on sale.",
  terms_and_conditions: "The terms that a buyer agrees to.",
  features_and_benefits: "What a buyer gets.",
  "Product.vat": "The tax on its prices.",
  product_image: "Its pictures.",
  "Product.plan": "Its plans.",
  total_subscribers: "How many subscribe to it, as text.",
  updated_at: "When it was last changed.",
  is_vat_active: "Whether tax applies.",
  vat_type: "Inclusive: prices contain the tax. Exclusive: it is added to them.",
  vat_percentage: "The rate in per cent.",
  image: "The picture's address.",
  image_order: "Its place among the pictures, from the lowest.",
  plan_id: "The plan's id.",
  plan_name: "The plan's name.",
  billing_periods: "What the plan can be paid for by.",
  pbp_id: "The billing period's id: what a subscription is created with.",
  interval_type: "The unit of its length; one_time is paid once.",
  interval_count: "How many units it lasts.",
  label: "The billing period's name.",
  price: "The list price as decimal text, before offers and added tax.",
  currency: "The currency's code.",
  "billing_periods.is_current": "Whether it is sold now.",
  is_limited: "Whether it is sold for a limited time.",
  is_archived: "Whether it was taken off sale.",
  offers: "Its discounts.",
  "offers.id": "The offer's id.",
  discount_amount: "What is taken off the price.",
  starts_at: "The first day of the offer.",
  valid_until: "The last day of the offer.",
  "offers.is_active": "Whether the offer is switched on.",

  // Subscriptions
  subscription_id: "The subscription's id.",
  status: "The subscription's status.",
  "Subscription.is_active": "Whether the status is active.",
  client: "The buyer.",
  product: "What is subscribed to.",
  current_period_start: "When the period that runs began; null before the first payment.",
  current_period_end: "When it ends: the next billing date.",
  next_billing_cycle: "When it bills next; null until the first payment.",
  "RescheduleSubscription.next_billing_cycle": "The new billing date: today or a later day.",
  created_at: "When it was made.",
  phone: "The phone number, which tells one buyer from another.",
  full_name: "The full name.",
  email: "The email address.",
  address: "The postal address.",
  billing: "Whom the bill goes to; null: the buyer.",
  shipping: "Whom it is delivered to; null: the buyer.",
  business_name: "The business's name.",
  pan_vat: "Its PAN or VAT number; empty if not given.",
  "shipping.phone": "The receiver's phone number.",
  "shipping.full_name": "The receiver's full name.",
  return_url: "Where the buyer is sent after the checkout. The way back proves no payment.",
  billing_business_name: "The name of the business on the bill.",
  billing_email: "The email address for the bill.",
  billing_address: "The address on the bill.",
  billing_pan_vat: "The PAN or VAT number on the bill, nine digits.",
  checkout_url: "Where the buyer pays: send it to them.",

  // Customers and webhooks
  "Customer.id": "The customer's number.",
  buyer_phone: "The buyer's phone number.",
  buyer_email: "The buyer's email address.",
  "Webhook.id": "The registration's number.",
  event: "The kind of event; a registration takes one.",
  endpoint_url: "Where deliveries are posted.",
  is_active: "False pauses deliveries.",

  // Events
  "Event.id": "The event's id, the same in every delivery of it.",
  "Event.event": "The kind of event.",
  "Event.type": "The same, by the name that Standard Webhooks gives it.",
  timestamp: "When it happened.",
  "Event.old_status": "The status before.",
  "Event.new_status": "The status after.",
  reason: "Why it happened, such as payment, renewal, declined or cancel.",
  data: "The subscription as it stood then; of a payment, what was paid.",
  payment_id:
    "The payment's id. Its first eight letters are the reference on the buyer's receipt.",
  amount: "What was paid, as decimal text.",
  "data.vat": "The tax in it, as decimal text; null where none applies.",
  "data.method": "What it was paid with.",

  // The sandbox's clock
  now: "What time it is for this account.",
  "statuses.now": "How many are in it now.",
  real_now: "What time it really is.",
  is_ahead: "Whether the account's clock is ahead.",
  time_zone: "The account's time zone.",
  next_transition_at: "When time next changes something; null: never.",
  to: "The moment until which; or else by.",
  by: "The span, such as P1M or PT36H; or else to.",
  from: "The moment from which.",
  reasons: "How many changes there are of each reason.",
  "reasons.count": "How many.",
  "events.count": "How many.",
  "moments.count": "How many.",
  events: "The events that it announces.",
  moments: "How many changes there are at each moment.",
  steps: "The changes, in order.",
  undo: "The saved state to go back to; null where none was kept.",
  at: "When it happens.",
  old_status: "The status before.",
  new_status: "The status after.",
  statuses: "How many are in each status, now and then.",
  later: "How many will be in it.",
  newly_due: "How many become due until then.",
  unpaid: "How many end because nobody paid.",
  cancelled: "How many end because they were cancelled.",
  abandoned: "How many checkouts are given up.",
  money: "What is owed and lost, by currency.",
  list: "Which subscriptions the rows are.",
  "DeskPreview.count": "How many subscriptions the list has.",
  "results.amount":
    "What the checkout asks for then; of what has ended, on the day of its end.",
  owed_now: "What is owed now: what the checkout asks for.",
  owed_then: "What will be owed: what the checkout asks for on that day.",
  lost: "What those that end unpaid owe, each on the day of its end.",
  product_name: "The product's name.",
  since: "Since when; of a recovery, from which moment on.",
  ends_at: "When it ends unpaid.",
  others: "How many other changes time makes until then.",
  "NextEvent.next": "What time does next to it; null: nothing.",

  // The sandbox's deliveries
  "DeliveryPage.id": "The delivery's number.",
  "Delivery.id": "The delivery's number.",
  event_id: "The event's id.",
  webhook_id: "The registration's number.",
  state: "How far it is.",
  attempts: "How often it was tried.",
  last_response_code: "The status of the last answer; null where none came.",
  last_error: "Why the last attempt failed; null where it did not.",
  next_attempt_at: "When it is tried next; null: no more.",
  finished_at: "When it ended; null while it goes on.",
  body: "The body, as it was sent or answered.",
  attempt_list: "Every attempt.",
  started_at: "When it began.",
  duration_ms: "How many milliseconds it took.",
  request: "What was sent.",
  response: "What was answered; null where nothing was.",
  error: "Why it failed; null where it did not.",
  url: "Where it was sent.",
  headers: "Its headers.",
  code: "The status of the answer.",
  recovered: "How many deliveries are sent again.",
  delivery_id: "The number of the delivery that carries it.",
  "NoticeList.id": "The notice's number.",
  "NoticeList.kind": "Why it was switched off.",
  "NoticeList.message": "The same in words.",

  // The sandbox's scenarios, states and payments
  name: "Its name.",
  description: "What it is.",
  is_current: "Whether the account began with it.",
  outcome: "How the payment ends.",
  method: "What it is paid with.",
  result: "What became of the payment.",
  "SimulatedPayment.reason": "Why it was not paid; null where it was.",
  "SavedState.id": "The state's number.",
  "SavedState.kind": "Saved by hand, or kept before something else.",
  most_saved: "How many can be saved by hand.",
  clock_at: "What the account's clock showed.",
  subscriptions: "How many subscriptions it holds.",
  customers: "How many customers it holds.",
  bytes: "How much room it takes.",
  is_restorable: "Whether this version can go back to it.",
  sent_since: "How many deliveries went out since, and are not taken back.",

  // The checkout's forms, this description and the state of the service
  ahead: "Pay before it is due.",
  page: "Drawn for the page: its form sent twice asks once.",
  attempt: "The try to pay that the page belongs to.",
  "form.code": "The one-time code.",
  total: "The total that the buyer saw; another one is shown again first.",
  reference: "The provider's reference of the payment.",
  openapi: "The version of OpenAPI.",
  info: "What this interface is.",
  paths: "Its addresses.",
  "Health.status": "That it works.",
};

/** Adds each property's meaning; `parent` is the property or the schema that it stands in. */
export function withMeanings<Value>(value: Value, parent: string, schema = parent): Value {
  if (Array.isArray(value))
    return value.map((one) => withMeanings(one, parent, schema)) as Value;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === "properties"
      ? describeEach(inner as Record<string, JsonSchema>, parent, schema)
      : withMeanings(inner, parent, schema),
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
      return [name, { ...withMeanings(property, name, schema), description }];
    }),
  );
}
