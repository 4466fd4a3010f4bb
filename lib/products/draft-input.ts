import "server-only";
import { randomBytes } from "node:crypto";
import * as z from "zod";
import type { AccountProduct } from "#contract/account.ts";
import { isPlainText } from "#contract/field-messages.ts";
import { INTERVAL_TYPES } from "#contract/names.ts";
import { MAX_LENGTHS } from "#contract/subscriptions.ts";
import { isSameDecimal } from "#lib/format/decimal.ts";
import { message } from "#lib/i18n/message.ts";
import {
  amountProblem,
  draftOf,
  isSameOffers,
  isSameVat,
  MOST_PERIODS_ON_SALE,
  VAT_CHOICES,
  vatOf,
  type OfferDraft,
  type PeriodDraft,
  type PlanDraft,
  type ProductDraft,
} from "./draft.ts";

const text = (limit: number) =>
  z
    .string()
    .trim()
    .max(limit, message("products.form.problem.long", { count: limit }))
    .refine(isPlainText, message("fields.hidden"));
const name = text(MAX_LENGTHS.name).min(1, message("products.form.problem.missing"));

const amount = z
  .string()
  .trim()
  .superRefine((given, context) => {
    const problem = amountProblem(given);
    if (problem)
      context.addIssue({ code: "custom", message: message(`products.form.amount.${problem}`) });
  });

const NO_RATE = message("products.form.problem.rate");
const rate = z
  .string()
  .trim()
  .regex(/^\d{1,3}(\.\d{1,2})?$/, { error: NO_RATE, abort: true })
  .refine((given) => Number(given) > 0 && Number(given) <= 100, NO_RATE);

const NO_COUNT = message("products.form.problem.count");
const count = z
  .string()
  .trim()
  .regex(/^\d{1,4}$/, { error: NO_COUNT, abort: true })
  .refine((given) => Number(given) >= 1 && Number(given) <= 1_000, NO_COUNT);

const day = z.iso
  .date(message("products.form.problem.day"))
  .refine((given) => given >= "0001", message("products.form.problem.day"));

const Offer = z
  .object({ key: z.string(), discount_amount: amount, starts_at: day, valid_until: day })
  .refine(({ starts_at, valid_until }) => starts_at <= valid_until, {
    error: message("products.form.problem.days"),
    path: ["valid_until"],
  });

const Period = z
  .object({
    key: z.string(),
    pbp_id: z.string().nullable(),
    label: name,
    interval_type: z.enum(INTERVAL_TYPES),
    interval_count: z.string(),
    price: amount,
    currency: z.string().regex(/^[A-Z]{3}$/),
    is_archived: z.boolean(),
    is_current: z.boolean(),
    offers: z.array(Offer).max(50, message("products.form.problem.many", { count: 50 })),
  })
  .superRefine((period, context) => {
    if (period.interval_type === "one_time") return;
    if (!count.safeParse(period.interval_count).success)
      context.addIssue({ code: "custom", message: NO_COUNT, path: ["interval_count"] });
  });

const Plan = z.object({
  key: z.string(),
  plan_id: z.string().nullable(),
  plan_name: name,
  description: text(5_000),
  // Every new price archives a period, so the number of archived periods has no limit.
  periods: z
    .array(Period)
    .refine(
      (periods) =>
        periods.filter(({ is_archived }) => !is_archived).length <= MOST_PERIODS_ON_SALE,
      message("products.form.period.most", { count: MOST_PERIODS_ON_SALE }),
    ),
});

/** The form's values; the messages are those of `products.form`. */
export const ProductInput = z
  .object({
    name,
    description: text(5_000),
    features_and_benefits: text(20_000),
    terms_and_conditions: text(20_000),
    images: z.array(z.url()).max(20),
    vat: z.enum(VAT_CHOICES),
    vat_percentage: z.string(),
    plans: z
      .array(Plan)
      .min(1)
      .max(50, message("products.form.problem.many", { count: 50 })),
  })
  .superRefine((product, context) => {
    if (product.vat === "none" || rate.safeParse(product.vat_percentage).success) return;
    context.addIssue({ code: "custom", message: NO_RATE, path: ["vat_percentage"] });
  });

/** The body that adds a product. */
export const newProductOf = (draft: ProductDraft) => ({
  ...textsOf(draft),
  images: draft.images,
  vat: vatOf(draft),
  plans: draft.plans.map(newPlanOf),
});

const textsOf = ({
  name: product_name,
  description,
  features_and_benefits,
  terms_and_conditions,
}: ProductDraft) => ({
  name: product_name,
  description,
  features_and_benefits,
  terms_and_conditions,
});

const newPlanOf = ({ plan_name, description, periods }: PlanDraft) => ({
  plan_name,
  description,
  billing_periods: periods.map(newPeriodOf),
});

const newPeriodOf = ({ interval_type, interval_count, ...period }: PeriodDraft) => ({
  interval_type,
  interval_count: interval_type === "one_time" ? 1 : Number(interval_count),
  label: period.label,
  price: period.price,
  currency: period.currency,
  is_archived: period.is_archived,
  offers: period.offers.map(offerOf),
});

const offerOf = ({ discount_amount, starts_at, valid_until }: OfferDraft) => ({
  discount_amount,
  starts_at,
  valid_until,
});

/** The body that changes a saved product into the form's values; unchanged periods are left out. */
export function productChangeOf(saved: AccountProduct, draft: ProductDraft) {
  const before = draftOf(saved);
  const plans = draft.plans.filter(({ plan_id }) => plan_id !== null);
  return {
    version: saved.version,
    ...textsOf(draft),
    ...(before.images.join() !== draft.images.join() && { images: draft.images }),
    ...(!isSameVat(before, draft) && { vat: vatOf(draft) }),
    plans: plans.map((plan) =>
      planChangeOf(
        before.plans.find(({ plan_id }) => plan_id === plan.plan_id),
        plan,
      ),
    ),
    new_plans: draft.plans.filter(({ plan_id }) => plan_id === null).map(newPlanOf),
    plan_order: plans.map(({ plan_id }) => plan_id ?? ""),
  };
}

function planChangeOf(before: PlanDraft | undefined, plan: PlanDraft) {
  const known = new Map(before?.periods.map((period) => [period.pbp_id, period]));
  // New periods get their ids here, so that the order can name them.
  const periods = plan.periods.map((period) => ({ ...period, id: period.pbp_id ?? newId() }));
  return {
    plan_id: plan.plan_id ?? "",
    plan_name: plan.plan_name,
    description: plan.description,
    billing_periods: periods.flatMap((period) => {
      if (period.pbp_id === null) return [];
      const change = periodChangeOf(known.get(period.pbp_id), period);
      return Object.keys(change).length > 0 ? [{ pbp_id: period.pbp_id, ...change }] : [];
    }),
    new_billing_periods: periods
      .filter(({ pbp_id }) => pbp_id === null)
      .map((period) => ({ pbp_id: period.id, ...newPeriodOf(period) })),
    // Periods beyond the limit keep their order.
    period_order: periods.map(({ id }) => id).slice(0, 1_000),
  };
}

const newId = () => `pbp_${randomBytes(8).toString("hex")}`;

function periodChangeOf(before: PeriodDraft | undefined, period: PeriodDraft) {
  const isPriced = !period.is_archived;
  return {
    ...(before?.label !== period.label && { label: period.label }),
    ...(before?.is_archived !== period.is_archived && { is_archived: period.is_archived }),
    ...(isPriced &&
      !(before && isSameDecimal(before.price, period.price)) && { price: period.price }),
    ...(isPriced &&
      !isSameOffers(before?.offers ?? [], period.offers) && {
        offers: period.offers.map(offerOf),
      }),
  };
}
