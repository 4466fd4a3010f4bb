import "server-only";
import { hasPassword } from "#lib/auth/guards/confirm-person.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { findAccountClient } from "#lib/billing/account.ts";
import { PaymentAccountClient } from "#lib/billing/payment-client.ts";
import { database } from "#lib/db/pool.ts";
import { expectedFailure, isMissing } from "#lib/failure.ts";
import { translateSettings } from "#lib/i18n/setting-texts.ts";
import type { Scope } from "#lib/scope.ts";
import type { PayAccountsResult } from "./rules.ts";

/** The providers that the seller's buyers can use, and the others that are available. */
export async function listPayAccounts(scope: Scope): Promise<PayAccountsResult> {
  const { owner, user } = await requireSeller(scope, "connection:read");
  const client = await findAccountClient(owner, PaymentAccountClient);
  if (!client) return { absence: "elsewhere" };
  try {
    const accounts = await client.list();
    return {
      ...accounts,
      providers: await translateSettings(accounts.providers),
      has_password: await hasPassword(database(), user.id),
    };
  } catch (error) {
    if (isMissing(error)) return { absence: "not_offered" };
    return { failure: expectedFailure(error) };
  }
}
