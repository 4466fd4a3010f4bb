import type { Subscription } from "#contract/subscriptions.ts";

const ENDED = new Set<string>(["cancelled", "inactive"]);

export const hasEnded = (status: string) => ENDED.has(status);

/** The next billing date; ended subscriptions have none, whatever the record says. */
export const nextBilling = ({
  status,
  next_billing_cycle,
}: Pick<Subscription, "status" | "next_billing_cycle">): string | null =>
  hasEnded(status) ? null : next_billing_cycle;
