import type { ReceivedStatus, Subscription } from "#contract/subscriptions.ts";
import { isDay } from "#lib/format/calendar.ts";
import { dayInZone, type Format } from "#lib/format/format.ts";
import {
  translateMessage,
  message,
  type MessageKey,
  type Translate,
  type TranslateAll,
} from "#lib/i18n/message.ts";
import type { BulkItem } from "./queries.ts";
import {
  billingDay,
  shiftBillingDay,
  unavailableReason,
  type SubscriptionClock,
  type Operation,
} from "../rules.ts";

/** Days after which a bulk run is hidden, and deleted with the buyers' names in it. */
export const BULK_RUN_KEPT_DAYS = 30;

export const MAX_SHIFT_DAYS = 3_650;

/** `undone`: a later run undid it. */
export const ITEM_STATES = [
  "waiting",
  "running",
  "done",
  "already",
  "refused",
  "failed",
  "unknown",
  "undone",
] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** The requested change; days are YYYY-MM-DD in the seller's zone. */
export type BulkChange =
  | { operation: "cancel" | "resume" }
  | { operation: "reschedule"; to: "day"; day: string }
  | { operation: "reschedule"; to: "shift"; days: number }
  /** Moves each subscription back to the earlier date stored under its id. */
  | { operation: "reschedule"; to: "back"; old: Record<string, string | null> };

export type BulkRecord = Pick<
  Subscription,
  | "subscription_id"
  | "status"
  | "current_period_start"
  | "current_period_end"
  | "next_billing_cycle"
>;

export interface ItemPlan {
  verdict: "change" | "already" | "refused";
  message: string | null;
  status: ReceivedStatus;
  day: string | null;
  target: string | null;
}

/** Plans the change of one record, by the same rules in the dry run and before each change. */
export function planChange(
  aim: BulkChange,
  record: BulkRecord,
  clock: SubscriptionClock,
): ItemPlan {
  const { status } = record;
  const day = billingDay(record, clock.time_zone);
  const target = targetOf(aim, record.subscription_id, day, clock);
  const plan = { status, day, target };
  const { operation } = aim;
  const already = reasonAlready(operation, record, day, target);
  if (already !== null) return { ...plan, verdict: "already", message: already };
  const obstacle =
    unavailableReason(operation, record) ??
    (operation === "reschedule" ? obstacleToDay(target, clock) : null);
  return { ...plan, verdict: obstacle === null ? "change" : "refused", message: obstacle };
}

/** Plans the undo of a done item from its last known state. */
export function planUndo(
  operation: Operation,
  item: Omit<BulkItem, "buyer" | "state" | "target_day" | "message">,
  clock: SubscriptionClock,
): ItemPlan {
  const { subscription_id, status_before, status_after, day_before, day_after } = item;
  const wanted = inverseOperation(operation);
  const aim: BulkChange =
    wanted === "reschedule"
      ? { operation: wanted, to: "back", old: { [subscription_id]: day_before } }
      : { operation: wanted };
  const record = {
    subscription_id,
    // The current record is unknown here; the dry run reads it.
    status: status_after ?? "",
    current_period_start: clock.now,
    current_period_end: day_after,
    next_billing_cycle: day_after,
  };
  const plan = planChange(aim, record, clock);
  // An earlier date does not restore the earlier status.
  const isOther =
    status_before !== null && status_after !== null && status_before !== status_after;
  return wanted === "reschedule" && isOther && plan.verdict === "change"
    ? { ...plan, verdict: "refused", message: OTHER_STATUS }
    : plan;
}

const OTHER_STATUS: MessageKey = "bulk.why.otherStatus";

function reasonAlready(
  operation: Operation,
  record: BulkRecord,
  day: string | null,
  target: string | null,
): MessageKey | null {
  const { status } = record;
  if (operation === "resume" && status === "active") return "bulk.why.active";
  if (operation === "cancel" && status === "pending_cancellation")
    return "subscriptions.obstacle.scheduled";
  if (operation === "reschedule" && target !== null && target === day)
    return "bulk.why.sameDate";
  return null;
}

const PAST = "bulk.why.past";

function obstacleToDay(
  target: string | null,
  { time_zone, now }: SubscriptionClock,
): MessageKey | null {
  if (target === null) return "bulk.why.noDate";
  return target < dayInZone(now, time_zone) ? PAST : null;
}

/** Why an item was not changed, in the user's language; messages of the service are unchanged. */
export function describeItemReason(
  t: TranslateAll,
  format: Pick<Format, "date">,
  { message: why, target }: Pick<ItemPlan, "message" | "target">,
): string {
  if (why === PAST && target !== null) return t(PAST, { date: format.date(target) });
  return why === null ? "" : translateMessage(t, why);
}

function targetOf(
  aim: BulkChange,
  subscription_id: string,
  day: string | null,
  { time_zone, now }: SubscriptionClock,
): string | null {
  if (aim.operation !== "reschedule") return null;
  if (aim.to === "day") return aim.day;
  if (aim.to === "back") return aim.old[subscription_id] ?? null;
  return shiftBillingDay(day, aim.days, dayInZone(now, time_zone));
}

/** Whether the record shows the change, which settles a lost answer. */
export function isChangeVisible(
  operation: Operation,
  target: string | null,
  record: BulkRecord,
  time_zone: string,
): boolean {
  if (operation === "reschedule") return billingDay(record, time_zone) === target;
  if (operation === "resume") return record.status === "active";
  return record.status === "pending_cancellation" || record.status === "cancelled";
}

/** An error in the requested change, as a message; null if there is none. */
export function bulkChangeProblem(
  aim: BulkChange,
  { time_zone, now }: SubscriptionClock,
): string | null {
  if (aim.operation !== "reschedule" || aim.to === "back") return null;
  if (aim.to === "shift")
    return Number.isInteger(aim.days) && aim.days !== 0 && Math.abs(aim.days) <= MAX_SHIFT_DAYS
      ? null
      : message("bulk.problem.days", { most: MAX_SHIFT_DAYS });
  if (!isDay(aim.day)) return message("bulk.problem.noDay");
  return aim.day < dayInZone(now, time_zone) ? message("bulk.problem.past") : null;
}

export type CountsByState = Record<ItemState, number>;

export function countStates(items: readonly { state: ItemState }[]): CountsByState {
  const counts = Object.fromEntries(ITEM_STATES.map((state) => [state, 0])) as CountsByState;
  for (const { state } of items) counts[state] += 1;
  return counts;
}

export const countUnfinished = (counts: CountsByState) =>
  counts.waiting + counts.running + counts.unknown;

export const inverseOperation = (operation: Operation): Operation =>
  (({ cancel: "resume", resume: "cancel", reschedule: "reschedule" }) as const)[operation];

/** The title of a bulk change, such as "Cancel 12 subscriptions". */
export const bulkRunTitle = (t: Translate<"bulk">, operation: Operation, count: number) =>
  t(`work.${operation}`, { count });
