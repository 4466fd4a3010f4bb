import { queryValue, type Database } from "../db/database.ts";
import { insertImages, insertPeriod, insertPlan } from "./catalogue.ts";
import type { PeriodChange, PlanChange, ProductChange } from "./input.ts";
import { applyVat, CatalogueError, changePrice } from "./price.ts";

interface Place {
  sellerId: number;
  productId: string;
}

/**
 * Changes a product, its plans and periods, and adds new ones. A period's interval never
 * changes, because subscriptions use it; archive it and add another. A sold price stays: see
 * `changePrice`.
 * @throws CatalogueError, after which the caller's transaction must not be committed
 */
export async function editProduct(
  database: Database,
  place: Place,
  change: ProductChange,
  now: Date,
): Promise<void> {
  await updateProduct(database, place, change, now);
  if (change.images) {
    await database.query("delete from product_image where product_id = $1 and seller_id = $2", [
      place.productId,
      place.sellerId,
    ]);
    await insertImages(database, place, change.images);
  }
  for (const plan of change.plans) await editPlan(database, place, plan);
  const firstFree = await countPlans(database, place);
  for (const [index, plan] of change.new_plans.entries())
    await insertPlan(database, { ...place, order: firstFree + index }, plan);
  await applyVat(database, place);
}

export async function archivePeriod(database: Database, sellerId: number, pbpId: string) {
  const { rowCount } = await database.query(
    "update billing_period set is_archived = true where seller_id = $1 and pbp_id = $2",
    [sellerId, pbpId],
  );
  if (rowCount === 0) throw new CatalogueError(`there is no billing period '${pbpId}'`);
}

async function updateProduct(
  database: Database,
  { sellerId, productId }: Place,
  { vat, ...change }: ProductChange,
  now: Date,
) {
  const { rowCount } = await database.query(
    `update product set name = coalesce($3, name), description = coalesce($4, description),
       terms_and_conditions = coalesce($5, terms_and_conditions),
       features_and_benefits = coalesce($6, features_and_benefits),
       is_active = coalesce($7, is_active), is_vat_active = coalesce($8, is_vat_active),
       vat_type = coalesce($9, vat_type), vat_percentage = coalesce($10, vat_percentage),
       updated_at = $11
     where seller_id = $1 and product_id = $2`,
    [
      sellerId,
      productId,
      change.name,
      change.description,
      change.terms_and_conditions,
      change.features_and_benefits,
      change.is_active,
      vat?.is_vat_active,
      vat?.vat_type,
      vat?.vat_percentage,
      now,
    ],
  );
  if (rowCount === 0) throw new CatalogueError(`there is no product '${productId}'`);
}

async function editPlan(database: Database, { sellerId, productId }: Place, plan: PlanChange) {
  const { rowCount } = await database.query(
    `update plan set plan_name = coalesce($4, plan_name), description = coalesce($5, description)
     where seller_id = $1 and product_id = $2 and plan_id = $3`,
    [sellerId, productId, plan.plan_id, plan.plan_name, plan.description],
  );
  if (rowCount === 0) throw new CatalogueError(`the product has no plan '${plan.plan_id}'`);
  for (const period of plan.billing_periods)
    await editPeriod(database, { sellerId, planId: plan.plan_id }, period);
  const firstFree = await countPeriods(database, plan.plan_id);
  for (const [index, period] of plan.new_billing_periods.entries())
    await insertPeriod(
      database,
      { sellerId, planId: plan.plan_id, order: firstFree + index },
      period,
    );
}

async function editPeriod(
  database: Database,
  { sellerId, planId }: { sellerId: number; planId: string },
  { pbp_id, price, currency, offers, ...change }: PeriodChange,
) {
  const given = {
    ...(price && { price }),
    ...(currency && { currency }),
    ...(offers && { offers }),
  };
  const isRepriced = Object.keys(given).length > 0;
  const pbpId = isRepriced
    ? await changePrice(database, { sellerId, pbpId: pbp_id }, given)
    : pbp_id;
  const { rowCount } = await database.query(
    `update billing_period set label = coalesce($4, label),
       is_current = coalesce($5, is_current), is_limited = coalesce($6, is_limited),
       is_archived = coalesce($7, is_archived)
     where seller_id = $1 and plan_id = $2 and pbp_id = $3`,
    [
      sellerId,
      planId,
      pbpId,
      change.label,
      change.is_current,
      change.is_limited,
      change.is_archived,
    ],
  );
  if (rowCount === 0) throw new CatalogueError(`the plan has no billing period '${pbp_id}'`);
}

const countPlans = async (database: Database, { sellerId, productId }: Place) =>
  (await queryValue<number>(
    database,
    "select count(*)::int as count from plan where seller_id = $1 and product_id = $2",
    [sellerId, productId],
  )) ?? 0;

const countPeriods = async (database: Database, planId: string) =>
  (await queryValue<number>(
    database,
    "select count(*)::int as count from billing_period where plan_id = $1",
    [planId],
  )) ?? 0;
