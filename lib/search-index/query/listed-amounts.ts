import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { scanListPages } from "#lib/billing/scan-pages.ts";
import type { Database } from "#lib/db/pool.ts";
import { amountsOn, priceSteps, type Amounts, type PriceStep } from "#lib/money/price.ts";
import { readIndexStatus } from "./index-status.ts";

/** Pages, of 100, that are looked through where there is no whole copy. */
const MOST_PAGES = 20;
/** Milliseconds for which what was looked through is kept. */
const KEPT = 30_000;

export interface AmountsAsker {
  owner: KeyOwner;
  billing: Pick<BillingClient, "listProducts">;
}

/**
 * What each listed period asks for on a day, out of the copy, else out of the service's list.
 * @param day the seller's calendar day, YYYY-MM-DD @param now milliseconds @throws AppError
 */
export async function readAmounts(
  db: Database,
  asker: AmountsAsker,
  day: string,
  now = Date.now(),
): Promise<Amounts> {
  const { state } = await readIndexStatus(db, asker.owner);
  const isWhole = state === "ready";
  return amountsOn(
    isWhole ? await readPriceSteps(db, asker.owner) : await readPriceStepsOnce(asker, now),
    day,
  );
}

const walked = new Map<string, { until: number; steps: Promise<PriceStep[]> }>();

/** Once, however many pages and days ask for it in a short time; what failed is asked for again. */
function readPriceStepsOnce({ owner, billing }: AmountsAsker, now: number): Promise<PriceStep[]> {
  for (const [key, { until }] of walked) if (until <= now) walked.delete(key);
  const key = `${owner.seller_id} ${owner.mode}`;
  const known = walked.get(key);
  if (known) return known.steps;
  const steps = scanListPages((page) => billing.listProducts(page), { most: MOST_PAGES }).then(
    ({ rows }) => rows.flatMap(priceSteps),
  );
  walked.set(key, { until: now + KEPT, steps });
  steps.catch(() => walked.delete(key));
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
 * A CTE `asked` of what each listed period asks for on a day.
 * @param day SQL of a date; the seller and the mode are $1 and $2
 */
export const askedAmountsCte = (day: string) =>
  `asked as materialized (select * from amounts_asked($1, $2, ${day}))`;

/** Joins it to a row with pbp_id, price and currency. */
export const joinAskedAmounts = (row: string) =>
  `left join asked on asked.pbp_id = ${row}.pbp_id and asked.price = ${row}.price
     and asked.currency = ${row}.currency`;
