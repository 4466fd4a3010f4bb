export type Method = "wallet" | "bank";

export interface Charge {
  /** Ours, the same however often it is begun. */
  attempt_id: string;
  seller_id: number;
  method: Method;
  /** Decimal text. */
  amount: string;
  currency: string;
}

export interface BegunCharge {
  /** The provider's own name for it. */
  reference: string;
  /** Where the buyer confirms it. */
  page: string;
  /** When the provider ends it by itself, on the seller's clock; null if it never does. */
  expires_at: Date | null;
}

const FAILURE_REASONS = ["declined", "insufficient_balance", "timed_out"] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/**
 * All but pending are final. Left: the buyer went away and nothing was charged. `at`: when it failed,
 * on the seller's clock, if that was before it was asked about.
 */
export type Answer =
  | { state: "pending" }
  | { state: "approved" }
  | { state: "failed"; reason: FailureReason; at?: Date }
  | { state: "left" };

/**
 * Stands between the checkout and the money (ADR 0060). Each call can be repeated: after a lost answer
 * the checkout asks again and never guesses. A provider's notice only says which charge to ask about.
 */
export interface PaymentProvider {
  /** The source of its page for form-action, which blocks a form that is sent on to another. */
  readonly pageSource: string;
  begin(charge: Charge): Promise<BegunCharge>;
  inquire(reference: string): Promise<Answer>;
  /** Gives back what was approved but is owed no more. */
  giveBack(reference: string): Promise<void>;
}
