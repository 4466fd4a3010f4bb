import { ProviderFault, type ProviderCharge } from "../../providers/provider.ts";
import { noteAnswer, noteFault } from "../account-store.ts";
import type { OpenProvider, PaymentContext } from "../provider.ts";
import type { Charge } from "./store.ts";

/** Milliseconds without calls for an account whose credentials the provider refused. */
const CREDENTIALS_PAUSE = 300_000;

export const toProviderCharge = (charge: Charge): ProviderCharge => ({
  seller_id: charge.seller_id,
  charge_id: charge.charge_id,
  reference: charge.reference,
  amount: charge.amount,
  currency: charge.currency,
  begun_at: charge.begun_at,
  transaction_id: charge.transaction_id,
});

/** Calls a provider, and records for the account whether it answers. */
export async function callProvider<Answer>(
  { pool, now }: PaymentContext,
  { account, settings }: OpenProvider,
  call: (settings: OpenProvider["settings"]) => Promise<Answer>,
): Promise<Answer> {
  if (!account) return call(settings);
  const { account_id } = account;
  try {
    const answer = await call(settings);
    await noteAnswer(pool, account_id);
    return answer;
  } catch (error) {
    const fault = error instanceof ProviderFault ? error : null;
    const isRefused = fault?.kind === "credentials";
    await noteFault(pool, account_id, {
      now: now(),
      pause: isRefused ? CREDENTIALS_PAUSE : (fault?.retryAfter ?? 0) * 1_000,
      problem: isRefused ? fault.message : null,
    });
    throw error;
  }
}
