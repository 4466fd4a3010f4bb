import type * as z from "zod";
import type { CreateSubscription } from "#contract/subscriptions.ts";
import { asciiDigits } from "#lib/text/fold-text.ts";

/** What the form holds: the request as it is typed, before it is checked. */
export type CreateSubscriptionValues = z.input<typeof CreateSubscription>;

/** Every field that an error can belong to, in the order of the page. */
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

/** What is folded away until it is wanted, and what it holds when it is unfolded. */
export const FOLDED = {
  "client.billing": {
    billing_business_name: "",
    billing_pan_vat: null,
    billing_email: "",
    billing_address: "",
  },
  "client.shipping": { full_name: "", phone: "", email: "", address: null },
} as const;

export type FoldedPath = keyof typeof FOLDED;

/** The folded part that a field is in; null for those that are always there. */
export const foldOf = (path: string): FoldedPath | null =>
  (Object.keys(FOLDED) as FoldedPath[]).find((fold) => path.startsWith(`${fold}.`)) ?? null;

/** As it is typed or pasted: Devanagari digits count as digits. */
export const readPhone = (text: string | null) => text && asciiDigits(text);

/** Text of digits, so that zeros at its front stay; null for an empty one. */
export const readPanVat = (text: string | null) =>
  text ? asciiDigits(text).replace(/[\s-]/g, "") || null : null;
