import type { Seller } from "./store.ts";

/**
 * The seller's current time, used for subscriptions and prices; a sandbox seller can be ahead
 * of real time (ADR 0072). Codes, deliveries and leases use real time.
 */
export const sellerNow = ({ clock_offset_ms }: Pick<Seller, "clock_offset_ms">, now: Date) =>
  new Date(now.getTime() + clock_offset_ms);
