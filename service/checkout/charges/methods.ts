import type { CheckoutMethod } from "#contract/names.ts";
import type { Database } from "../../db/database.ts";
import type { PaymentContext } from "../provider.ts";
import { selectPaymentAccounts, type PaymentAccount } from "../account-store.ts";

/** A way to pay that the checkout offers. */
export interface PayMethod {
  /** The value that the form sends. */
  value: string;
  method: CheckoutMethod;
  /** The name that buyers read; null for the general name of its kind. */
  label: string | null;
  account_id: number | null;
  /** Whether the provider has the buyer sign in, and the seller asks for no code. */
  needsNoCode: boolean;
}

interface Price {
  total: string;
  currency: string;
}

const SANDBOX_METHODS: PayMethod[] = (["wallet", "bank"] as const).map((method) => ({
  value: method,
  method,
  label: null,
  account_id: null,
  needsNoCode: false,
}));

/**
 * The ways to pay a price, in the seller's order; in test mode the sandbox's wallet and bank while
 * no account is active.
 */
export async function usableMethods(
  { adapters, sandbox, mode }: Pick<PaymentContext, "adapters" | "sandbox" | "mode">,
  database: Database,
  sellerId: number,
  price: Price | null,
): Promise<PayMethod[]> {
  const accounts = await selectPaymentAccounts(database, sellerId, mode);
  const active = accounts.filter(({ is_active }) => is_active);
  if (active.length === 0) return sandbox ? SANDBOX_METHODS : [];
  return active.flatMap((account) => {
    const adapter = adapters.find(({ provider }) => provider === account.provider);
    if (!adapter || (price && !takes(account, adapter.can, price))) return [];
    const { account_id, provider: value } = account;
    const { method, can } = adapter;
    const needsNoCode = account.identifies_buyer && can.identifyBuyer;
    const label = account.label ?? adapter.label;
    return [{ value, method, label, account_id, needsNoCode }];
  });
}

function takes(
  account: Pick<PaymentAccount, "least" | "most">,
  can: PaymentContext["adapters"][number]["can"],
  { total, currency }: Price,
): boolean {
  const amount = Number(total);
  const least = [account.least, can.least].every(
    (one) => one === null || amount >= Number(one),
  );
  const most = [account.most, can.most].every((one) => one === null || amount <= Number(one));
  return can.currencies.includes(currency) && least && most;
}
