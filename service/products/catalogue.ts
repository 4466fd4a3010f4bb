import { randomUUID } from "node:crypto";
import type { Database } from "../db/database.ts";
import type { NewProduct } from "./input.ts";

/** A product as input: amounts and rates are decimal text, images are in display order. */
export interface CatalogueProduct extends Omit<NewProduct, "plans"> {
  product_id?: string;
  plans: CataloguePlan[];
}
type CataloguePlan = NewProduct["plans"][number] & { plan_id?: string };
export type CataloguePeriod = CataloguePlan["billing_periods"][number];

/** Inserts products with all that belongs to them. @returns the products' ids */
export async function insertCatalogue(
  database: Database,
  sellerId: number,
  products: CatalogueProduct[],
  createdAt: Date,
): Promise<string[]> {
  const ids: string[] = [];
  for (const product of products) {
    const productId = product.product_id ?? randomUUID();
    ids.push(productId);
    await insertProduct(database, { sellerId, productId, createdAt }, product);
    await insertImages(database, { sellerId, productId }, product.images);
    for (const [order, plan] of product.plans.entries())
      await insertPlan(database, { sellerId, productId, order }, plan);
  }
  return ids;
}

interface Place {
  sellerId: number;
  productId: string;
}

const insertProduct = (
  database: Database,
  { sellerId, productId, createdAt }: Place & { createdAt: Date },
  product: CatalogueProduct,
) =>
  database.query(
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

export const insertImages = (
  database: Database,
  { sellerId, productId }: Place,
  images: string[],
) =>
  database.query(
    `insert into product_image (product_id, seller_id, image, image_order)
     select $1, $2, image, image_order from unnest($3::text[]) with ordinality as i (image, image_order)`,
    [productId, sellerId, images],
  );

export async function insertPlan(
  database: Database,
  { sellerId, productId, order }: Place & { order: number },
  plan: CataloguePlan,
): Promise<string> {
  const planId = plan.plan_id ?? randomUUID();
  await database.query(
    `insert into plan (plan_id, product_id, seller_id, plan_name, description, plan_order)
     values ($1, $2, $3, $4, $5, $6)`,
    [planId, productId, sellerId, plan.plan_name, plan.description, order],
  );
  for (const [periodOrder, period] of plan.billing_periods.entries())
    await insertPeriod(database, { sellerId, planId, order: periodOrder }, period);
  return planId;
}

export async function insertPeriod(
  database: Database,
  { sellerId, planId, order }: { sellerId: number; planId: string; order: number },
  period: CataloguePeriod,
): Promise<void> {
  await database.query(
    `insert into billing_period (pbp_id, plan_id, seller_id, interval_type, interval_count,
       label, price, currency, is_current, is_limited, is_archived, period_order,
       is_vat_active, vat_type, vat_percentage)
     select $1, l.plan_id, l.seller_id, $4, $5, $6, $7,
       coalesce($8, (select currency from seller where seller_id = $3)), $9, $10, $11, $12,
       p.is_vat_active, p.vat_type, p.vat_percentage
     from plan l join product p using (seller_id, product_id)
     where l.plan_id = $2 and l.seller_id = $3`,
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
      order,
    ],
  );
  await insertOffers(database, { sellerId, pbpId: period.pbp_id }, period.offers);
}

export async function insertOffers(
  database: Database,
  { sellerId, pbpId }: { sellerId: number; pbpId: string },
  offers: CataloguePeriod["offers"],
): Promise<void> {
  for (const offer of offers)
    await database.query(
      `insert into offer (id, pbp_id, seller_id, discount_amount, starts_at, valid_until, is_active)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        randomUUID(),
        pbpId,
        sellerId,
        offer.discount_amount,
        offer.starts_at,
        offer.valid_until,
        offer.is_active ?? true,
      ],
    );
}
