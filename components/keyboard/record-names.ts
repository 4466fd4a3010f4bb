import type { Customer } from "#contract/customers.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { Product } from "#contract/products.ts";
import type { RecentRecord } from "./recent-records.ts";

export function describeSubscription({
  subscription_id: id,
  client,
  product,
}: Subscription): RecentRecord {
  const note = [product.name, product.plan_name, product.label].filter(Boolean).join(" · ");
  return { kind: "subscription", id, title: client.full_name || client.phone || id, note };
}

export function describeCustomer({ id, full_name, buyer_phone }: Customer): RecentRecord {
  const title = full_name || buyer_phone || String(id);
  return {
    kind: "customer",
    id: String(id),
    title,
    note: title === full_name ? buyer_phone : "",
  };
}

export function describeProduct({
  product_id: id,
  name,
  plan,
}: Pick<Product, "product_id" | "name" | "plan">): RecentRecord {
  const note = plan.map(({ plan_name }) => plan_name).join(" · ");
  return { kind: "product", id, title: name || id, note };
}
