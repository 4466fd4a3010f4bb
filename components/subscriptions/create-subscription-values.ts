import type * as z from "zod";
import type { CreateSubscription } from "#contract/subscriptions.ts";

/** What the form holds: the request as it is typed, before it is checked. */
export type CreateSubscriptionValues = z.input<typeof CreateSubscription>;

/** Every field that an error can belong to, in the order of the page. */
export const FIELD_LABELS = {
  pbp_id: "Billing period",
  "client.phone": "Phone",
  "client.full_name": "Full name",
  "client.email": "Email",
  "client.address": "Address",
  "client.billing.billing_business_name": "Business name",
  "client.billing.billing_pan_vat": "PAN/VAT number",
  "client.billing.billing_email": "Billing email",
  "client.billing.billing_address": "Billing address",
  "client.shipping.full_name": "Shipping name",
  "client.shipping.phone": "Shipping phone",
  "client.shipping.email": "Shipping email",
  "client.shipping.address": "Shipping address",
  return_url: "Return address",
} as const;

export type FieldPath = keyof typeof FIELD_LABELS;

export const FIELD_PATHS = Object.keys(FIELD_LABELS) as FieldPath[];

export const isFieldPath = (path: string): path is FieldPath =>
  Object.hasOwn(FIELD_LABELS, path);
