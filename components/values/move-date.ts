import { createContext, use } from "react";
import type { Subscription } from "#contract/subscriptions.ts";
import type { Debt } from "#lib/money/debt.ts";

/** The fields of a subscription that moving its billing date needs. */
export interface MovableSubscription extends Pick<
  Subscription,
  "subscription_id" | "status" | "next_billing_cycle" | "current_period_end"
> {
  product: Pick<Subscription["product"], "pbp_id" | "price" | "currency">;
}

export interface DateMove {
  subscription: MovableSubscription;
  debt: Debt | null;
}

/**
 * Opens the dialog that moves a billing date; null if the page has no such dialog or the role may not move
 * dates.
 */
export const MoveDateContext = createContext<((asked: DateMove) => void) | null>(null);

export const useMoveDate = () => use(MoveDateContext);
