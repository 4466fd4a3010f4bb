import * as z from "zod";
import { FIELD_MESSAGES, isPlainText, isWebAddress, tooLongMessage } from "./field-messages.ts";
import { SUBSCRIPTION_STATUSES } from "./names.ts";
import { defineSentAndReceived, pageEnvelope, type OpenEnum, type WireTypes } from "./wire.ts";

export const SubscriptionId = z.guid("Use a subscription's id.");

export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];
export type ReceivedStatus = OpenEnum<SubscriptionStatus>;

export const isSubscriptionStatus = (value: string): value is SubscriptionStatus =>
  (SUBSCRIPTION_STATUSES as readonly string[]).includes(value);

const client = (wire: WireTypes) =>
  wire.object({
    phone: wire.text,
    full_name: wire.text,
    email: wire.text,
    address: wire.text,
    billing: wire.nullable(
      wire.object({
        business_name: wire.text,
        email: wire.text,
        address: wire.text,
        pan_vat: wire.text,
      }),
    ),
    shipping: wire.nullable(
      wire.object({
        phone: wire.text,
        full_name: wire.text,
        email: wire.text,
        address: wire.text,
      }),
    ),
  });

export const subscriptionRecord = (wire: WireTypes) =>
  wire.object({
    subscription_id: wire.id,
    status: wire.oneOf(SUBSCRIPTION_STATUSES),
    is_active: wire.boolean,
    client: client(wire),
    product: wire.object({
      product_id: wire.text,
      name: wire.text,
      plan_name: wire.text,
      pbp_id: wire.text,
      label: wire.text,
      price: wire.decimal,
      currency: wire.text,
    }),
    current_period_start: wire.nullable(wire.datetime),
    current_period_end: wire.nullable(wire.datetime),
    next_billing_cycle: wire.nullable(wire.datetime),
    created_at: wire.datetime,
  });

export const [Subscription, ReceivedSubscription] = defineSentAndReceived(subscriptionRecord);
export type Subscription = z.output<typeof Subscription>;

export const [SubscriptionPage, ReceivedSubscriptionPage] = defineSentAndReceived((wire) =>
  wire.object({
    ...pageEnvelope(wire, subscriptionRecord(wire)),
    total_subscriptions: wire.count,
    active_subscriptions: wire.count,
    due_subscriptions: wire.count,
    inactive_subscriptions: wire.count,
  }),
);
export type SubscriptionPage = z.output<typeof SubscriptionPage>;

export const [CreatedSubscription, ReceivedCreatedSubscription] = defineSentAndReceived(
  (wire) =>
    wire.object({
      subscription_id: wire.id,
      pbp_id: wire.text,
      status: wire.oneOf(SUBSCRIPTION_STATUSES),
      checkout_url: wire.url,
      next_billing_cycle: wire.nullable(wire.datetime),
      created_at: wire.datetime,
    }),
);
export type CreatedSubscription = z.output<typeof CreatedSubscription>;

// Cancel, resume and reschedule return only a message; the client reads the subscription again.
export const [Message, ReceivedMessage] = defineSentAndReceived((wire) =>
  wire.object({ message: wire.text }),
);
export type Message = z.output<typeof Message>;

/** Longest text accepted for each kind of field, in characters. */
export const MAX_LENGTHS = {
  name: 200,
  phone: 32,
  email: 254,
  address: 500,
  url: 2000,
  id: 100,
};

const line = (limit: number) =>
  z
    .string({
      error: (issue) => (issue.input == null ? FIELD_MESSAGES.required : "Send text."),
    })
    .trim()
    .min(1, { error: FIELD_MESSAGES.blank, abort: true })
    .max(limit, tooLongMessage(limit))
    .refine(isPlainText, { error: FIELD_MESSAGES.hidden });

const PhoneNumber = line(MAX_LENGTHS.phone).refine(
  (text) => /^[+\d\s().-]+$/.test(text) && /^\d{7,15}$/.test(text.replace(/\D/g, "")),
  { error: FIELD_MESSAGES.phone },
);

const EmailAddress = line(MAX_LENGTHS.email).pipe(z.email(FIELD_MESSAGES.email));

const createSubscription = (limits: typeof MAX_LENGTHS) =>
  z.object({
    pbp_id: line(limits.id),
    return_url: line(limits.url).refine(isWebAddress, { error: FIELD_MESSAGES.url }),
    client: z.object(
      {
        phone: PhoneNumber,
        full_name: line(limits.name),
        email: EmailAddress,
        address: line(limits.address),
        billing: z
          .object(
            {
              billing_business_name: line(limits.name),
              billing_email: EmailAddress,
              billing_address: line(limits.address),
              billing_pan_vat: z
                .string({ error: "Send the number as text." })
                .regex(/^\d{9}$/, FIELD_MESSAGES.panVat)
                .nullish(),
            },
            { error: "Send an object." },
          )
          .nullish(),
        shipping: z
          .object(
            {
              phone: PhoneNumber,
              full_name: line(limits.name),
              email: EmailAddress,
              address: line(limits.address).nullish(),
            },
            { error: "Send an object." },
          )
          .nullish(),
      },
      { error: (issue) => (issue.input == null ? FIELD_MESSAGES.required : "Send an object.") },
    ),
  });

/** Body of POST /api/v1/subscriptions/; null in an optional field means "not given". */
export const CreateSubscription = createSubscription(MAX_LENGTHS);
/**
 * The rules that the dashboard enforces; each billing service sets its own limits for the length of
 * names and addresses.
 */
export const LenientCreateSubscription = createSubscription({
  ...MAX_LENGTHS,
  name: 2_000,
  address: 2_000,
});
export type CreateSubscription = z.output<typeof CreateSubscription>;

const SentDate = z
  .string({
    error: (issue) => (issue.input == null ? FIELD_MESSAGES.required : "Send a date as text."),
  })
  .pipe(z.iso.date("Enter a date as YYYY-MM-DD."));

/** Body of POST /api/v1/subscriptions/update-billing-cycle/; the handler rejects past dates. */
export const RescheduleSubscription = z.object({
  subscription_id: line(MAX_LENGTHS.id),
  next_billing_cycle: SentDate,
});
export type RescheduleSubscription = z.output<typeof RescheduleSubscription>;

/** Most days between today and a `paid_until`, before and after. */
export const MAX_TAKEN_OVER_DAYS = 3_650;

/** Body of POST /account/v1/subscriptions/; the handler rejects dates that are too far away. */
export const TakeOverSubscription = CreateSubscription.extend({
  /** The last day of what the buyer paid elsewhere, which becomes the billing date. */
  paid_until: SentDate,
});
export type TakeOverSubscription = z.output<typeof TakeOverSubscription>;
