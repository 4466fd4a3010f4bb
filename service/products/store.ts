import type { AccountProduct } from "#contract/account.ts";
import type { Product } from "#contract/products.ts";
import { queryRow, queryRows, queryValue, type Database } from "../db/database.ts";
import type { Paging } from "../http/pagination.ts";

type ProductRow = Omit<Product, "created_at" | "updated_at"> & {
  created_at: Date;
  updated_at: Date;
};

// Spec choice, visible periods: visible means current and not archived; is_limited is only a badge.
export const VISIBLE_PERIOD = "b.is_current and not b.is_archived";

export const countProducts = async (database: Database, sellerId: number) =>
  (await queryValue<number>(
    database,
    "select count(*)::int as count from product where seller_id = $1 and is_active",
    [sellerId],
  )) ?? 0;

/** @param isActive counts only those on sale, or off sale; null for all */
export const countAllProducts = async (
  database: Database,
  sellerId: number,
  isActive: boolean | null,
) =>
  (await queryValue<number>(
    database,
    `select count(*)::int as count from product
     where seller_id = $1 and ($2::boolean is null or is_active = $2)`,
    [sellerId, isActive],
  )) ?? 0;

const pageOf = (condition: string) => `(
  select * from product where seller_id = $1 and ${condition}
  order by created_at desc, position desc limit $2 offset $3)`;
const NEWEST_FIRST = "order by p.created_at desc, p.position desc";

/** One page of active products, newest first, each with its images, plans and visible periods. */
export const selectProducts = (
  database: Database,
  sellerId: number,
  { page, pageSize }: Paging,
) =>
  queryRows<ProductRow>(
    database,
    // The page is chosen first, so that nothing is assembled for skipped products.
    `${selectWith(VISIBLE_PERIOD, pageOf("is_active"))} ${NEWEST_FIRST}`,
    [sellerId, pageSize, (page - 1) * pageSize],
  );

/** Those of the given products that the list shows. */
export const selectListedProducts = (database: Database, sellerId: number, ids: string[]) =>
  queryRows<ProductRow>(
    database,
    `${selectWith(VISIBLE_PERIOD)}
     where p.seller_id = $1 and p.product_id = any ($2) and p.is_active`,
    [sellerId, ids],
  );

export const presentProduct = (row: ProductRow): Product => ({
  ...row,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export const findProduct = (database: Database, sellerId: number, productId: string) =>
  queryRow<ProductRow>(
    database,
    `${selectWith("true")} where p.seller_id = $1 and p.product_id = $2`,
    [sellerId, productId],
  );

type AccountProductRow = Omit<AccountProduct, "created_at" | "updated_at"> &
  Pick<ProductRow, "created_at" | "updated_at">;

const FOR_ACCOUNT = {
  fields: "p.version,",
  periodFields: `'replaces', b.replaces, 'vat', json_build_object('is_vat_active',
    b.is_vat_active, 'vat_type', b.vat_type, 'vat_percentage', b.vat_percentage),`,
};

/** One page of all products, also those off sale, with archived billing periods. */
export const selectAccountProducts = (
  database: Database,
  sellerId: number,
  isActive: boolean | null,
  { page, pageSize }: Paging,
) =>
  queryRows<AccountProductRow>(
    database,
    `${selectWith("true", pageOf("($4::boolean is null or is_active = $4)"), FOR_ACCOUNT)} ${NEWEST_FIRST}`,
    [sellerId, pageSize, (page - 1) * pageSize, isActive],
  );

export const findAccountProduct = (database: Database, sellerId: number, productId: string) =>
  queryRow<AccountProductRow>(
    database,
    `${selectWith("true", "product", FOR_ACCOUNT)} where p.seller_id = $1 and p.product_id = $2`,
    [sellerId, productId],
  );

export async function selectImageUrls(
  database: Database,
  { sellerId, productId }: { sellerId: number; productId: string },
): Promise<string[]> {
  const rows = await queryRows<{ image: string }>(
    database,
    `select image from product_image where seller_id = $1 and product_id = $2
     order by image_order`,
    [sellerId, productId],
  );
  return rows.map(({ image }) => image);
}

const selectWith = (
  periods: string,
  source = "product",
  { fields, periodFields }: typeof FOR_ACCOUNT = { fields: "", periodFields: "" },
) => `
  select ${fields} p.product_id, p.name, p.description, p.type, p.is_active, p.terms_and_conditions,
    p.features_and_benefits,
    json_build_object('is_vat_active', p.is_vat_active, 'vat_type', p.vat_type,
                      'vat_percentage', p.vat_percentage) as vat,
    coalesce(
      (select json_agg(json_build_object('image', i.image, 'image_order', i.image_order)
                       order by i.image_order)
       from product_image i
       where i.seller_id = p.seller_id and i.product_id = p.product_id), '[]') as product_image,
    coalesce(
      (select json_agg(json_build_object(
         'plan_id', l.plan_id, 'plan_name', l.plan_name, 'description', l.description,
         'billing_periods', coalesce(
           (select json_agg(json_build_object(
              'pbp_id', b.pbp_id, 'interval_type', b.interval_type,
              'interval_count', b.interval_count, 'label', b.label, 'price', b.price::text,
              'currency', b.currency, 'is_current', b.is_current, 'is_limited', b.is_limited,
              'is_archived', b.is_archived, ${periodFields}
              'offers', coalesce(
                (select json_agg(json_build_object(
                   'id', o.id, 'discount_amount', o.discount_amount, 'starts_at', o.starts_at,
                   'valid_until', o.valid_until, 'is_active', o.is_active)
                   order by o.starts_at, o.id)
                 from offer o where o.seller_id = p.seller_id and o.pbp_id = b.pbp_id), '[]')) order by b.period_order)
            from billing_period b
            where b.seller_id = p.seller_id and b.plan_id = l.plan_id and ${periods}), '[]'))
         order by l.plan_order)
       from plan l where l.seller_id = p.seller_id and l.product_id = p.product_id), '[]') as plan,
    coalesce((select t.subscribers from product_tally t
      where t.seller_id = p.seller_id and t.product_id = p.product_id), 0)::text
      as total_subscribers,
    p.created_at, p.updated_at
  from ${source} p`;
