import { randomUUID } from "node:crypto";
import type { Database } from "../db/database.ts";

/** A product as its seller writes it down: amounts and rates are decimal text. */
export interface CatalogueProduct {
  product_id?: string;
  name: string;
  description: string;
  terms_and_conditions: string;
  features_and_benefits: string;
  is_active?: boolean;
  vat: { is_vat_active: boolean; vat_type: "inclusive" | "exclusive"; vat_percentage: string };
  /** Full addresses, in the order they are shown. */
  images: string[];
  plans: CataloguePlan[];
}

export interface CataloguePlan {
  plan_id?: string;
  plan_name: string;
  description: string;
  billing_periods: CataloguePeriod[];
}

export interface CataloguePeriod {
  pbp_id: string;
  interval_type: string;
  interval_count: number;
  label: string;
  price: string;
  currency: string;
  is_current?: boolean;
  is_limited?: boolean;
  is_archived?: boolean;
  offers: {
    discount_amount: string;
    starts_at: string;
    valid_until: string;
    is_active?: boolean;
  }[];
}

/** Adds whole products; the API itself creates none (specification, Endpoints). */
export async function insertCatalogue(
  database: Database,
  sellerId: number,
  products: CatalogueProduct[],
  createdAt: Date,
): Promise<void> {
  for (const product of products) {
    const productId = product.product_id ?? randomUUID();
    await database.query(
      `insert into product (product_id, seller_id, name, description, is_active,
         terms_and_conditions, features_and_benefits, is_vat_active, vat_type, vat_percentage,
         created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)`,
      [
        productId,
        sellerId,
        product.name,
        product.description,
        product.is_active ?? true,
        product.terms_and_conditions,
        product.features_and_benefits,
        product.vat.is_vat_active,
        product.vat.vat_type,
        product.vat.vat_percentage,
        createdAt,
      ],
    );
    for (const [order, image] of product.images.entries())
      await database.query(
        "insert into product_image (product_id, seller_id, image, image_order) values ($1, $2, $3, $4)",
        [productId, sellerId, image, order + 1],
      );
    for (const [order, plan] of product.plans.entries())
      await insertPlan(database, { sellerId, productId, order }, plan);
  }
}

async function insertPlan(
  database: Database,
  { sellerId, productId, order }: { sellerId: number; productId: string; order: number },
  plan: CataloguePlan,
) {
  const planId = plan.plan_id ?? randomUUID();
  await database.query(
    `insert into plan (plan_id, product_id, seller_id, plan_name, description, plan_order)
     values ($1, $2, $3, $4, $5, $6)`,
    [planId, productId, sellerId, plan.plan_name, plan.description, order],
  );
  for (const [periodOrder, period] of plan.billing_periods.entries()) {
    await database.query(
      `insert into billing_period (pbp_id, plan_id, seller_id, interval_type, interval_count,
         label, price, currency, is_current, is_limited, is_archived, period_order)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        period.pbp_id,
        planId,
        sellerId,
        period.interval_type,
        period.interval_count,
        period.label,
        period.price,
        period.currency,
        period.is_current ?? true,
        period.is_limited ?? false,
        period.is_archived ?? false,
        periodOrder,
      ],
    );
    for (const offer of period.offers)
      await database.query(
        `insert into offer (id, pbp_id, seller_id, discount_amount, starts_at, valid_until, is_active)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [
          randomUUID(),
          period.pbp_id,
          sellerId,
          offer.discount_amount,
          offer.starts_at,
          offer.valid_until,
          offer.is_active ?? true,
        ],
      );
  }
}
