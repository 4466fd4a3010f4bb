import type { Outcome } from "./record-store.ts";

export interface DeliveryObserver {
  /** @param waited milliseconds from the change to its first attempt; null for later attempts */
  attempted: (outcome: Pick<Outcome, "state" | "duration_ms">, waited: number | null) => void;
  switchedOff: (reason: "gone" | "failing", webhookId: number) => void;
}

export const UNOBSERVED: DeliveryObserver = { attempted: () => {}, switchedOff: () => {} };
