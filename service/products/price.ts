import { queryRow, queryRows, type Database } from "../db/database.ts";
import { insertOffers, type CataloguePeriod } from "./catalogue.ts";
import { newPeriodId } from "./input.ts";

/** Thrown for a change that the catalogue refuses; its message says why. */
export class CatalogueError extends Error {}

type NewPrice = Partial<Pick<CataloguePeriod, "price" | "currency" | "offers">>;

interface PeriodPlace {
  sellerId: number;
  pbpId: string;
}

/**
 * The only way to change what a billing period asks: its price, currency and offers, and the VAT,
 * which it copies from its product. A sold price stays: a period that was ever sold is archived as
 * it is, and a new one takes its place. A period that was never sold is changed itself.
 * @returns the pbp_id of the period with the new price
 * @throws CatalogueError for an unknown period, and for a sold one that is archived
 */
export async function changePrice(
  database: Database,
  place: PeriodPlace,
  change: NewPrice,
): Promise<string> {
  const { sellerId, pbpId } = place;
  // The lock comes first and waits for subscriptions that are being created with this period.
  const { rowCount } = await database.query(
    "select 1 from billing_period where seller_id = $1 and pbp_id = $2 for update",
    [sellerId, pbpId],
  );
  if (rowCount === 0) throw new CatalogueError(`there is no billing period '${pbpId}'`);
  const found = await comparePrice(database, place, change);
  if (!found?.is_other || !found.is_sold) {
    await updatePrice(database, place, change);
    return pbpId;
  }
  if (found.is_archived)
    throw new CatalogueError(
      `the billing period '${pbpId}' was sold and is archived, so its price stays; add a new one`,
    );
  return replacePeriod(database, place, change);
}

/** Gives a product's periods, except archived ones, the VAT that the product has now. */
export async function applyVat(
  database: Database,
  { sellerId, productId }: { sellerId: number; productId: string },
): Promise<void> {
  const periods = await queryRows<{ pbp_id: string }>(
    database,
    `select b.pbp_id from billing_period b join plan l using (seller_id, plan_id)
     join product p using (seller_id, product_id)
     where b.seller_id = $1 and p.product_id = $2 and not b.is_archived and ${HAS_OTHER_VAT}
     order by b.pbp_id`,
    [sellerId, productId],
  );
  for (const { pbp_id } of periods)
    await changePrice(database, { sellerId, pbpId: pbp_id }, {});
}

const HAS_OTHER_VAT = `(b.is_vat_active or p.is_vat_active)
  and (b.is_vat_active, b.vat_type, b.vat_percentage)
    <> (p.is_vat_active, p.vat_type, p.vat_percentage)`;

/** SQL: the enabled offers, as a sorted array. */
const offersOf = (source: string) => `(
  select coalesce(jsonb_agg(o.one order by o.one), '[]') from (
    select jsonb_build_array(discount_amount, starts_at, valid_until) as one
    from ${source} where coalesce(is_active, true)) o)`;

const GIVEN_OFFERS = `jsonb_to_recordset($5::jsonb) as given
  (discount_amount numeric(14, 2), starts_at date, valid_until date, is_active boolean)`;

// Not "exists": the planner expects every period to be sold often, so it would read subscriptions
// one after the other until it meets the period, and all of them where it was never sold.
const comparePrice = (
  database: Database,
  { sellerId, pbpId }: PeriodPlace,
  { price, currency, offers }: NewPrice,
) =>
  queryRow<{ is_other: boolean; is_sold: boolean; is_archived: boolean }>(
    database,
    `select b.is_archived,
       b.price <> coalesce($3::numeric, b.price) or b.currency <> coalesce($4::text, b.currency)
         or (not b.is_archived and ${HAS_OTHER_VAT})
         or $5::jsonb is not null
           and ${offersOf(GIVEN_OFFERS)} <> ${offersOf("(select * from offer where seller_id = $1 and pbp_id = b.pbp_id) as known")} as is_other,
       coalesce((select s.pbp_id from subscription s
           where s.seller_id = $1 and s.pbp_id >= b.pbp_id order by s.pbp_id limit 1) = b.pbp_id, false)
         or exists (select from period_move m where m.seller_id = $1
           and b.pbp_id in (m.from_pbp_id, m.to_pbp_id)) as is_sold
     from billing_period b join plan l using (seller_id, plan_id) join product p using (seller_id, product_id)
     where b.seller_id = $1 and b.pbp_id = $2`,
    [sellerId, pbpId, price, currency, offers ? JSON.stringify(offers) : null],
  );

async function updatePrice(
  database: Database,
  { sellerId, pbpId }: PeriodPlace,
  { price, currency, offers }: NewPrice,
): Promise<void> {
  await database.query(
    `update billing_period set price = coalesce($3, price), currency = coalesce($4, currency)
     where seller_id = $1 and pbp_id = $2`,
    [sellerId, pbpId, price, currency],
  );
  await database.query(
    `update billing_period b set is_vat_active = p.is_vat_active, vat_type = p.vat_type,
       vat_percentage = p.vat_percentage
     from plan l join product p using (seller_id, product_id)
     where b.seller_id = $1 and b.pbp_id = $2 and not b.is_archived and l.seller_id = $1
       and l.plan_id = b.plan_id`,
    [sellerId, pbpId],
  );
  if (!offers) return;
  await database.query("delete from offer where seller_id = $1 and pbp_id = $2", [
    sellerId,
    pbpId,
  ]);
  await insertOffers(database, { sellerId, pbpId }, offers);
}

async function replacePeriod(
  database: Database,
  place: PeriodPlace,
  change: NewPrice,
): Promise<string> {
  const { sellerId, pbpId } = place;
  const replacement = newPeriodId();
  await database.query(
    `insert into billing_period (pbp_id, plan_id, seller_id, interval_type, interval_count, label,
       price, currency, is_current, is_limited, period_order, replaces)
     select $3, plan_id, seller_id, interval_type, interval_count, label,
       price, currency, is_current, is_limited, period_order, pbp_id
     from billing_period where seller_id = $1 and pbp_id = $2`,
    [sellerId, pbpId, replacement],
  );
  await database.query(
    `insert into offer (id, pbp_id, seller_id, discount_amount, starts_at, valid_until, is_active)
     select gen_random_uuid(), $3, seller_id, discount_amount, starts_at, valid_until, is_active
     from offer where seller_id = $1 and pbp_id = $2`,
    [sellerId, pbpId, replacement],
  );
  await database.query(
    "update shared_link set pbp_id = $3 where seller_id = $1 and pbp_id = $2",
    [sellerId, pbpId, replacement],
  );
  await database.query(
    "update billing_period set is_archived = true where seller_id = $1 and pbp_id = $2",
    [sellerId, pbpId],
  );
  await updatePrice(database, { sellerId, pbpId: replacement }, change);
  return replacement;
}
