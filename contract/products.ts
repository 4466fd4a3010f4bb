import * as z from "zod";
import { FIELD_MESSAGES } from "./field-messages.ts";
import { INTERVAL_TYPES, SHARED_LINK_CHANGES, SHARED_LINK_PROBLEMS } from "./names.ts";
import { defineSentAndReceived, pageEnvelope, strictTypes, type WireTypes } from "./wire.ts";

const PRODUCT_TYPES = ["simple"] as const;
export const VAT_TYPES = ["inclusive", "exclusive"] as const;

const offer = (wire: WireTypes) =>
  wire.object({
    id: wire.id,
    discount_amount: wire.number,
    starts_at: wire.date,
    valid_until: wire.date,
    is_active: wire.boolean,
  });

export const billingPeriodFields = (wire: WireTypes) => ({
  pbp_id: wire.id,
  interval_type: wire.oneOf(INTERVAL_TYPES),
  interval_count: wire.integer,
  label: wire.text,
  price: wire.decimal,
  currency: wire.text,
  is_current: wire.visible,
  is_limited: wire.boolean,
  is_archived: wire.boolean,
  offers: wire.list(offer(wire)),
});

const planFields = (wire: WireTypes) => ({
  plan_id: wire.id,
  plan_name: wire.text,
  description: wire.text,
});

export const vatFields = (wire: WireTypes) => ({
  is_vat_active: wire.boolean,
  vat_type: wire.oneOf(VAT_TYPES),
  vat_percentage: wire.number,
});

/** A product's own fields; its plans contain billing periods of that schema. */
export const productFields = <Period extends z.ZodType>(wire: WireTypes, period: Period) => ({
  product_id: wire.id,
  name: wire.text,
  description: wire.text,
  type: wire.oneOf(PRODUCT_TYPES),
  is_active: wire.visible,
  terms_and_conditions: wire.text,
  features_and_benefits: wire.text,
  vat: wire.object(vatFields(wire)),
  product_image: wire.list(wire.object({ image: wire.url, image_order: wire.integer })),
  plan: wire.list(wire.object({ ...planFields(wire), billing_periods: wire.list(period) })),
  total_subscribers: wire.text,
  created_at: wire.datetime,
  updated_at: wire.datetime,
});

export const productRecord = (wire: WireTypes) =>
  wire.object(productFields(wire, wire.object(billingPeriodFields(wire))));

export const Product = productRecord(strictTypes);
export type Product = z.output<typeof Product>;
export type Plan = Product["plan"][number];
export type BillingPeriod = Plan["billing_periods"][number];
export type Offer = BillingPeriod["offers"][number];

export const [ProductPage, ReceivedProductPage] = defineSentAndReceived((wire) =>
  wire.object(pageEnvelope(wire, productRecord(wire))),
);
export type ProductPage = z.output<typeof ProductPage>;

const sharedLink = (wire: WireTypes) =>
  wire.object({
    pbp_id: wire.id,
    /** Where new buyers order the billing period; anybody who knows the address can. */
    address: wire.url,
    is_active: wire.boolean,
    created_at: wire.datetime,
    /** How many subscriptions were ordered there. */
    subscriptions: wire.integer,
    /** How many of these subscriptions were paid. */
    paid: wire.integer,
    /** The latest of these subscriptions, newest first. */
    newest: wire.list(
      wire.object({
        subscription_id: wire.id,
        full_name: wire.text,
        ordered_at: wire.datetime,
        is_paid: wire.boolean,
      }),
    ),
  });

export const [SharedLink, ReceivedSharedLink] = defineSentAndReceived(sharedLink);
export type SharedLink = z.output<typeof SharedLink>;

export const [SharedLinkList, ReceivedSharedLinkList] = defineSentAndReceived((wire) =>
  wire.object({
    /** Why nobody can order at the moment; null if they can. */
    problem: wire.nullable(wire.oneOf(SHARED_LINK_PROBLEMS)),
    results: wire.list(sharedLink(wire)),
  }),
);
export type SharedLinkList = z.output<typeof SharedLinkList>;

/** Body of POST /account/v1/products/{id}/shared-links/. */
export const ChangeSharedLink = z.strictObject({
  pbp_id: z
    .string("Send the pbp_id of a billing period.")
    .min(1)
    .max(100)
    // PostgreSQL cannot store NUL.
    .regex(/^\P{Cc}*$/u, FIELD_MESSAGES.hidden),
  change: z.enum(SHARED_LINK_CHANGES, `Use one of ${SHARED_LINK_CHANGES.join(", ")}.`),
});
export type ChangeSharedLink = z.output<typeof ChangeSharedLink>;
