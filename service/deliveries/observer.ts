import type { Outcome } from "./record-store.ts";

/** Who is told how the work goes. */
export interface DeliveryObserver {
  /** @param waited milliseconds from the change to its first attempt; null for any other attempt */
  attempted: (outcome: Pick<Outcome, "state" | "duration_ms">, waited: number | null) => void;
  switchedOff: (reason: "gone" | "failing", webhookId: number) => void;
}

export const UNOBSERVED: DeliveryObserver = { attempted: () => {}, switchedOff: () => {} };
