/** Apart from what is checked by them: a browser need not load a checker to know their names. */
export const SUBSCRIPTION_STATUSES = [
  "pending_checkout",
  "active",
  "due",
  "pending_cancellation",
  "cancelled",
  "inactive",
] as const;
