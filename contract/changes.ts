import * as z from "zod";
import { customerRecord } from "./customers.ts";
import { FEED_KINDS, SUBSCRIPTION_STATUSES } from "./names.ts";
import { paymentRecord } from "./payments.ts";
import { productRecord } from "./products.ts";
import { subscriptionRecord } from "./subscriptions.ts";
import { defineSentAndReceived, type WireTypes } from "./wire.ts";

/** The fields of a subscription that reports count. */
const state = (wire: WireTypes) =>
  wire.object({
    status: wire.oneOf(SUBSCRIPTION_STATUSES),
    pbp_id: wire.text,
    price: wire.decimal,
    currency: wire.text,
    current_period_start: wire.nullable(wire.datetime),
    next_billing_cycle: wire.nullable(wire.datetime),
  });

const subscriptionChange = (wire: WireTypes) =>
  wire.object({
    /** Later changes of a subscription have higher numbers. */
    id: wire.number_id,
    subscription_id: wire.id,
    recorded_at: wire.datetime,
    before: state(wire),
    after: state(wire),
  });

/** GET /account/v1/subscription-changes/ */
export const [SubscriptionChangePage, ReceivedSubscriptionChangePage] = defineSentAndReceived(
  (wire) =>
    wire.object({
      /** The time since which every change is kept. */
      since: wire.datetime,
      next: wire.nullable(wire.text),
      results: wire.list(subscriptionChange(wire)),
    }),
);
export type SubscriptionChangePage = z.output<typeof SubscriptionChangePage>;
export type PastChange = SubscriptionChangePage["results"][number];

export const MAX_HISTORY_PAGE = 1_000;

/** The query of GET /account/v1/subscription-changes/. */
export const SubscriptionChangeQuery = z.object({
  after: z.coerce.number().pipe(z.int().nonnegative()).default(0),
  page_size: z.coerce.number().pipe(z.int().min(1).max(MAX_HISTORY_PAGE)).default(100),
});
export type SubscriptionChangeQuery = z.output<typeof SubscriptionChangeQuery>;

const change = (wire: WireTypes) =>
  wire.object({
    kind: wire.oneOf(FEED_KINDS),
    id: wire.id,
    /** "gone": the API no longer shows the record; also a product that was taken off sale. */
    change: wire.oneOf(["created", "changed", "gone"]),
    changed_at: wire.datetime,
    // The record as it is now, in the field of its kind.
    subscription: wire.nullable(subscriptionRecord(wire)),
    customer: wire.nullable(customerRecord(wire)),
    product: wire.nullable(productRecord(wire)),
    payment: wire.nullable(paymentRecord(wire)),
    /** The subscription's changes that this entry announces, in order. */
    history: wire.list(subscriptionChange(wire)),
  });

/** GET /account/v1/changes/ */
export const [ChangePage, ReceivedChangePage] = defineSentAndReceived((wire) =>
  wire.object({ cursor: wire.id, has_more: wire.boolean, results: wire.list(change(wire)) }),
);
export type ChangePage = z.output<typeof ChangePage>;
export type RecordChange = ChangePage["results"][number];

/** The most seconds that a request can wait for a change. */
export const LONGEST_WAIT = 25;
const WHOLE_SECONDS = `Send a whole number of seconds, 0 to ${LONGEST_WAIT}.`;

/** The query of GET /account/v1/changes/. */
export const ChangeQuery = z.object({
  cursor: z
    .string()
    .min(1)
    .max(4_000, "This is not a cursor of the feed of changes.")
    .optional(),
  wait: z.coerce
    .number(WHOLE_SECONDS)
    .pipe(z.int(WHOLE_SECONDS).min(0, WHOLE_SECONDS).max(LONGEST_WAIT, WHOLE_SECONDS))
    .default(0),
  page_size: z.coerce.number().pipe(z.int().min(1).max(100)).default(100),
});
