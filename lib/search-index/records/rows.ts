import "server-only";
import type { Customer } from "#contract/customers.ts";
import type { Product } from "#contract/products.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { isDay } from "#lib/format/calendar.ts";
import { isDecimal } from "#lib/format/decimal.ts";
import { nextBilling } from "#lib/money/ended.ts";
import { foldText } from "#lib/text/fold-text.ts";
import { momentOf } from "#lib/format/format.ts";
import { phoneKey } from "#lib/text/phone.ts";
import { priceSteps, type PriceStep } from "#lib/money/price.ts";
import { searchTokens } from "#lib/text/search-text.ts";

/** Columns of every indexed row, beside the seller and the mode. */
interface Copied<Row> {
  id: string;
  /** Search tokens, matched by prefix: see searchTokens. */
  words: string[];
  /** The record as the API sent it. */
  record: Row;
  /** By the database's clock: before the API call, and after its answer. */
  asked_at: Date;
  read_at: Date;
}

/** A row of `mirror_subscription`. Moments that cannot be read are null, and so is such a price. */
export interface IndexedSubscription extends Copied<Subscription> {
  status: string;
  full_name: string;
  name_key: string;
  phone: string;
  /** See phoneKey; empty if there are too few digits. */
  phone_key: string;
  email: string;
  pan_vat: string | null;
  product_id: string;
  product_name: string;
  plan_name: string;
  pbp_id: string;
  label: string;
  /** A decimal text: the driver reads `numeric` as one. */
  price: string | null;
  currency: string;
  current_period_start: Date | null;
  current_period_end: Date | null;
  /** Null if it has ended, even if its record has a date. */
  next_billing_cycle: Date | null;
  created_at: Date | null;
}

/** A row of `mirror_customer`; its `id` is the number as text. */
export interface IndexedCustomer extends Copied<Customer> {
  phone_key: string;
  created_at: Date | null;
}

/** A row of `mirror_product`. */
export interface IndexedProduct extends Copied<Product> {
  price_steps: PriceStep[];
  created_at: Date | null;
}

/** Columns filled from a record, with moments as ISO texts; the database fills the rest. */
type Written<Row extends Copied<unknown>> = {
  [Name in Exclude<keyof Row, "asked_at" | "read_at">]: Date extends Row[Name]
    ? string | null
    : Row[Name];
};

export function subscriptionRow(record: Subscription): Written<IndexedSubscription> {
  const { client, product } = record;
  return {
    id: record.subscription_id,
    status: short(record.status),
    full_name: client.full_name,
    name_key: short(foldText(client.full_name)),
    phone: client.phone,
    phone_key: short(phoneKey(client.phone)),
    email: client.email,
    pan_vat: client.billing?.pan_vat || null,
    product_id: short(product.product_id),
    product_name: short(product.name),
    plan_name: short(product.plan_name),
    pbp_id: product.pbp_id,
    label: product.label,
    price: readPrice(product.price),
    currency: product.currency,
    current_period_start: readMoment(record.current_period_start),
    current_period_end: readMoment(record.current_period_end),
    next_billing_cycle: readMoment(nextBilling(record)),
    created_at: readMoment(record.created_at),
    words: searchTokens({
      names: [client.full_name, client.billing?.business_name, client.shipping?.full_name],
      phones: [client.phone, client.shipping?.phone],
      words: [
        client.email,
        client.billing?.email,
        client.billing?.pan_vat,
        record.subscription_id,
        product.name,
        product.plan_name,
      ],
    }),
    record,
  };
}

export function customerRow(record: Customer): Written<IndexedCustomer> {
  const { full_name, buyer_phone, buyer_email } = record;
  return {
    id: String(record.id),
    phone_key: short(phoneKey(buyer_phone)),
    created_at: readMoment(record.created_at),
    words: searchTokens({
      names: [full_name],
      phones: [buyer_phone],
      words: [buyer_email, String(record.id)],
    }),
    record,
  };
}

export function productRow(record: Product): Written<IndexedProduct> {
  return {
    id: record.product_id,
    price_steps: priceSteps(record),
    created_at: readMoment(record.created_at),
    words: searchTokens({
      names: [record.name],
      phones: [],
      words: [record.product_id, ...record.plan.map(({ plan_name }) => plan_name)],
    }),
    record,
  };
}

const LONGEST_KEY = 200;

/** Cuts to the maximum length of an index key; the record keeps the whole text. */
const short = (text: string) => text.slice(0, LONGEST_KEY);

/** ISO; null unless a moment of the years 1 to 9999. */
function readMoment(text: string | null): string | null {
  if (text === null) return null;
  const time = isDay(text) ? Date.parse(text) : momentOf(text);
  if (time === null) return null;
  const moment = new Date(time);
  const year = moment.getUTCFullYear();
  return year >= 1 && year <= 9_999 ? moment.toISOString() : null;
}

const readPrice = (text: string) => (text.length <= 30 && isDecimal(text) ? text : null);
