import "server-only";
import type { KeyOwner } from "#lib/billing/api-key.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { walkPages } from "#lib/billing/walk-pages.ts";
import type { Database } from "#lib/db/pool.ts";
import { amountsOn, priceSteps, type Amounts, type PriceStep } from "#lib/price.ts";

/** Pages, of 100, that are looked through where no product is copied. */
const MOST_PAGES = 20;

/**
 * What each listed period asks for on a day, out of the copy, else out of the service's list.
 * @param day the seller's calendar day, YYYY-MM-DD @throws BillingError
 */
export async function readAmounts(
  db: Database,
  { owner, billing }: { owner: KeyOwner; billing: Pick<BillingClient, "listProducts"> },
  day: string,
): Promise<Amounts> {
  const copied = await readPriceSteps(db, owner);
  if (copied.length > 0) return amountsOn(copied, day);
  const { rows } = await walkPages((page) => billing.listProducts(page), { most: MOST_PAGES });
  return amountsOn(rows.flatMap(priceSteps), day);
}

export async function readPriceSteps(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<PriceStep[]> {
  const { rows } = await db.query<{ price_steps: PriceStep[] }>(
    "select price_steps from mirror_product where seller_id = $1 and mode = $2 order by id",
    [seller_id, mode],
  );
  return rows.flatMap(({ price_steps }) => price_steps);
}

/**
 * A CTE `asked` of what each listed period asks for on a day.
 * @param day SQL of a date; the seller and the mode are $1 and $2
 */
export const askedSql = (day: string) =>
  `asked as materialized (select * from amounts_asked($1, $2, ${day}))`;

/** Joins it to a row with pbp_id, price and currency. */
export const joinAsked = (row: string) =>
  `left join asked on asked.pbp_id = ${row}.pbp_id and asked.price = ${row}.price
     and asked.currency = ${row}.currency`;
