import "server-only";
import type { Customer } from "#contract/customers.ts";
import type { Product } from "#contract/products.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { customerRow, productRow, subscriptionRow } from "./rows.ts";

/** The copied lists, in the order in which they are filled: what is short and names the rest comes first. */
export const LISTS = ["products", "customers", "subscriptions"] as const;
export type List = (typeof LISTS)[number];

/** Those whose records can be read one by one. */
export type SingleList = Exclude<List, "products">;

/** What the copy asks the API for. */
export type Api = Pick<
  BillingClient,
  "listProducts" | "listCustomers" | "listSubscriptions" | "getCustomer" | "getSubscription"
>;

export interface Page {
  /** Null when the service does not count. */
  count: number | null;
  next: string | null;
  rows: CopyRow[];
}

/** A record as the table of its list takes it. */
export interface CopyRow {
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
  /** Beside those that all tables have, with their types. */
  columns: Record<string, string>;
  row: (record: never) => CopyRow;
  readPage: (api: Api, page: PageOf) => Promise<Omit<Page, "rows"> & { results: unknown[] }>;
  /** Of a product there is only the list. */
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

export const COPIED: Record<"products", Copying> & Record<SingleList, SingleCopying> = {
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

/** Their rows in the copy, one an id; an id that no address could name is left out. */
export function rowsOf(list: List, records: readonly unknown[]): CopyRow[] {
  const rows = new Map<string, CopyRow>();
  for (const record of records) {
    const row = COPIED[list].row(record as never);
    if (isId(row.id)) rows.set(row.id, row);
  }
  return [...rows.values()];
}

export const isId = (text: string) => /^[\w-]{1,100}$/.test(text);
