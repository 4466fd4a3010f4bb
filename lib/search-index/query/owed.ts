import "server-only";
import type pg from "pg";
import type { Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { ToPay } from "#lib/format/format.ts";
import { hasMovedDebtSql } from "#lib/money/debt.ts";
import type { Paging } from "#lib/list-answer.ts";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import type { Database } from "#lib/db/pool.ts";
import { type Amounts, amountsOn, type PriceStep, priceSteps } from "#lib/money/price.ts";
import { findRows, type FoundRows } from "./find-rows.ts";
import { readIndexStatus } from "./index-status.ts";

const IS_DUE = "status = 'due'";

/**
 * SQL of the amount of a row joined by joinCheckoutAmounts: what the checkout asks for, else the list
 * price.
 */
export const dueAmountSql = (row: string) => `coalesce(asked.amount, ${row}.price)`;

/** SQL condition: dueAmountSql is the list price. */
export const isListPriceSql = (row: string) =>
  `(asked.amount is null and ${row}.price is not null)`;

/** The CTE `debt`; see owedCtes. */
export const DEBT_CTE = `debt as materialized (
      select k.subscription_id, k.debt_left, k.debt_since,
             coalesce(nullif(k.debt_currency, ''), s.currency) as debt_currency,
             d.detail @> '{"is_list_price": true}' as debt_is_list_price,
             s.${IS_DUE} as is_due, s.product_id, s.product_name, s.plan_name
        from collection_state k
        join contact d on d.seller_id = $1 and d.mode = $2 and d.id = k.debt_id
        join indexed_subscription s
          on s.seller_id = $1 and s.mode = $2 and s.id = k.subscription_id
       where k.seller_id = $1 and k.mode = $2 and ${hasMovedDebtSql("k", "s.next_billing_cycle")})`;

interface OwedRows {
  /** SQL of the date that the amounts are for. */
  day: string;
  /** SQL condition on the subscriptions. */
  where: string;
  /** Further columns that `owed` returns. */
  columns?: readonly string[];
  /** Where the subscriptions are read; the narrow table is read faster, and has no search terms. */
  table?: "indexed_subscription" | "counted_subscription";
}

/**
 * CTEs that say who owes, and how much; $1 and $2 are the seller and the mode.
 *
 * - `asked`: the checkout amount of each listed period on the day.
 * - `debt`: the rest of a debt that was kept when the billing date was moved, until it is paid or
 *   waived.
 * - `owed`: one row for each subscription that is due or has a debt, with `is_due`, `due_amount` (null
 *   if it is not due or has no price), `due_is_list_price`, the debt's columns, and the sum as in
 *   `amountsOwed`: `amount`, `amount_currency` and `is_list_price`; without the debt if its currency
 *   differs (`has_two_currencies`).
 */
export function owedCtes({
  day,
  where,
  columns = [],
  table = "indexed_subscription",
}: OwedRows): string {
  const own = ["id", "status", "pbp_id", "price", "currency", ...columns].join(", ");
  const selected = `select ${own} from ${table} where ${where}`;
  const hasDebt = "id in (select subscription_id from debt)";
  const owing = `${selected} and ${IS_DUE} union all ${selected} and not ${IS_DUE} and ${hasDebt}`;
  return `${checkoutAmountsCte(day)},
    ${DEBT_CTE},
    owing as (
      ${owing}),
    owed as (
      select *,
             case when not is_due then debt_left
                  when debt_left is null or has_two_currencies then coalesce(due_amount, 0)
                  else coalesce(due_amount, 0) + debt_left end as amount,
             case when is_due then currency else debt_currency end as amount_currency,
             case when not is_due then debt_is_list_price
                  when debt_left is null or has_two_currencies then due_is_list_price
                  else due_is_list_price or debt_is_list_price end as is_list_price
        from (select r.*, r.${IS_DUE} as is_due,
                     case when r.${IS_DUE} then ${dueAmountSql("r")} end as due_amount,
                     ${isListPriceSql("r")} as due_is_list_price,
                     debt.debt_left, debt.debt_since, debt.debt_currency, debt.debt_is_list_price,
                     coalesce(r.${IS_DUE} and debt.debt_currency <> r.currency, false)
                       as has_two_currencies
                from owing r
                ${joinCheckoutAmounts("r")}
                left join debt on debt.subscription_id = r.id) as said)`;
}

export interface DueRow {
  subscription: Subscription;
  /**
   * All amounts owed; a debt in another currency is a second amount. Empty if the price is not a
   * number and there is no debt.
   */
  owed: ToPay[];
}

type OwedRow = ToPay & { id: string };

/**
 * A page of the due subscriptions, longest overdue first, each with all that it owes.
 * @param day the seller's calendar day, YYYY-MM-DD
 */
export async function findDueSubscriptions(
  pool: Pick<pg.Pool, "query" | "connect">,
  owner: KeyOwner,
  { day, paging }: { day: string; paging: Paging },
): Promise<FoundRows<DueRow>> {
  const found = await findRows<Subscription>(pool, owner, {
    list: "subscriptions",
    conditions: [() => IS_DUE],
    terms: [],
    order: { columns: ["next_billing_cycle"], isDescending: false, isNullable: true },
    paging,
  });
  const { rows } = await pool.query<OwedRow>(
    `with ${owedCtes({
      day: "$3::date",
      where: "seller_id = $1 and mode = $2 and id = any($4)",
    })}
     select id, amount::text, amount_currency as currency, is_list_price from owed
      where is_due and (due_amount is not null or debt_left is not null)
     union all
     select id, debt_left::text, debt_currency, debt_is_list_price from owed where has_two_currencies`,
    [owner.seller_id, owner.mode, day, found.results.map((one) => one.subscription_id)],
  );
  const owedBy = Map.groupBy(rows, ({ id }) => id);
  return {
    ...found,
    results: found.results.map((subscription) => ({
      subscription,
      owed: (owedBy.get(subscription.subscription_id) ?? []).map(
        ({ id: _id, ...owed }) => owed,
      ),
    })),
  };
}

/** Milliseconds for which the first page is cached. */
const KEPT = 30_000;

export interface AmountsContext {
  owner: KeyOwner;
  billing: Pick<BillingClient, "listProducts">;
}

/**
 * The checkout amount of each listed period on a day (YYYY-MM-DD): from the index; while it fills, for
 * the newest products.
 * @param now milliseconds
 */
export async function readAmounts(
  db: Database,
  asker: AmountsContext,
  day: string,
  now = Date.now(),
): Promise<Amounts> {
  const { state } = await readIndexStatus(db, asker.owner);
  const steps =
    state === "ready" ? await readPriceSteps(db, asker.owner) : await readFirstPage(asker, now);
  return amountsOn(steps, day);
}

const firstPages = new Map<string, { until: number; steps: Promise<PriceStep[]> }>();

/** The API's first page, cached for a short time; failures are not cached. */
function readFirstPage({ owner, billing }: AmountsContext, now: number): Promise<PriceStep[]> {
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
  const { rows } = await db.query<{ price_steps: PriceStep[]; is_listed: boolean }>(
    `select id, price_steps, true as is_listed from mirror_product
      where seller_id = $1 and mode = $2
     union all
     select id, price_steps, false from mirror_unlisted_price where seller_id = $1 and mode = $2
     order by id`,
    [seller_id, mode],
  );
  const stepsOf = (wanted: boolean) =>
    rows.flatMap(({ price_steps, is_listed }) => (is_listed === wanted ? price_steps : []));
  const listed = stepsOf(true);
  const known = new Set(listed.map(({ pbp_id }) => pbp_id));
  return [...listed, ...stepsOf(false).filter(({ pbp_id }) => !known.has(pbp_id))];
}

/** The CTE `asked`; see owedCtes. */
export const checkoutAmountsCte = (day: string) =>
  `asked as materialized (select * from amounts_asked($1, $2, ${day}))`;

/** Joins `asked` to a row with pbp_id, price and currency. */
export const joinCheckoutAmounts = (row: string) =>
  `left join asked on asked.pbp_id = ${row}.pbp_id and asked.price = ${row}.price
     and asked.currency = ${row}.currency`;
