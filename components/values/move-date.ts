import { createContext, use } from "react";
import type { Subscription } from "#contract/subscriptions.ts";
import type { Debt } from "#lib/money/debt.ts";

export interface ToMove {
  subscription: Subscription;
  debt: Debt | null;
}

/** Opens what moves a subscription's billing date; null where a page has no such thing, or nobody may. */
export const MoveDateContext = createContext<((asked: ToMove) => void) | null>(null);

export const useMoveDate = () => use(MoveDateContext);
