import type { EventKind } from "#contract/names.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import type { Seller } from "../sellers/store.ts";
import { localDate } from "#contract/process/local-day.ts";
import type { SubscriptionRow } from "./store.ts";
import { findTransition, type Trigger } from "./transitions.ts";

type Timed = Pick<SubscriptionRow, "status" | "next_billing_cycle">;
type Rules = Pick<Seller, "time_zone" | "grace_days">;

/**
 * The next time-based change and when it is due; null for none. Spec choice, time zone of
 * dates: a date has passed when that day is over in the seller's time zone.
 */
export function nextTimedChange(
  { status, next_billing_cycle }: Timed,
  { time_zone, grace_days }: Rules,
): { trigger: Trigger; at: Date } | null {
  if (next_billing_cycle === null) return null;
  const billingDate = localDate(next_billing_cycle, time_zone);
  const endOf = (days: number) =>
    new Date(billingDate.add({ days: days + 1 }).toZonedDateTime(time_zone).epochMilliseconds);
  if (status === "active") return { trigger: "billing_date_passed", at: endOf(0) };
  if (status === "pending_cancellation") return { trigger: "period_ended", at: endOf(0) };
  // Spec choice, grace period: whole days after the billing date.
  if (status === "due") return { trigger: "grace_elapsed", at: endOf(grace_days) };
  return null;
}

/** A time-based change, with the time it became due, not when it was noticed. */
export interface TimedChange {
  at: Date;
  trigger: Trigger;
  from: SubscriptionStatus;
  to: SubscriptionStatus;
  events: readonly EventKind[];
}

/** All time-based changes until then, in order: due, then inactive. */
export function timedChangesUntil(
  row: Timed & Pick<SubscriptionRow, "is_one_time">,
  seller: Rules,
  until: Date,
): TimedChange[] {
  const step = nextTimedChange(row, seller);
  if (!step || step.at > until) return [];
  const move = findTransition(row.status, step.trigger, { isOneTime: row.is_one_time });
  if (move.outcome !== "changed") return [];
  const change = { ...step, from: row.status, to: move.to, events: move.events };
  return [change, ...timedChangesUntil({ ...row, status: move.to }, seller, until)];
}

/** The subscription with its status as of that time; nothing is written. */
export function subscriptionAsOf<Row extends SubscriptionRow>(
  row: Row,
  seller: Seller,
  now: Date,
): Row {
  const last = timedChangesUntil(row, seller, now).at(-1);
  return last ? { ...row, status: last.to } : row;
}
