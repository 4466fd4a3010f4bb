import { createContext, use } from "react";
import type { Subscription } from "#contract/subscriptions.ts";
import type { Debt } from "#lib/money/debt.ts";

export interface DateMove {
  subscription: Subscription;
  debt: Debt | null;
}

/** Opens the dialog that moves a billing date; null if the page has none or the role may not. */
export const MoveDateContext = createContext<((asked: DateMove) => void) | null>(null);

export const useMoveDate = () => use(MoveDateContext);
