import type { MonthlyStatement } from "#contract/payments.ts";
import type { Failure } from "#lib/failure.ts";
import type { Translate } from "#lib/i18n/message.ts";

export interface StatementPage {
  month: string;
  /** The current month by the service's clock. */
  newest: string;
  /** Null if the service keeps no ledger. */
  statement: MonthlyStatement | Failure | null;
}

type Named = Pick<MonthlyStatement["accounts"][number], "account" | "label" | "provider">;

/** The name of a ledger account. */
export function accountName(
  t: Translate<"statement">,
  { account, label, provider }: Named,
): string {
  if (account === "provider") return label ?? provider ?? "";
  const key = `accounts.${account}` as "accounts.cash";
  return t(key);
}
