import type { ReceivedStatus, Subscription } from "#contract/subscriptions.ts";
import { dayInZone, type Format } from "#lib/format/format.ts";
import type { Translate } from "#lib/i18n/message.ts";
import type { ChangedSubscription, SubscriptionRecord } from "#lib/subscriptions/queries.ts";
import { UNDONE_REASON } from "#lib/money/goodwill-reasons.ts";
import type { Leaving } from "#lib/money/leave-reasons.ts";
import type { Goodwill, OwedTreatment } from "#lib/subscriptions/goodwill/rules.ts";
import {
  billingDay,
  describeSubscriptionStatus,
  type SubscriptionClock,
} from "#lib/subscriptions/rules.ts";

/** The requested change; `day` is YYYY-MM-DD in the seller's zone. */
export type RequestedChange =
  | { operation: "cancel"; leaving: Leaving }
  | { operation: "resume" }
  | { operation: "reschedule"; day: string; goodwill?: Goodwill; owed?: OwedTreatment };

export type ChangeOutcome = (
  | { wish: RequestedChange; changed: ChangedSubscription; lost_at?: undefined }
  /** The answer was lost at this time (milliseconds): the outcome is unknown. */
  | { wish: RequestedChange; changed?: undefined; lost_at: number }
) & {
  /** The record as read after a lost answer; null if that failed too. */
  found?: Subscription | null | undefined;
};

interface OutcomeWords {
  title: string;
  text: string;
  undo: RequestedChange | null;
}

export interface OutcomeFormatters {
  t: Translate<"subscription">;
  format: Format;
  nameStatus: (status: ReceivedStatus) => string;
  clock: SubscriptionClock;
}

/** Describes what the record shows afterwards, which may differ from the request. */
export function describeOutcome(
  telling: OutcomeFormatters,
  outcome: ChangeOutcome,
): OutcomeWords {
  const { t } = telling;
  const { wish, changed, found } = outcome;
  if (!changed) return found ? describeFound(telling, wish, found) : describeLost(t, found);
  const { before, record } = changed;
  if (!record)
    return { title: t("outcome.accepted"), text: t("outcome.acceptedText"), undo: null };
  const after = record.subscription;
  if (wish.operation === "reschedule") return describeMoved(telling, wish, before, after);
  return wish.operation === "cancel"
    ? describeCancelled(telling, after)
    : {
        title: after.status === "active" ? t("outcome.resumed") : unlike(telling, after),
        text: statusText(telling, after, record.reached),
        undo: null,
      };
}

const statusText = (
  { t, format, clock }: OutcomeFormatters,
  subscription: Subscription,
  reached: SubscriptionRecord["reached"] = null,
) => describeSubscriptionStatus(t, format, subscription, clock, reached);

function describeLost(t: OutcomeFormatters["t"], found: null | undefined): OutcomeWords {
  return {
    title: t("outcome.lost"),
    text: found === undefined ? t("outcome.lostReading") : t("outcome.lostUnread"),
    undo: null,
  };
}

/** Describes the record after a lost answer; the change may still arrive later. */
function describeFound(
  telling: OutcomeFormatters,
  wish: RequestedChange,
  found: Subscription,
): OutcomeWords {
  const { t, clock } = telling;
  const text = statusText(telling, found);
  return isChangeApplied(wish, found, clock.time_zone)
    ? {
        title: t("outcome.foundDone"),
        text,
        undo: found.status === "pending_cancellation" ? { operation: "resume" } : null,
      }
    : {
        title: t("outcome.foundUndone"),
        text: t("outcome.foundUndoneText", { standing: text }),
        undo: null,
      };
}

const ENDING = new Set<string>(["pending_cancellation", "cancelled", "inactive"]);

export function isChangeApplied(
  wish: RequestedChange,
  found: Subscription,
  time_zone: string,
): boolean {
  if (wish.operation === "reschedule") return billingDay(found, time_zone) === wish.day;
  return wish.operation === "cancel" ? ENDING.has(found.status) : found.status === "active";
}

function describeCancelled(telling: OutcomeFormatters, after: Subscription): OutcomeWords {
  const { t } = telling;
  const text = statusText(telling, after);
  if (after.status === "pending_cancellation")
    return { title: t("outcome.scheduled"), text, undo: { operation: "resume" } };
  // Spec, Other rules 3: cancel may also take effect immediately.
  if (after.status === "cancelled" || after.status === "inactive")
    return { title: t("outcome.endedAtOnce"), text: t("outcome.endedAtOnceText"), undo: null };
  return { title: unlike(telling, after), text, undo: null };
}

function describeMoved(
  telling: OutcomeFormatters,
  { day: wanted, goodwill }: Extract<RequestedChange, { operation: "reschedule" }>,
  before: Subscription,
  after: Subscription,
): OutcomeWords {
  const { time_zone, now } = telling.clock;
  const old = billingDay(before, time_zone);
  const day = billingDay(after, time_zone);
  const today = dayInZone(now, time_zone);
  const isSameStatus = before.status === after.status;
  return {
    title: nameNewDay(telling, day, wanted),
    text: isSameStatus ? nameOldDay(telling, old) : nameStatuses(telling, before, after),
    // The service refuses a past date, and moving back does not restore a status.
    undo:
      isSameStatus && old !== null && old >= today && old !== day
        ? undoMove(old, goodwill)
        : null,
  };
}

function nameNewDay(
  { t, format }: OutcomeFormatters,
  day: string | null,
  wanted: string,
): string {
  if (day === null) return t("outcome.movedNowhere");
  const date = format.date(day);
  return day === wanted ? t("outcome.moved", { date }) : t("outcome.movedElsewhere", { date });
}

function nameOldDay({ t, format }: OutcomeFormatters, day: string | null): string {
  return day === null
    ? t("outcome.beforeUndated")
    : t("outcome.before", { date: format.date(day) });
}

function nameStatuses(
  { t, nameStatus }: OutcomeFormatters,
  before: Subscription,
  after: Subscription,
): string {
  return t("outcome.otherStatus", {
    before: nameStatus(before.status).toLowerCase(),
    after: nameStatus(after.status).toLowerCase(),
  });
}

const undoMove = (day: string, goodwill: Goodwill | undefined): RequestedChange => ({
  operation: "reschedule",
  day,
  ...(goodwill && { goodwill: { reason: UNDONE_REASON, words: "" } }),
});

const unlike = ({ t, nameStatus }: OutcomeFormatters, { status }: Subscription) =>
  t("outcome.unlike", { status: nameStatus(status) });
