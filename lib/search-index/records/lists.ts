import "server-only";
import type { Customer } from "#contract/customers.ts";
import type { Product } from "#contract/products.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import type { ListName } from "#lib/billing/observe.ts";
import { customerRow, productRow, subscriptionRow } from "./rows.ts";

/** In the order in which the index fills: the short lists first. */
export const LISTS = ["products", "customers", "subscriptions"] as const satisfies ListName[];

/** Lists whose records can be read one by one. */
export type SingleList = Exclude<ListName, "products">;

/** The API calls that the sync uses. */
export type Api = Pick<
  BillingClient,
  "listProducts" | "listCustomers" | "listSubscriptions" | "getCustomer" | "getSubscription"
>;

export interface Page {
  /** Null if the service does not count. */
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

interface PageOf {
  page: number;
  page_size: number;
}

interface Copying {
  table: string;
  /** The table's own columns with their types. */
  columns: Record<string, string>;
  row: (record: never) => IndexRow;
  readPage: (api: Api, page: PageOf) => Promise<Omit<Page, "rows"> & { results: unknown[] }>;
  /** Null for products, which have only a list. */
  readOne: ((api: Api, id: string) => Promise<unknown>) | null;
}

const FOUND = { created_at: "timestamptz", words: "text[]" };
const BUYER = {
  full_name: "text",
  name_key: "text",
  phone: "text",
  phone_key: "text",
  email: "text",
};

const TEXTS = Object.fromEntries(
  "status pan_vat currency product_id product_name plan_name pbp_id label"
    .split(" ")
    .map((name) => [name, "text"]),
);

type SingleCopying = Copying & { readOne: (api: Api, id: string) => Promise<unknown> };

export const INDEXED_LISTS: Record<"products", Copying> & Record<SingleList, SingleCopying> = {
  products: {
    table: "mirror_product",
    columns: { ...FOUND, price_steps: "jsonb" },
    row: (record: Product) => productRow(record),
    readPage: (api, page) => api.listProducts(page),
    readOne: null,
  },
  customers: {
    table: "mirror_customer",
    columns: { ...FOUND, phone_key: "text" },
    row: (record: Customer) => customerRow(record),
    readPage: (api, page) => api.listCustomers(page),
    readOne: (api, id) => api.getCustomer(Number(id)),
  },
  subscriptions: {
    table: "mirror_subscription",
    columns: {
      ...FOUND,
      ...BUYER,
      ...TEXTS,
      price: "numeric",
      current_period_start: "timestamptz",
      current_period_end: "timestamptz",
      next_billing_cycle: "timestamptz",
    },
    row: (record: Subscription) => subscriptionRow(record),
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

export const isId = (text: string) => /^[\w-]{1,100}$/.test(text);
