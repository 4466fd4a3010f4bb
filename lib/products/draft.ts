import type { AccountProduct } from "#contract/account.ts";
import { INTERVAL_TYPES } from "#contract/names.ts";
import type { BillingPeriod } from "#contract/products.ts";
import { isSameDecimal } from "#lib/format/decimal.ts";

/** A product as its form holds it: the values are the typed texts. */
export interface ProductDraft {
  name: string;
  description: string;
  features_and_benefits: string;
  terms_and_conditions: string;
  /** Addresses in display order. */
  images: string[];
  vat: VatChoice;
  /** Percent; not used without VAT. */
  vat_percentage: string;
  /** In display order. */
  plans: PlanDraft[];
}

export const VAT_CHOICES = ["none", "inclusive", "exclusive"] as const;
type VatChoice = (typeof VAT_CHOICES)[number];

export interface PlanDraft {
  /** Identifies it within the form. */
  key: string;
  /** Null for one that is not saved yet. */
  plan_id: string | null;
  plan_name: string;
  description: string;
  /** In display order. */
  periods: PeriodDraft[];
}

/** Billing periods that a plan can have on sale; archived ones do not count. */
export const MOST_PERIODS_ON_SALE = 50;

export const isPlanFull = ({ periods }: Pick<PlanDraft, "periods">) =>
  periods.filter(({ is_archived }) => !is_archived).length >= MOST_PERIODS_ON_SALE;

export interface PeriodDraft {
  key: string;
  /** Null for one that is not saved yet. */
  pbp_id: string | null;
  label: string;
  interval_type: IntervalType;
  interval_count: string;
  price: string;
  currency: string;
  is_archived: boolean;
  /** False for a period that is not sold although it is not archived. */
  is_current: boolean;
  offers: OfferDraft[];
}

export type IntervalType = (typeof INTERVAL_TYPES)[number];

export interface OfferDraft {
  key: string;
  discount_amount: string;
  /** Days of the seller, YYYY-MM-DD; both are included. */
  starts_at: string;
  valid_until: string;
}

/** Facts about a saved product that the form does not edit. */
export interface SavedProduct {
  isOnSale: boolean;
  /** The number of subscribers by pbp_id. */
  subscribers: ReadonlyMap<string, number>;
}

/** Images that a product can have. */
export const MOST_IMAGES = 8;

/** The standard rate in Nepal, in percent. */
const USUAL_VAT = "13";

const newKey = () => Math.random().toString(36).slice(2);

export const emptyOffer = (today: string): OfferDraft => ({
  key: newKey(),
  discount_amount: "",
  starts_at: today,
  valid_until: "",
});

export const emptyPeriod = (currency: string, key = newKey()): PeriodDraft => ({
  key,
  pbp_id: null,
  label: "",
  interval_type: "month",
  interval_count: "1",
  price: "",
  currency,
  is_archived: false,
  is_current: true,
  offers: [],
});

export const emptyPlan = (currency: string, key = newKey()): PlanDraft => ({
  key,
  plan_id: null,
  plan_name: "",
  description: "",
  periods: [emptyPeriod(currency, key)],
});

/** The keys are fixed, so that server and browser render the same form. */
export const emptyProduct = (currency: string): ProductDraft => ({
  name: "",
  description: "",
  features_and_benefits: "",
  terms_and_conditions: "",
  images: [],
  vat: "none",
  vat_percentage: USUAL_VAT,
  plans: [emptyPlan(currency, "first")],
});

/** The form's values of a saved product. */
export function draftOf(product: AccountProduct): ProductDraft {
  const { vat } = product;
  return {
    name: product.name,
    description: product.description,
    features_and_benefits: product.features_and_benefits,
    terms_and_conditions: product.terms_and_conditions,
    images: product.product_image
      .toSorted((one, other) => one.image_order - other.image_order)
      .map(({ image }) => image),
    vat: !vat.is_vat_active ? "none" : vat.vat_type === "exclusive" ? "exclusive" : "inclusive",
    vat_percentage: vat.is_vat_active ? String(vat.vat_percentage) : USUAL_VAT,
    plans: product.plan.map(({ plan_id, plan_name, description, billing_periods }) => ({
      key: plan_id,
      plan_id,
      plan_name,
      description,
      periods: billing_periods.map((period) => ({
        key: period.pbp_id,
        pbp_id: period.pbp_id,
        label: period.label,
        interval_type:
          INTERVAL_TYPES.find((type) => type === period.interval_type) ?? "one_time",
        interval_count: String(period.interval_count),
        price: period.price,
        currency: period.currency,
        is_archived: period.is_archived,
        is_current: period.is_current,
        offers: period.offers
          .filter(({ is_active }) => is_active)
          .map(({ id, discount_amount, starts_at, valid_until }) => ({
            key: id,
            discount_amount: String(discount_amount),
            starts_at: starts_at.slice(0, 10),
            valid_until: valid_until.slice(0, 10),
          })),
      })),
    })),
  };
}

const AMOUNT_PROBLEMS = [
  ["missing", /^$/],
  ["negative", /^[-−–]/],
  ["comma", /^[\d.]*,/],
  ["digits", /[^\P{Nd}0-9]/u],
  ["format", /^(?!\d+(?:\.\d+)?$)/],
  ["decimals", /\.\d{3}/],
  ["large", /^\d{13}/],
  ["zero", /^0+(?:\.0+)?$/],
] as const;
type AmountProblem = (typeof AMOUNT_PROBLEMS)[number][0];

/** Why the catalogue refuses a typed price; null if it accepts it. */
export const amountProblem = (text: string): AmountProblem | null =>
  AMOUNT_PROBLEMS.find(([, pattern]) => pattern.test(text.trim()))?.[0] ?? null;

/** The form's VAT in the API's format. */
export const vatOf = ({ vat, vat_percentage }: Pick<ProductDraft, "vat" | "vat_percentage">) =>
  vat === "none"
    ? { is_vat_active: false, vat_type: "inclusive" as const, vat_percentage: "0" }
    : { is_vat_active: true, vat_type: vat, vat_percentage: vat_percentage.trim() };

export const isSameVat = (one: ProductDraft, other: ProductDraft) =>
  one.vat === other.vat &&
  (one.vat === "none" || isSameDecimal(one.vat_percentage, other.vat_percentage));

export const isSameOffers = (some: readonly OfferDraft[], others: readonly OfferDraft[]) =>
  some.length === others.length &&
  some.every((one, at) => {
    const other = others[at];
    return (
      other !== undefined &&
      isSameDecimal(one.discount_amount, other.discount_amount) &&
      one.starts_at === other.starts_at &&
      one.valid_until === other.valid_until
    );
  });

/** A typed period as the API would list it, without offers that are not complete yet. */
export const listedPeriodOf = (period: PeriodDraft): BillingPeriod => ({
  pbp_id: period.pbp_id ?? period.key,
  interval_type: period.interval_type,
  interval_count: Number(period.interval_count) || 1,
  label: period.label,
  price: period.price.trim(),
  currency: period.currency,
  is_current: period.is_current,
  is_limited: false,
  is_archived: period.is_archived,
  offers: period.offers
    .filter(
      ({ discount_amount, starts_at, valid_until }) =>
        amountProblem(discount_amount) === null && starts_at !== "" && starts_at <= valid_until,
    )
    .map(({ key, discount_amount, starts_at, valid_until }) => ({
      id: key,
      discount_amount: Number(discount_amount),
      starts_at,
      valid_until,
      is_active: true,
    })),
});

/** The item moved by one place; the unchanged list if there is no such place. */
export function movedBy<Item>(items: readonly Item[], index: number, step: -1 | 1): Item[] {
  const moved = items.filter((_, at) => at !== index);
  const item = items[index];
  const place = index + step;
  if (item === undefined || place < 0 || place >= items.length) return [...items];
  return moved.toSpliced(place, 0, item);
}
