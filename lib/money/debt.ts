import { addDecimals, isDecimal } from "#lib/format/decimal.ts";
import type { ToPay } from "#lib/format/format.ts";

/** A debt that was kept when the billing date was moved; stored in `collection_state`. */
export interface Debt {
  /** A decimal text. */
  amount: string;
  currency: string;
  /** The date that passed unpaid, YYYY-MM-DD. */
  since: string;
  /** The name of the member who kept the debt. */
  name: string;
  at: string;
  reason: string;
  text: string | null;
  /** Whether some of it was a list price. */
  is_list_price: boolean;
}

/** The text if it is an amount, else "0". */
export const amountOrZero = (text: string) =>
  text.length <= 30 && isDecimal(text) ? text : "0";

/**
 * The amount to pay. With a kept debt: the due amount plus the debt, or only the debt if nothing is
 * due; two amounts if their currencies differ.
 */
export function amountsOwed(
  { status }: { status: string },
  to_pay: ToPay,
  debt: Debt | null,
): [ToPay, ...ToPay[]] {
  if (debt === null) return [to_pay];
  const { amount, is_list_price } = debt;
  const kept = { amount, currency: debt.currency || to_pay.currency, is_list_price };
  if (status !== "due") return [kept];
  if (kept.currency !== to_pay.currency) return [to_pay, kept];
  return [
    {
      ...kept,
      amount: addDecimals(amountOrZero(to_pay.amount), amount),
      is_list_price: to_pay.is_list_price || is_list_price,
    },
  ];
}

/** Sums by currency; invalid amounts are left out. */
export function sumToPay(each: readonly ToPay[]): ToPay[] {
  const sums = new Map<string, ToPay>();
  for (const { amount, currency, is_list_price } of each) {
    if (!isDecimal(amount)) continue;
    const sum = sums.get(currency) ?? { amount: "0", currency, is_list_price: false };
    sums.set(currency, {
      currency,
      amount: addDecimals(sum.amount, amount),
      is_list_price: sum.is_list_price || is_list_price,
    });
  }
  return [...sums.values()].toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
}

/**
 * SQL condition: the billing date was moved after the debt arose, and some debt is left. Before it
 * is moved, the subscription counts as due.
 */
export const hasMovedDebtSql = (state: string, cycle: string) =>
  `(${state}.debt_left is not null and ${state}.debt_cycle is distinct from ${cycle})`;

/**
 * SQL of the debt as JSON; null if none is left or the date was not moved.
 * @param state the alias of `collection_state`
 * @param cycle the current billing date
 */
export const debtSql = (state: string, cycle: string) => `
  (select json_build_object('amount', ${state}.debt_left::text, 'currency', ${state}.debt_currency,
            'since', ${state}.debt_since, 'name', d.person_name, 'at', d.at,
            'reason', d.detail->>'reason', 'text', d.detail->>'text',
            'is_list_price', d.detail @> '{"is_list_price": true}')
     from contact d
    where d.seller_id = ${state}.seller_id and d.mode = ${state}.mode and d.id = ${state}.debt_id
      and ${hasMovedDebtSql(state, cycle)})`;

/**
 * SQL condition: the last contact is about this billing date, or about an earlier one that is still
 * owed.
 */
export const isCurrentContactSql = (
  state: string,
  cycle: string,
) => `(${state}.subscription_id is not null
  and (${state}.cycle is not distinct from ${cycle}
    or ${state}.debt_left is not null and ${state}.cycle = ${state}.debt_cycle))`;
