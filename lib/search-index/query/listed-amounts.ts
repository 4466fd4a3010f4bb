import "server-only";
import { MAX_PAGE_SIZE } from "#contract/pagination.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import type { Database } from "#lib/db/pool.ts";
import { amountsOn, priceSteps, type Amounts, type PriceStep } from "#lib/money/price.ts";
import { readIndexStatus } from "./index-status.ts";

/** Milliseconds for which the API's first page is cached. */
const KEPT = 30_000;

export interface AmountsAsker {
  owner: KeyOwner;
  billing: Pick<BillingClient, "listProducts">;
}

/**
 * The checkout amount of each listed period on a day: from the index; while it fills, for the newest
 * products.
 * @param day the seller's calendar day, YYYY-MM-DD
 * @param now milliseconds
 * @throws AppError
 */
export async function readAmounts(
  db: Database,
  asker: AmountsAsker,
  day: string,
  now = Date.now(),
): Promise<Amounts> {
  const { state } = await readIndexStatus(db, asker.owner);
  const steps =
    state === "ready" ? await readPriceSteps(db, asker.owner) : await readFirstPage(asker, now);
  return amountsOn(steps, day);
}

const firstPages = new Map<string, { until: number; steps: Promise<PriceStep[]> }>();

/** The API's first page, shared by calls in a short time; failures are not cached. */
function readFirstPage({ owner, billing }: AmountsAsker, now: number): Promise<PriceStep[]> {
  for (const [key, { until }] of firstPages) if (until <= now) firstPages.delete(key);
  const key = `${owner.seller_id} ${owner.mode}`;
  const known = firstPages.get(key);
  if (known) return known.steps;
  const steps = billing
    .listProducts({ page: 1, page_size: MAX_PAGE_SIZE })
    .then(({ results }) => results.flatMap(priceSteps));
  firstPages.set(key, { until: now + KEPT, steps });
  steps.catch(() => firstPages.delete(key));
  return steps;
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
 * A CTE `asked` with the checkout amount of each listed period on a day.
 * @param day SQL of a date; the seller and the mode are $1 and $2
 */
export const askedAmountsCte = (day: string) =>
  `asked as materialized (select * from amounts_asked($1, $2, ${day}))`;

/** Joins `asked` to a row with pbp_id, price and currency. */
export const joinAskedAmounts = (row: string) =>
  `left join asked on asked.pbp_id = ${row}.pbp_id and asked.price = ${row}.price
     and asked.currency = ${row}.currency`;
