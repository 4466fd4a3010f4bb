import { createContext, use } from "react";
import type { Subscription } from "#contract/subscriptions.ts";

/** Opens what moves a subscription's billing date; null where a page has no such thing, or nobody may. */
export const MoveDateContext = createContext<((subscription: Subscription) => void) | null>(
  null,
);

export const useMoveDate = () => use(MoveDateContext);
