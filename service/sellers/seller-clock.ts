import type { Seller } from "./store.ts";

/**
 * The seller's own time: ADR 0072, a sandbox seller can be ahead of the clock that was passed in.
 * What subscriptions and prices go by; codes, deliveries and leases keep to the clock itself.
 */
export const sellerNow = ({ clock_offset_ms }: Pick<Seller, "clock_offset_ms">, now: Date) =>
  new Date(now.getTime() + clock_offset_ms);
