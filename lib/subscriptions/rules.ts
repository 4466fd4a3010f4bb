import type {
  Subscription,
  SubscriptionPage,
  SubscriptionStatus,
} from "#contract/subscriptions.ts";
import type { Failure } from "#lib/failure.ts";
import { addDays, addMonths, daysBetween, endOfMonth } from "#lib/format/calendar.ts";
import { calendarDay, dayInZone, type Format } from "#lib/format/format.ts";
import type { MessageKey, Translate } from "#lib/i18n/message.ts";
import { isOneTimePurchase, type BillingDates } from "#lib/money/payable.ts";
import type { SubscriptionCounts } from "#lib/search-index/query/subscription-query.ts";
import type { DateSource } from "./date-source.ts";

/** How many more rows the unfiltered list has than its counters say: the one-time purchases. */
export function uncountedRows(page: Pick<SubscriptionPage, "count" | "total_subscriptions">) {
  const { count, total_subscriptions } = page;
  return count === null || total_subscriptions === null
    ? 0
    : Math.max(0, count - total_subscriptions);
}

/**
 * Whether the failure can mean that the buyer already has an active subscription of this period:
 * 400 has other causes too.
 */
export const mayBeDuplicate = (failure: Failure): boolean =>
  failure.kind === "conflict" && failure.status === undefined;

/**
 * Whether create reused an unpaid subscription: the answer does not say so.
 * @param waiting the newest unpaid subscriptions before; null if they could not be read
 * @param copied the indexed record from before, or null
 */
export function detectReuse(
  created: { subscription_id: string; created_at: string },
  waiting: Pick<SubscriptionPage, "results" | "next"> | null,
  copied: { before: Subscription | null } | null = null,
): { is_reused: boolean | null; before: Subscription | null } {
  const isIt = (one: Subscription) => one.subscription_id === created.subscription_id;
  const before = copied?.before ?? waiting?.results.find(isIt) ?? null;
  if (copied) return { is_reused: true, before };
  if (!waiting) return { is_reused: null, before: null };
  const [newest] = waiting.results;
  if (before || !newest || waiting.next === null) return { is_reused: before !== null, before };
  // Lists are newest first: a record older than the first existed before.
  const [own, first] = [created.created_at, newest.created_at].map((at) => Date.parse(at));
  if (!own || !first) return { is_reused: null, before };
  return { is_reused: own < first, before };
}

/**
 * Whether a filtered page's counters count everything. The specification does not say; counters of
 * the filtered rows alone are never above the row count.
 */
export function areCountersWhole(
  page: Pick<SubscriptionPage, "count" | "total_subscriptions">,
  status: string | null,
): boolean {
  const { count, total_subscriptions: total } = page;
  return status === null || count === null || total === null || total > count;
}

export type ApiCounters = Pick<
  SubscriptionPage,
  | "total_subscriptions"
  | "active_subscriptions"
  | "due_subscriptions"
  | "inactive_subscriptions"
>;

interface Counting {
  /** The counts of the search index; null if it cannot count. */
  counts: SubscriptionCounts | null;
  /** The API's counters, which exist for some statuses only. */
  page: ApiCounters | undefined;
}

/**
 * Counts a status, the paid one-time purchases, or everything (null).
 * @returns null if unknown, undefined while loading
 */
export function countOfStatus(
  { counts, page }: Counting,
  status: SubscriptionStatus | "one_time" | null,
): number | null | undefined {
  if (counts && status === "one_time") return counts.one_time;
  if (counts) return status === null ? counts.all : (counts.statuses[status] ?? 0);
  if (!page) return undefined;
  if (status === null) return page.total_subscriptions;
  if (status === "active") return page.active_subscriptions;
  if (status === "due") return page.due_subscriptions;
  return status === "inactive" ? page.inactive_subscriptions : null;
}

export const OPERATIONS = ["cancel", "resume", "reschedule"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** The most subscriptions of a bulk change, because each is read and changed by its own calls. */
export const BULK_LIMIT = 500;

const ENDED = "subscriptions.obstacle.ended";
const UNPAID = "subscriptions.obstacle.unpaid";
const NOTHING_TO_RESUME = "subscriptions.obstacle.nothingToResume";

/**
 * The operations that the specification clearly forbids by status; the service decides about
 * others.
 */
const OBSTACLES: Partial<Record<string, Partial<Record<Operation, MessageKey>>>> = {
  pending_checkout: { cancel: UNPAID, resume: UNPAID, reschedule: UNPAID },
  active: { resume: NOTHING_TO_RESUME },
  due: { cancel: "subscriptions.obstacle.due", resume: NOTHING_TO_RESUME },
  pending_cancellation: {
    cancel: "subscriptions.obstacle.scheduled",
    reschedule: "subscriptions.obstacle.ending",
  },
  cancelled: { cancel: ENDED, resume: ENDED, reschedule: ENDED },
  inactive: { cancel: ENDED, resume: ENDED, reschedule: ENDED },
};

/** The message that explains why the operation is impossible; null if it may be tried. */
export function unavailableReason(
  operation: Operation,
  subscription: Pick<Subscription, "status">,
): MessageKey | null {
  return OBSTACLES[subscription.status]?.[operation] ?? null;
}

/** The next billing date, or the last day; YYYY-MM-DD in the seller's zone. */
export function billingDay(
  subscription: Pick<BillingDates, "next_billing_cycle" | "current_period_end">,
  timeZone: string,
): string | null {
  const { next_billing_cycle, current_period_end } = subscription;
  const moment = next_billing_cycle ?? current_period_end;
  return moment === null ? null : calendarDay(moment, timeZone);
}

export interface SubscriptionClock {
  time_zone: string;
  now: string;
}

/**
 * Describes the status in a sentence or two. It says that an active subscription is paid only if
 * `reached` does.
 */
export function describeSubscriptionStatus(
  t: Translate<"subscription">,
  format: Format,
  subscription: BillingDates,
  { time_zone, now }: SubscriptionClock,
  reached: DateSource = null,
): string {
  if (isOneTimePurchase(subscription)) return t("standing.oneTime");
  const day = billingDay(subscription, time_zone);
  const today = dayInZone(now, time_zone);
  const at = day === null ? null : { date: format.date(day), when: format.relativeDay(day) };
  const isPast = day !== null && day < today;
  switch (subscription.status) {
    case "pending_checkout":
      return t("standing.pendingCheckout");
    case "active":
      if (!at) return t("standing.activeUndated");
      if (isPast) return t("standing.activePast", at);
      if (reached?.by === "payment") return t("standing.activePaid", at);
      return reached === null
        ? t("standing.active", at)
        : t("standing.activeMoved", {
            ...at,
            who: reached.is_own ? "you" : reached.name === null ? "nobody" : "somebody",
            name: reached.name ?? "",
          });
    case "due":
      return at ? t("standing.due", at) : t("standing.dueUndated");
    case "pending_cancellation":
      if (!at) return t("standing.endingUndated");
      return isPast ? t("standing.endingPast", at) : t("standing.ending", at);
    case "cancelled":
      return at ? t("standing.cancelled", { date: at.date }) : t("standing.cancelledUndated");
    case "inactive":
      return t("standing.inactive");
    default:
      return t("standing.unknown");
  }
}

/**
 * The day from which a move counts: the billing date, or today if that has passed or is missing.
 */
const countedFrom = (day: string | null, today: string) =>
  day !== null && day > today ? day : today;

export const shiftBillingDay = (day: string | null, days: number, today: string) =>
  addDays(countedFrom(day, today), days);

export function billingDayChoices(day: string | null, today: string) {
  const from = countedFrom(day, today);
  const end = endOfMonth(from);
  return [
    { name: "week", day: shiftBillingDay(day, 7, today) },
    { name: "month", day: addMonths(from, 1) },
    { name: "endOfMonth", day: end === from ? endOfMonth(addDays(from, 1)) : end },
  ] as const;
}

/** Describes a move of the billing date, such as "7 days given to the buyer." */
export function describeMove(t: Translate<"subscription">, from: string, to: string): string {
  const days = daysBetween(from, to);
  return t(days > 0 ? "reschedule.given" : "reschedule.taken", { count: Math.abs(days) });
}
