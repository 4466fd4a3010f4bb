export const EVENT_KINDS = [
  "checkout.succeeded",
  "checkout.failed",
  "subscription.status_changed",
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];
