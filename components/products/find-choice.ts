import type { BillingPeriod, Plan } from "#contract/products.ts";
import type { CatalogueProduct } from "#lib/products/queries.ts";

export interface Choice {
  product: CatalogueProduct;
  plan: Plan;
  period: BillingPeriod;
}

/** What a pbp_id stands for in this catalogue. */
export function findChoice(products: CatalogueProduct[], pbp_id: string): Choice | null {
  for (const product of products) {
    for (const plan of product.plan) {
      const period = plan.billing_periods.find((item) => item.pbp_id === pbp_id);
      if (period) return { product, plan, period };
    }
  }
  return null;
}
