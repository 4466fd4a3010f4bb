import type { CheckoutMethod } from "#contract/names.ts";
import type { ServiceContext } from "../context.ts";
import { createSandboxProvider } from "./sandbox-provider.ts";

export interface Charge {
  /** The attempt's id at the checkout; the same each time `begin` is called. */
  attempt_id: string;
  seller_id: number;
  method: CheckoutMethod;
  amount: string;
  currency: string;
}

export interface StartedCharge {
  reference: string;
  page: string;
  /** When the provider times the payment out, on the seller's clock; null if never. */
  expires_at: Date | null;
}

export type FailureReason = "declined" | "insufficient_balance" | "timed_out";

/**
 * All but pending are final. `left`: the buyer abandoned it and nothing was charged. `at`: when
 * it failed, on the seller's clock, if that was before it was asked about.
 */
export type ProviderResult =
  | { state: "pending" }
  | { state: "approved" }
  | { state: "failed"; reason: FailureReason; at?: Date }
  | { state: "left" };

/**
 * The interface to a payment provider (ADR 0060). Each call can be repeated: after a lost
 * answer the checkout asks again and never guesses. A provider's notice only says which payment
 * to ask about.
 */
export interface PaymentProvider {
  /**
   * The provider's origin for form-action in our policy, which otherwise blocks redirects of the
   * form to its page.
   */
  readonly pageSource: string;
  begin(charge: Charge): Promise<StartedCharge>;
  inquire(reference: string): Promise<ProviderResult>;
  /** Refunds an approved payment that is no longer owed. */
  refund(reference: string): Promise<void>;
}

export interface PaymentContext {
  pool: ServiceContext["pool"];
  now: () => Date;
  mode: ServiceContext["mode"];
  provider: PaymentProvider;
}

/** The only place that chooses a provider; null if there is none, so that nothing can be paid. */
export function paymentContext({
  pool,
  now,
  mode,
}: Pick<ServiceContext, "pool" | "now" | "mode">): PaymentContext | null {
  return mode === "test"
    ? { pool, now, mode, provider: createSandboxProvider(pool, now) }
    : null;
}
