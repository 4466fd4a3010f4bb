import { AlarmClock, CalendarClock, CircleAlert, Hourglass, TimerReset } from "lucide-react";
import { useTranslations } from "next-intl";
import { useQuery } from "@tanstack/react-query";
import { useFormat } from "#components/values/use-format.ts";
import type { BadgeLook } from "#components/ui/badge.tsx";
import { collectionSettingsQuery, type QueueEntry } from "#lib/collection/queries.ts";
import type { CollectionStatus } from "#lib/collection/rules.ts";
import { useScope, useSeller } from "#components/context/seller-context.tsx";

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** "just now", "5 minutes ago", "today at 14:05", "2 days ago" */
export function useAgo(): (at: string) => string {
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
  grace: { icon: AlarmClock, className: "bg-danger-soft text-danger" },
  due: { icon: CalendarClock, className: "bg-due-soft text-due" },
  waiting: { icon: Hourglass, className: "bg-pending-soft text-pending" },
  soon: { icon: TimerReset, className: "bg-active-soft text-active" },
};

export const FAILED_LOOK: BadgeLook = {
  icon: CircleAlert,
  className: "bg-danger-soft text-danger",
};

/** The badge of a buyer's status. */
export function useStatusWords() {
  const t = useTranslations("collection.standing");
  return ({ status }: Pick<QueueEntry, "status">): { text: string; look: BadgeLook } | null => {
    const { group, left, overdue, until, waiting } = status;
    if (group === null) return null;
    const look = LOOKS[group];
    if (group === "soon") return { text: t("until", { count: until ?? 0 }), look };
    if (group === "waiting") return { text: t("waiting", { count: waiting ?? 0 }), look };
    if (left !== null) return { text: t("left", { count: left }), look };
    return { text: t("overdue", { count: overdue ?? 0 }), look };
  };
}

/** The collection's time, ISO: the sandbox's clock if it is ahead. */
export function useServiceNow(): string {
  const { now } = useSeller();
  const { data } = useQuery(collectionSettingsQuery(useScope()));
  return data?.clock_ahead ? new Date(Date.parse(now) + data.clock_ahead).toISOString() : now;
}
