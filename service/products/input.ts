import { randomBytes } from "node:crypto";
import * as z from "zod";
import { Version } from "#contract/account.ts";
import { isPlainText } from "#contract/field-messages.ts";
import { INTERVAL_TYPES } from "#contract/names.ts";
import { VAT_TYPES } from "#contract/products.ts";
import { MAX_LENGTHS } from "#contract/subscriptions.ts";

const text = (limit: number) =>
  z
    .string()
    .trim()
    .max(limit)
    .refine(isPlainText, "remove the characters that cannot be displayed");
const name = text(MAX_LENGTHS.name).min(1, "may not be blank");
const money = z
  .string({ error: "write the amount as text" })
  .regex(/^-?\d+(\.\d+)?$/, { error: 'write an amount such as "1299.00"', abort: true })
  .regex(/^\d/, { error: "an amount is not negative", abort: true })
  .regex(/^\d+(\.\d{1,2})?$/, { error: "use at most two decimals", abort: true })
  .regex(/^\d{1,12}(\.|$)/, "use at most twelve digits before the point");
const price = money.refine((text) => Number(text) > 0, "a price is more than 0");

// PostgreSQL has no year 0.
const Day = z.iso.date().refine((text) => text >= "0001", "choose a later day");

const images = z.array(z.url({ protocol: /^https?$/, error: "not a web address" })).max(20);

const offer = z
  .strictObject({
    discount_amount: money,
    starts_at: Day,
    valid_until: Day,
    is_active: z.boolean().optional(),
  })
  .refine((one) => one.starts_at <= one.valid_until, "valid_until lies before starts_at");

const vat = z.strictObject({
  is_vat_active: z.boolean(),
  vat_type: z.enum(VAT_TYPES),
  vat_percentage: money.refine((rate) => Number(rate) <= 100, "100 at most"),
});

export const newPeriodId = () => `pbp_${randomBytes(8).toString("hex")}`;

const PeriodId = z
  .string()
  .regex(/^[\w.-]{1,100}$/, "use letters, digits, dots, dashes and underscores");

const period = {
  pbp_id: PeriodId.optional().transform((given) => given ?? newPeriodId()),
  interval_type: z.enum(INTERVAL_TYPES),
  interval_count: z.int().min(1).max(1_000),
  label: name,
  price,
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "three capital letters")
    .optional(),
  is_current: z.boolean().optional(),
  is_limited: z.boolean().optional(),
  is_archived: z.boolean().optional(),
  offers: z.array(offer).max(50).default([]),
};

const NewPeriod = z.strictObject(period);
const NewPlan = z.strictObject({
  plan_name: name,
  description: text(5_000).default(""),
  billing_periods: z.array(NewPeriod).min(1).max(50),
});

const product = {
  name,
  description: text(5_000).default(""),
  terms_and_conditions: text(20_000).default(""),
  features_and_benefits: text(20_000).default(""),
  is_active: z.boolean().optional(),
  vat: vat.default({ is_vat_active: false, vat_type: "inclusive", vat_percentage: "0" }),
  images: images.default([]),
};

export const NewProduct = z.strictObject({
  ...product,
  plans: z.array(NewPlan).min(1).max(50),
});
export type NewProduct = z.output<typeof NewProduct>;

const PeriodChange = z
  .strictObject({
    label: name,
    price,
    currency: z.string().regex(/^[A-Z]{3}$/, "three capital letters"),
    is_current: z.boolean(),
    is_limited: z.boolean(),
    is_archived: z.boolean(),
    offers: z.array(offer).max(50),
  })
  .partial()
  .extend({ pbp_id: PeriodId });
export type PeriodChange = z.output<typeof PeriodChange>;

const PlanChange = z.strictObject({
  plan_id: z.uuid(),
  plan_name: name.optional(),
  description: text(5_000).optional(),
  billing_periods: z.array(PeriodChange).max(100).default([]),
  new_billing_periods: z.array(NewPeriod).max(50).default([]),
  /** Periods in display order; those not named keep their order after them. */
  period_order: z.array(PeriodId).max(1_000).optional(),
});
export type PlanChange = z.output<typeof PlanChange>;

/** Input of edit-product; omitted parts stay, and only images and offers are ever removed. */
export const ProductChange = z.strictObject({
  name: name.optional(),
  description: text(5_000).optional(),
  terms_and_conditions: text(20_000).optional(),
  features_and_benefits: text(20_000).optional(),
  is_active: z.boolean().optional(),
  vat: vat.optional(),
  images: images.optional(),
  plans: z.array(PlanChange).max(50).default([]),
  new_plans: z.array(NewPlan).max(50).default([]),
  /** Plans in display order; those not named keep their order after them. */
  plan_order: z.array(z.uuid()).max(1_000).optional(),
});
export type ProductChange = z.output<typeof ProductChange>;

/** Body of POST /account/v1/products/. */
export const CreateProduct = NewProduct;

/** Body of PATCH /account/v1/products/{id}/; omitted parts stay unchanged. */
export const ChangeProduct = ProductChange.extend({ version: Version });
