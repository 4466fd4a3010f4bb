import type { AccountBillPage, BillSettings } from "#contract/payments.ts";
import type { Failure } from "#lib/failure.ts";

/**
 * `elsewhere`: this dashboard did not open the seller's account. `not_offered`: the service issues
 * no bills. `has_channel`: whether messages can be sent; null if unknown.
 */
export type BillSettingsResult =
  | { settings: BillSettings; has_channel: boolean | null }
  | { absence: "elsewhere" | "not_offered" }
  | { failure: Failure };

/** A page of bills, the newest first; null if the service issues none. */
export type BillListResult =
  | {
      bills: AccountBillPage["results"];
      /**
       * Totals of all bills that match; empty for members who may not see sums, and on later pages.
       */
      totals: NonNullable<AccountBillPage["totals"]>;
      next: string | null;
      /** The years that can be chosen, newest first. */
      years: string[];
      months: string[];
      /** The current month by the service's clock, YYYY-MM. */
      newest: string;
    }
  | { failure: Failure }
  | null;
