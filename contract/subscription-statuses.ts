/** Separate from the schemas, so that browsers need not load zod to know the names. */
export const SUBSCRIPTION_STATUSES = [
  "pending_checkout",
  "active",
  "due",
  "pending_cancellation",
  "cancelled",
  "inactive",
] as const;
