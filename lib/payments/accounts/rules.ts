import type { PaymentAccounts, SavedPaymentAccount } from "#contract/payment-accounts.ts";
import type { Failure } from "#lib/failure.ts";

export type PayProvider = PaymentAccounts["providers"][number];
export type PayAccount = SavedPaymentAccount;

/** The stored accounts, and whether the current person has a password. */
export interface PayAccounts extends PaymentAccounts {
  has_password: boolean;
}

/**
 * `elsewhere`: this dashboard did not open the seller's account. `not_offered`: the service has no
 * payment accounts.
 */
export type PayAccountsResult =
  PayAccounts | { absence: "elsewhere" | "not_offered" } | { failure: Failure };

/** The list after one of its providers moved by a place; the same list at either end. */
export function movedProvider(
  order: readonly string[],
  provider: string,
  by: 1 | -1,
): string[] {
  const from = order.indexOf(provider);
  const to = from + by;
  if (from < 0 || to < 0 || to >= order.length) return [...order];
  return order.with(from, order[to] ?? provider).with(to, provider);
}
