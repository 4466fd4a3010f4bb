import { useTranslations } from "next-intl";
import { useQuery } from "@tanstack/react-query";
import { useFormat, useScope, useSeller } from "#components/context/seller-context.tsx";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import {
  AlarmClock,
  CalendarClock,
  CircleAlert,
  Hourglass,
  TimerReset,
} from "#components/ui/icons.tsx";
import { dayInZone } from "#lib/format/format.ts";
import { collectionSettingsQuery, type QueueEntry } from "#lib/collection/queries.ts";
import type { CollectionStatus } from "#lib/collection/rules.ts";

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** Formats a past moment, such as "just now", "5 minutes ago", "today at 14:05" or "2 days ago". */
export function useRelativeTime(): (at: string) => string {
  const t = useTranslations("collection.ago");
  const now = useServiceNow();
  const format = useFormat(now);
  return (at) => {
    const minutes = Math.floor((Date.parse(now) - Date.parse(at)) / MINUTE_MS);
    if (minutes < 1) return t("now");
    if (minutes < HOUR_MINUTES) return t("minutes", { count: minutes });
    const day = format.relativeDay(at);
    return minutes < 24 * HOUR_MINUTES ? t("today", { day, time: format.time(at) }) : day;
  };
}

const LOOKS: Record<NonNullable<CollectionStatus["group"]>, BadgeLook> = {
  grace: { icon: AlarmClock, tone: "danger" },
  due: { icon: CalendarClock, tone: "due" },
  waiting: { icon: Hourglass, tone: "pending" },
  soon: { icon: TimerReset, tone: "active" },
};

const FAILED_LOOK: BadgeLook = { icon: CircleAlert, tone: "danger" };

/** Why the buyer is in the queue. */
export function StatusBadges({ status }: { status: CollectionStatus }) {
  const t = useTranslations("collection");
  const { group, left, overdue, until, waiting, is_failed } = status;
  const [words, count] =
    group === "soon"
      ? (["until", until] as const)
      : group === "waiting"
        ? (["waiting", waiting] as const)
        : left !== null
          ? (["left", left] as const)
          : (["overdue", overdue] as const);
  return (
    <>
      {group && (
        <Badge {...LOOKS[group]}>{t(`standing.${words}`, { count: count ?? 0 })}</Badge>
      )}
      {is_failed && <Badge {...FAILED_LOOK}>{t("chips.failed")}</Badge>}
    </>
  );
}

export function useBuyerName(): (entry: Pick<QueueEntry, "subscription">) => string {
  const t = useTranslations("collection");
  return ({ subscription: { client } }) => client.full_name || client.phone || t("nameless");
}

/** The collection's time, ISO: the sandbox's clock if it is ahead. */
export function useServiceNow(): string {
  const { now } = useSeller();
  const { data } = useQuery(collectionSettingsQuery(useScope()));
  return data?.clock_ahead ? new Date(Date.parse(now) + data.clock_ahead).toISOString() : now;
}

/** The collection's day in the seller's time zone, YYYY-MM-DD. */
export function useToday(): string {
  const { time_zone } = useSeller();
  return dayInZone(useServiceNow(), time_zone);
}
