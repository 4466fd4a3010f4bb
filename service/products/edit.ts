import { queryValue, type Database } from "../db/database.ts";
import { insertImages, insertPeriod, insertPlan } from "./catalogue.ts";
import type { PeriodChange, PlanChange, ProductChange } from "./input.ts";
import { applyVat, CatalogueError, changePrice } from "./price.ts";
import { VISIBLE_PERIOD } from "./store.ts";

export class UnknownProductError extends Error {}

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
  if (change.plan_order) await orderPlans(database, place, change.plan_order);
  await applyVat(database, place);
}

/**
 * Changes a product like `editProduct`, but only from the version that it was read with.
 * @returns false if it was changed since then; nothing is changed then
 * @throws UnknownProductError
 * @throws CatalogueError also for a change that leaves a product on sale without a period on sale
 */
export async function editProductVersion(
  database: Database,
  place: Place,
  { version, ...change }: ProductChange & { version: string },
  now: Date,
): Promise<boolean> {
  const stored = await queryValue<string>(
    database,
    "select version from product where seller_id = $1 and product_id = $2 for no key update",
    [place.sellerId, place.productId],
  );
  if (stored === null) throw new UnknownProductError();
  if (stored !== version.toLowerCase()) return false;
  const hadPeriods = await isSellable(database, place);
  await editProduct(database, place, change, now);
  if (hadPeriods && !(await isSellable(database, place)) && (await isOnSale(database, place)))
    throw new CatalogueError(
      "this would archive the last billing period on sale; add another one first, or take the product off sale",
    );
  return true;
}

export async function archivePeriod(database: Database, sellerId: number, pbpId: string) {
  const { rowCount } = await database.query(
    `with archived as (
       update billing_period set is_archived = true where seller_id = $1 and pbp_id = $2
       returning plan_id)
     update product p set version = gen_random_uuid() from plan l
     where p.seller_id = $1 and l.seller_id = $1 and l.product_id = p.product_id
       and l.plan_id = (select plan_id from archived)`,
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
       updated_at = $11, version = gen_random_uuid()
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
  const firstFree = await countPeriods(database, sellerId, plan.plan_id);
  for (const [index, period] of plan.new_billing_periods.entries())
    await insertPeriod(
      database,
      { sellerId, planId: plan.plan_id, order: firstFree + index },
      period,
    );
  if (plan.period_order)
    await orderPeriods(database, { sellerId, planId: plan.plan_id }, plan.period_order);
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

async function orderPlans(database: Database, place: Place, planIds: string[]) {
  const { rowCount } = await database.query(
    `update plan l set plan_order = o.place
     from (select plan_id, row_number() over (
             order by array_position($3::uuid[], plan_id), plan_order, plan_id) - 1 as place
           from plan where seller_id = $1 and product_id = $2) o
     where l.seller_id = $1 and l.plan_id = o.plan_id
       and (select count(*) from plan where seller_id = $1 and product_id = $2
              and plan_id = any ($3::uuid[])) = cardinality($3::uuid[])`,
    [place.sellerId, place.productId, planIds],
  );
  if (rowCount === 0)
    throw new CatalogueError("plan_order names a plan twice, or one of another product");
}

async function orderPeriods(
  database: Database,
  { sellerId, planId }: { sellerId: number; planId: string },
  pbpIds: string[],
) {
  // If a new price has just archived a named period, the period in its place takes the position.
  const { rowCount } = await database.query(
    `update billing_period b set period_order = o.place
     from (select pbp_id, row_number() over (
             order by coalesce(array_position($3::text[], pbp_id),
               array_position($3::text[], replaces)), period_order, pbp_id) - 1 as place
           from billing_period where seller_id = $1 and plan_id = $2) o
     where b.seller_id = $1 and b.pbp_id = o.pbp_id
       and (select count(*) from billing_period where seller_id = $1 and plan_id = $2
              and pbp_id = any ($3::text[])) = cardinality($3::text[])`,
    [sellerId, planId, pbpIds],
  );
  if (rowCount === 0)
    throw new CatalogueError("period_order names a period twice, or one of another plan");
}

/** Whether any billing period of the product is on sale. */
const isSellable = async (database: Database, { sellerId, productId }: Place) =>
  (await queryValue<boolean>(
    database,
    `select exists (select from billing_period b join plan l using (seller_id, plan_id)
       where b.seller_id = $1 and l.product_id = $2 and ${VISIBLE_PERIOD})`,
    [sellerId, productId],
  )) ?? false;

const isOnSale = async (database: Database, { sellerId, productId }: Place) =>
  (await queryValue<boolean>(
    database,
    "select is_active from product where seller_id = $1 and product_id = $2",
    [sellerId, productId],
  )) ?? false;

const countPlans = async (database: Database, { sellerId, productId }: Place) =>
  (await queryValue<number>(
    database,
    "select count(*)::int as count from plan where seller_id = $1 and product_id = $2",
    [sellerId, productId],
  )) ?? 0;

const countPeriods = async (database: Database, sellerId: number, planId: string) =>
  (await queryValue<number>(
    database,
    "select count(*)::int as count from billing_period where seller_id = $1 and plan_id = $2",
    [sellerId, planId],
  )) ?? 0;
