import "server-only";
import { queryRows, queryValue } from "#contract/process/database.ts";
import { zoneOffsets } from "#lib/format/zoned-moment.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { isStorableText, type Database } from "#lib/db/pool.ts";
import { foldText, tagKey } from "#lib/text/fold-text.ts";
import type { Bind } from "./find-rows.ts";

/** Placeholders of the seller and the mode. */
interface OwnerPlaces {
  seller_id: string;
  mode: string;
}

/**
 * SQL condition: the subscription is marked as a one-time purchase; see isOneTimePurchase.
 * @param interval_type SQL of the listed period's type; null to ignore it
 */
export const isMarkedOneTimeSql = (row: string, interval_type = "null") =>
  `is_one_time(${row}.status, ${row}.current_period_start, ${row}.current_period_end,
     ${row}.next_billing_cycle, ${interval_type})`;

/** SQL query: the periods that products list as one-time. */
const oneTimePeriods = ({ seller_id, mode }: OwnerPlaces) =>
  `select period ->> 'pbp_id' from mirror_product p, jsonb_array_elements(p.record -> 'plan') as plan,
          jsonb_array_elements(plan -> 'billing_periods') as period
    where p.seller_id = ${seller_id} and p.mode = ${mode} and period ->> 'interval_type' = 'one_time'`;

/** SQL condition: a one-time purchase by its mark or by its listed period. */
export const isOneTimeSql = (row: string, owner: OwnerPlaces) =>
  isMarkedOneTimeSql(
    row,
    `case when ${row}.pbp_id in (${oneTimePeriods(owner)}) then 'one_time' end`,
  );

/** SQL condition: a paid one-time purchase. Others are pending or ended like subscriptions. */
export const isPaidOneTimeSql = (row: string, owner: OwnerPlaces) =>
  `(${row}.status = 'active' and ${isOneTimeSql(row, owner)})`;

/** SQL conditions on a `mirror_change` row `c`; migration 0013 describes the columns. */
export const CHANGE_KINDS = {
  started: "c.is_first_payment",
  lost: "c.is_lost",
  saved: "(c.is_resumed or c.is_renewal and c.old_status = 'due')",
  paid: "(c.is_first_payment or c.is_renewal)",
} as const;

/**
 * SQL of a moment's local time in a zone, from the zone's offsets until a day: PostgreSQL reads "+05:45"
 * with the opposite sign.
 */
export function localTimeSql(
  bind: Bind,
  time_zone: string,
  until: string,
): (moment: string) => string {
  const offsets = zoneOffsets(time_zone, "2000-01-01", until);
  const steps = offsets.map(({ seconds }) => `${seconds} seconds`);
  const utc = (moment: string) => `${moment} at time zone 'UTC'`;
  if (steps.length === 1) {
    const step = `${bind(steps[0])}::interval`;
    return (moment) => `${utc(moment)} + ${step}`;
  }
  // Earlier moments have the first offset too.
  const from = bind(offsets.slice(1).map((offset) => offset.from));
  const all = bind(steps);
  return (moment) =>
    `${utc(moment)} + (${all}::interval[])[width_bucket(${moment}, ${from}::timestamptz[]) + 1]`;
}

/** A product and a plan of indexed subscriptions. */
export interface Facet {
  product_id: string;
  product_name: string;
  plan_name: string;
}

/** SQL condition: the subscription has one of these products and plans. */
export function facetConditionSql(facets: Facet[], bind: (value: unknown) => string): string {
  return `(product_name, plan_name, product_id) in (select * from unnest(
    ${bind(facets.map(({ product_name }) => product_name))}::text[],
    ${bind(facets.map(({ plan_name }) => plan_name))}::text[],
    ${bind(facets.map(({ product_id }) => product_id))}::text[]))`;
}

const MOST_FACETS = 1_000;

/** Distinct pairs by an index skip scan: a seller has few plans but many rows. */
export const readFacets = (db: Database, { seller_id, mode }: KeyOwner) =>
  queryRows<Facet>(
    db,
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

/** The id of the seller's tag with this name in any spelling; null if there is none. */
export async function findTag(
  db: Database,
  { seller_id, mode }: KeyOwner,
  name: string,
): Promise<string | null> {
  if (!isStorableText(name)) return null;
  return queryValue<string>(
    db,
    "select id from tag where seller_id = $1 and mode = $2 and name_key = $3",
    [seller_id, mode, tagKey(name)],
  );
}

/** The most phone keys that are bound as values, so that PostgreSQL knows how few they are. */
const MOST_KEYS_BOUND = 5_000;

/** SQL conditions for records of customers with a tag; none for null. */
export async function tagConditions(
  db: Database,
  owner: KeyOwner,
  name: string | null,
): Promise<((bind: Bind) => string)[]> {
  if (name === null) return [];
  const tag = await findTag(db, owner, name);
  if (tag === null) return [() => "false"];
  const theirs = [owner.seller_id, owner.mode, tag];
  const keysOf = ([seller_id, mode, id]: string[]) =>
    `select c.phone_key from customer_tag c
      where c.seller_id = ${seller_id} and c.mode = ${mode} and c.tag_id = ${id}`;
  const { rows } = await db.query<{ phone_key: string }>(
    `${keysOf(["$1", "$2", "$3"])} limit ${MOST_KEYS_BOUND + 1}`,
    theirs,
  );
  return rows.length > MOST_KEYS_BOUND
    ? [(bind) => `phone_key in (${keysOf(theirs.map(bind))})`]
    : [(bind) => `phone_key = any(${bind(rows.map(({ phone_key }) => phone_key))})`];
}
