import "server-only";
import type { Customer } from "#contract/customers.ts";
import type { Product } from "#contract/products.ts";
import type { Subscription } from "#contract/subscriptions.ts";

/** The copied lists, in the order in which they are read: what is short and names the rest comes first. */
export const LISTS = ["products", "customers", "subscriptions"] as const;
export type List = (typeof LISTS)[number];

/** What every row of the copy bears, beside the seller and the mode. */
interface Copied<Row> {
  id: string;
  /** Folded words, and behind them the keys of how names sound: see searchText. */
  search: string;
  /** As it was read. */
  record: Row;
  /** Both by the database's clock: before the API was asked, and after it had answered. */
  asked_at: Date;
  read_at: Date;
}

/** A row of `mirror_subscription`. Moments that cannot be read are null, and so is such a price. */
export interface MirrorSubscription extends Copied<Subscription> {
  status: string;
  full_name: string;
  /** Folded, for sorting. */
  name_key: string;
  phone: string;
  /** See phoneKey; empty when there are too few digits. */
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
  next_billing_cycle: Date | null;
  created_at: Date | null;
}

/** A row of `mirror_customer`; its `id` is the number as text. */
export interface MirrorCustomer extends Copied<Customer> {
  full_name: string;
  name_key: string;
  phone: string;
  phone_key: string;
  email: string;
  created_at: Date | null;
}

/** A row of `mirror_product`. */
export interface MirrorProduct extends Copied<Product> {
  name: string;
  name_key: string;
  is_active: boolean;
  created_at: Date | null;
}
