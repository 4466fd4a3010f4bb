import type * as z from "zod";
import type { CreateSubscription } from "#contract/subscriptions.ts";
import { asciiDigits } from "#lib/text/fold-text.ts";

export type CreateSubscriptionValues = z.input<typeof CreateSubscription>;

/** The paths of all fields, in the order of the page. */
export const FIELD_PATHS = [
  "pbp_id",
  "client.phone",
  "client.full_name",
  "client.email",
  "client.address",
  "client.billing.billing_business_name",
  "client.billing.billing_pan_vat",
  "client.billing.billing_email",
  "client.billing.billing_address",
  "client.shipping.full_name",
  "client.shipping.phone",
  "client.shipping.email",
  "client.shipping.address",
  "return_url",
] as const;

export type FieldPath = (typeof FIELD_PATHS)[number];

export const isFieldPath = (path: string): path is FieldPath =>
  FIELD_PATHS.some((known) => known === path);

/** The parts of the form that are closed at first, and their values when opened. */
export const OPTIONAL_SECTIONS = {
  "client.billing": {
    billing_business_name: "",
    billing_pan_vat: null,
    billing_email: "",
    billing_address: "",
  },
  "client.shipping": { full_name: "", phone: "", email: "", address: null },
} as const;

export type OptionalSection = keyof typeof OPTIONAL_SECTIONS;

/** The foldable part of a field; null if the field is always visible. */
export const optionalSectionOf = (path: string): OptionalSection | null =>
  (Object.keys(OPTIONAL_SECTIONS) as OptionalSection[]).find((fold) =>
    path.startsWith(`${fold}.`),
  ) ?? null;

export const readPhone = (text: string | null) => text && asciiDigits(text);

/** Reads a PAN or VAT number; text, because a PAN can start with zeros. Null if empty. */
export const readPanVat = (text: string | null) =>
  text ? asciiDigits(text).replace(/[\s-]/g, "") || null : null;
