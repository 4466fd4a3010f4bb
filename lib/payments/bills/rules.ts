import type { BillSettings } from "#contract/payments.ts";
import type { Failure } from "#lib/failure.ts";

/**
 * `elsewhere`: this dashboard did not open the seller's account. `not_offered`: the service issues
 * no bills. `has_channel`: whether messages can leave; null if unknown.
 */
export type BillSettingsResult =
  | { settings: BillSettings; has_channel: boolean | null }
  | { absence: "elsewhere" | "not_offered" }
  | { failure: Failure };
