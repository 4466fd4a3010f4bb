/** What a buyer owed when their billing date was moved, and still does: `collection_state` has it. */
export interface Debt {
  /** A decimal text. */
  amount: string;
  currency: string;
  /** The date that passed unpaid, YYYY-MM-DD. */
  since: string;
  /** Who kept it, when (ISO), and why. */
  name: string;
  at: string;
  reason: string;
  text: string | null;
}

/**
 * SQL of the debt as JSON; null where none is left, or where the date that passed still stands: then it is due.
 * @param state the alias of `collection_state` @param cycle the billing date as it is
 */
export const debtSql = (state: string, cycle: string) => `
  (select json_build_object('amount', ${state}.debt_left::text, 'currency', ${state}.debt_currency,
            'since', ${state}.debt_since, 'name', d.person_name, 'at', d.at,
            'reason', d.detail->>'reason', 'text', d.detail->>'text')
     from contact d
    where d.seller_id = ${state}.seller_id and d.mode = ${state}.mode and d.id = ${state}.debt_id
      and ${state}.debt_left is not null and ${state}.debt_cycle is distinct from ${cycle})`;

/** SQL: whether what was said last is about this billing date, or about one that is still owed for. */
export const aboutSql = (state: string, cycle: string) => `(${state}.subscription_id is not null
  and (${state}.cycle is not distinct from ${cycle}
    or ${state}.debt_left is not null and ${state}.cycle = ${state}.debt_cycle))`;
