import "server-only";
import type { PastChange } from "#contract/changes.ts";
import type { Customer } from "#contract/customers.ts";
import type { AccountPayment } from "#contract/payments.ts";
import type { Product } from "#contract/products.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { withFeed } from "#lib/billing/change-client.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import type { ListName } from "#lib/billing/observe.ts";
import type { Paging } from "#lib/list-answer.ts";
import { isDay } from "#lib/format/calendar.ts";
import { isDecimal } from "#lib/format/decimal.ts";
import { nextBilling } from "#lib/money/payable.ts";
import { foldText } from "#lib/text/fold-text.ts";
import { parseIsoMoment } from "#lib/format/format.ts";
import { phoneKey } from "#contract/phone-number.ts";
import { priceSteps } from "#lib/money/price.ts";
import { searchTokens } from "#lib/text/search-text.ts";

/** The lists in the order in which the index fills: short lists first. */
export const LISTS_IN_FILL_ORDER = [
  "products",
  "customers",
  "subscriptions",
] as const satisfies ListName[];

/** Lists whose records can be read one by one. */
export type SingleList = Exclude<ListName, "products">;

/** The API calls that read lists and records. */
export type ListApi = Pick<
  BillingClient,
  "listProducts" | "listCustomers" | "listSubscriptions" | "getCustomer" | "getSubscription"
>;

/** The API calls that the sync uses. */
export type SyncApi = ListApi &
  Pick<ReturnType<typeof withFeed>, "readChanges" | "listPayments" | "listHistory">;

export interface Page {
  /** The number of rows in the list; null if the service does not count. */
  count: number | null;
  next: string | null;
  rows: IndexRow[];
}

/** A record as a row of its table. */
export interface IndexRow {
  id: string;
  words: string[];
  record: unknown;
}

interface IndexedList<ReadOne = ((api: ListApi, id: string) => Promise<unknown>) | null> {
  table: string;
  /** The table's own columns with their types. */
  columns: Record<string, string>;
  row: (record: never) => IndexRow;
  readPage: (
    api: ListApi,
    page: Paging,
  ) => Promise<Omit<Page, "rows"> & { results: unknown[] }>;
  /** Reads one record; null for products, which can only be listed. */
  readOne: ReadOne;
}

const FOUND = { created_at: "timestamptz", words: "text[]" };
const SUBSCRIPTION_TEXTS = `full_name name_key phone phone_key email status pan_vat currency
  product_id product_name plan_name pbp_id label`;

export const INDEXED_LISTS: Record<"products", IndexedList> &
  Record<SingleList, IndexedList<(api: ListApi, id: string) => Promise<unknown>>> = {
  products: {
    table: "mirror_product",
    columns: { ...FOUND, price_steps: "jsonb" },
    row: productRow,
    readPage: (api, page) => api.listProducts(page),
    readOne: null,
  },
  customers: {
    table: "mirror_customer",
    columns: { ...FOUND, phone_key: "text" },
    row: customerRow,
    readPage: (api, page) => api.listCustomers(page),
    readOne: (api, id) => api.getCustomer(Number(id)),
  },
  subscriptions: {
    table: "mirror_subscription",
    columns: {
      ...FOUND,
      ...Object.fromEntries(SUBSCRIPTION_TEXTS.split(/\s+/).map((name) => [name, "text"])),
      price: "numeric",
      current_period_start: "timestamptz",
      current_period_end: "timestamptz",
      next_billing_cycle: "timestamptz",
    },
    row: subscriptionRow,
    readPage: (api, page) => api.listSubscriptions({ ...page, status: null }),
    readOne: (api, id) => api.getSubscription(id),
  },
};

/** The rows of these records, one per id; ids that cannot be in a URL are left out. */
export function rowsOf(list: ListName, records: readonly unknown[]): IndexRow[] {
  const rows = new Map<string, IndexRow>();
  for (const record of records) {
    const row = INDEXED_LISTS[list].row(record as never);
    if (isId(row.id)) rows.set(row.id, row);
  }
  return [...rows.values()];
}

const isId = (text: string) => /^[\w-]{1,100}$/.test(text);

// Rows of the three tables, with moments as ISO texts. A moment or price that cannot be read is null.

function subscriptionRow(record: Subscription) {
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

function customerRow(record: Customer) {
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

export function productRow(record: Product) {
  return {
    id: record.product_id,
    price_steps: priceSteps(record),
    created_at: readMoment(record.created_at),
    words: searchTokens({
      names: [record.name],
      phones: [],
      words: [
        record.product_id,
        record.type,
        record.description,
        ...record.plan.flatMap((plan) => [plan.plan_id, plan.plan_name, plan.description]),
        ...record.plan
          .flatMap(({ billing_periods }) => billing_periods)
          .flatMap(({ pbp_id, label }) => [pbp_id, label]),
      ],
    }),
    record,
  };
}

const PAYMENT_ID = /^[0-9A-Za-z_-]{8,64}$/;

/** These payments as rows of the index; those without an id, an amount or a time are left out. */
export const paymentRowsOf = (payments: readonly AccountPayment[]): object[] =>
  payments.flatMap((payment) => {
    const { payment_id, subscription_id, product, currency, method } = payment;
    const amount = readPrice(payment.amount);
    const paid_at = readMoment(payment.paid_at);
    const isWhole = PAYMENT_ID.test(payment_id) && isId(subscription_id);
    if (!isWhole || amount === null || paid_at === null) return [];
    return {
      payment_id: payment_id.toLowerCase(),
      subscription_id,
      product_name: product.name || null,
      amount,
      currency: currency.slice(0, 10),
      vat: payment.vat === null ? null : readPrice(payment.vat),
      fee: readPrice(payment.fee) ?? "0.00",
      method: method.slice(0, 40) || null,
      provider_reference: payment.provider_reference && short(payment.provider_reference),
      period_start: readMoment(payment.period_start) ?? paid_at,
      paid_at,
    };
  });

/** The rows of these changes; those without ids or a time are left out. */
export const changeRowsOf = (changes: readonly PastChange[]): object[] =>
  changes.flatMap(({ id, subscription_id, before, after, ...change }) => {
    const seen_at = readMoment(change.recorded_at);
    if (!Number.isSafeInteger(id) || !isId(subscription_id) || seen_at === null) return [];
    const of = (which: "old" | "new", state: PastChange["before"]) => ({
      [`${which}_status`]: short(state.status),
      [`${which}_period_start`]: readMoment(state.current_period_start),
      [`${which}_next_billing`]: readMoment(nextBilling(state)),
      [`${which}_price`]: readPrice(state.price),
      [`${which}_currency`]: state.currency,
      [`${which}_pbp_id`]: state.pbp_id,
    });
    return { id, subscription_id, seen_at, ...of("old", before), ...of("new", after) };
  });

/** The parts of payments that can change later, as rows of `payment_detail`. */
export const paymentDetailRowsOf = (payments: readonly AccountPayment[]): object[] =>
  payments.flatMap(({ payment_id, subscription_id, recorded, ...payment }) =>
    PAYMENT_ID.test(payment_id) && isId(subscription_id)
      ? {
          payment_id: payment_id.toLowerCase(),
          subscription_id,
          refunded: readPrice(payment.refunded) ?? "0.00",
          refund_owed: readPrice(payment.refund_owed) ?? "0.00",
          reversed_at: readMoment(payment.reversed_at),
          recorded,
        }
      : [],
  );

const LONGEST_KEY = 200;

/** Cuts to the maximum length of an index key; the record keeps the whole text. */
const short = (text: string) => text.slice(0, LONGEST_KEY);

/** The moment as ISO text; null unless it is in the years 1 to 9999. */
function readMoment(text: string | null): string | null {
  if (text === null) return null;
  const time = isDay(text) ? Date.parse(text) : parseIsoMoment(text);
  if (time === null) return null;
  const moment = new Date(time);
  const year = moment.getUTCFullYear();
  return year >= 1 && year <= 9_999 ? moment.toISOString() : null;
}

const readPrice = (text: string) => (text.length <= 30 && isDecimal(text) ? text : null);
