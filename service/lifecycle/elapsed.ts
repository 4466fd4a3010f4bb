import type { Seller } from "../sellers/store.ts";
import { localDate } from "../subscriptions/periods.ts";
import type { SubscriptionRow } from "../subscriptions/store.ts";
import { transition, type Trigger } from "../subscriptions/transitions.ts";

/**
 * What time alone has brought about: the next step that is owed to a record, or null.
 * ADR 0109: a date has passed when that day is over where the seller is.
 */
export function elapsedTrigger(
  subscription: Pick<SubscriptionRow, "status" | "next_billing_cycle">,
  { time_zone, grace_days }: Pick<Seller, "time_zone" | "grace_days">,
  now: Date,
): Trigger | null {
  const { status, next_billing_cycle } = subscription;
  if (next_billing_cycle === null) return null;
  const today = localDate(now, time_zone);
  const daysPast = localDate(next_billing_cycle, time_zone).until(today).days;
  if (status === "active" && daysPast > 0) return "billing_date_passed";
  if (status === "pending_cancellation" && daysPast > 0) return "period_ended";
  // ADR 0107: the days of grace are whole days after the billing date.
  if (status === "due" && daysPast > grace_days) return "grace_elapsed";
  return null;
}

/** The record as time has left it, to show or to decide by; nothing is written. */
export function asOf<Row extends SubscriptionRow>(row: Row, seller: Seller, now: Date): Row {
  const trigger = elapsedTrigger(row, seller, now);
  if (trigger === null) return row;
  const move = transition(row.status, trigger, { isOneTime: row.is_one_time });
  return move.outcome === "changed" ? asOf({ ...row, status: move.to }, seller, now) : row;
}
