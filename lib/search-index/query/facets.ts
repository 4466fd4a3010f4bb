import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import { foldText } from "#lib/text/fold-text.ts";

/** A product and a plan of indexed subscriptions. */
export interface Facet {
  product_id: string;
  product_name: string;
  plan_name: string;
}

/** SQL condition: the subscription has one of these products and plans. */
export function facetCondition(facets: Facet[], bind: (value: unknown) => string): string {
  return `(product_name, plan_name, product_id) in (select * from unnest(
    ${bind(facets.map(({ product_name }) => product_name))}::text[],
    ${bind(facets.map(({ plan_name }) => plan_name))}::text[],
    ${bind(facets.map(({ product_id }) => product_id))}::text[]))`;
}

const MOST_FACETS = 1_000;

/** Distinct pairs by an index skip scan: a seller has few plans but many rows. */
export async function readFacets(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<Facet[]> {
  const { rows } = await db.query<Facet>(
    `with recursive facet as (
       (select product_name, plan_name, product_id from mirror_subscription
         where seller_id = $1 and mode = $2
         order by product_name, plan_name, product_id limit 1)
       union all
       select further.* from facet cross join lateral (
         select s.product_name, s.plan_name, s.product_id from mirror_subscription s
          where s.seller_id = $1 and s.mode = $2
            and (s.product_name, s.plan_name, s.product_id)
              > (facet.product_name, facet.plan_name, facet.product_id)
          order by s.product_name, s.plan_name, s.product_id limit 1) as further)
     select * from facet limit ${MOST_FACETS}`,
    [seller_id, mode],
  );
  return rows;
}

/** Facets whose product or plan matches: by id, by full name, else by a part of the name. */
export function matchingFacets(
  facets: Facet[],
  { product, plan }: { product: string | null; plan: string | null },
): Facet[] {
  const products = named(facets, product, ({ product_id, product_name }) => [
    product_name,
    product_id,
  ]);
  return named(products, plan, ({ plan_name }) => [plan_name]);
}

function named(facets: Facet[], asked: string | null, namesOf: (facet: Facet) => string[]) {
  if (asked === null) return facets;
  const fold = (text: string) => foldText(text).replaceAll('"', "").trim();
  const wanted = fold(asked);
  const whole = facets.filter((facet) => namesOf(facet).some((name) => fold(name) === wanted));
  if (whole.length > 0) return whole;
  return facets.filter((facet) => fold(namesOf(facet)[0] ?? "").includes(wanted));
}
