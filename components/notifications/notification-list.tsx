"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { QueryOutcome } from "#components/list/query-state.tsx";
import { FailureNotice, useSellerAction } from "#components/forms/use-action.tsx";
import {
  BellOff,
  CalendarClock,
  CircleAlert,
  CircleCheck,
  CircleHelp,
  CircleOff,
} from "#components/ui/icons.tsx";
import { Moment } from "#components/values/day.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import {
  ScopedLink,
  useFormat,
  useScope,
  useSeller,
} from "#components/context/seller-context.tsx";
import { Button, useHydrated } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import type { Failure } from "#lib/failure.ts";
import { cn } from "#lib/cn.ts";
import { markNotificationsReadAction } from "#lib/notifications/actions.ts";
import {
  type Notification,
  type Notifications,
  notificationsQuery,
} from "#lib/notifications/queries.ts";
import {
  setDesktopNotifications,
  wantsDesktopNotifications,
} from "#components/shell/desktop-notifications.ts";
import { Switch } from "#components/ui/forms/switch.tsx";

/** Notifications by day, newest first. @param failure why the server could not read them */
export function NotificationList({ failure }: { failure: Failure | null }) {
  const t = useTranslations("notifications");
  const scope = useScope();
  const queryClient = useQueryClient();
  const query = useQuery(notificationsQuery(scope));
  const reading = useSellerAction(markNotificationsReadAction);
  const newest = query.data?.latest[0];

  async function readAll() {
    if (!newest || !(await reading.run({ until: newest.at }))) return;
    await queryClient.invalidateQueries({ queryKey: notificationsQuery(scope).queryKey });
  }

  return (
    <div className="max-w-3xl">
      <PageHeader
        title={t("title")}
        action={
          <Button
            isPending={reading.isPending}
            disabled={!query.data?.unread}
            onClick={() => void readAll()}
          >
            {t("read")}
          </Button>
        }
      />
      <p className="mb-4 max-w-2xl text-muted">{t("intro")}</p>
      <FailureNotice failure={reading.failure} />
      <QueryOutcome {...{ query, failure }}>
        <Days notifications={query.data} />
      </QueryOutcome>
      <DesktopNotifications />
    </div>
  );
}

/** Loading state: cached data, or a card of the same size. */
export function NotificationListSkeleton() {
  const t = useTranslations("notifications");
  const known = useQueryClient().getQueryData(notificationsQuery(useScope()).queryKey);
  return (
    <div inert className="max-w-3xl">
      <PageHeader title={t("title")} />
      <p className="mb-4 max-w-2xl text-muted">{t("intro")}</p>
      <Days notifications={known} />
    </div>
  );
}

function Days({ notifications }: { notifications: Notifications | undefined }) {
  const t = useTranslations("notifications");
  const format = useFormat();
  if (!notifications) return <span className="skeleton h-72 rounded-md" />;
  const { latest, is_capped } = notifications;
  if (latest.length === 0)
    return (
      <Card>
        <StatePanel icon={BellOff} title={t("empty")} text={t("emptyText")} />
      </Card>
    );
  const days = Map.groupBy(latest, ({ at }) => format.date(at));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {[...days].map(([day, some]) => (
        <section key={day} aria-label={day}>
          <h2 className="mb-2 text-sm font-medium text-muted">{day}</h2>
          <Card className="min-w-0">
            <ul className="divide-y">
              {some.map((one) => (
                <Row key={one.key} notification={one} />
              ))}
            </ul>
          </Card>
        </section>
      ))}
      {is_capped && <p className="text-sm text-muted">{t("capped")}</p>}
    </div>
  );
}

const LOOKS = {
  paid: [CircleCheck, "text-active"],
  seen_paid: [CircleHelp, "text-warning"],
  failed: [CircleAlert, "text-danger"],
  ended: [CircleOff, "text-muted"],
  promised: [CalendarClock, "text-warning"],
} as const;

function Row({ notification }: { notification: Notification }) {
  const { kind, at, subscription_id, buyer, is_unread } = notification;
  const t = useTranslations("notifications");
  const [Icon, colour] = LOOKS[kind];
  return (
    <li
      data-row={subscription_id}
      className="relative flex items-start gap-3 px-4 py-3 hover:bg-canvas"
    >
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", colour)} />
      <div className="min-w-0 flex-1">
        <ScopedLink
          href={`/subscriptions/${encodeURIComponent(subscription_id)}`}
          data-row-link
          className={cn("after:absolute after:inset-0", is_unread && "font-medium")}
        >
          {is_unread && <span className="sr-only">{t("unread")} </span>}
          {t(`kinds.${kind}`, { buyer: buyer || t("nobody") })}
        </ScopedLink>
        <p className="text-sm text-muted">
          <Moment iso={at} />
        </p>
      </div>
      {is_unread && (
        <span aria-hidden className="mt-1.5 size-2 shrink-0 rounded-full bg-accent" />
      )}
    </li>
  );
}

/** Asks for permission on a click only: a browser that was refused does not ask again. */
function DesktopNotifications() {
  const t = useTranslations("notifications.desktop");
  const { person } = useSeller();
  const isHydrated = useHydrated();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [isRefused, setRefused] = useState(false);
  const isOn = chosen ?? (isHydrated && wantsDesktopNotifications(person));

  async function change(next: boolean) {
    const isDone = await setDesktopNotifications(person, next);
    setRefused(!isDone);
    setChosen(isDone && next);
  }

  return (
    <Card className="mt-6 p-4 sm:p-5">
      <div className="flex items-center justify-between gap-4">
        <CardTitle>{t("title")}</CardTitle>
        <Switch label={t("on")} isOn={isOn} onSwitch={(next) => void change(next)} />
      </div>
      <p className="mt-1 text-muted">{t("text")}</p>
      <div role="status" className="empty:sr-only">
        {isRefused && <p className="mt-2 text-warning">{t("refused")}</p>}
      </div>
    </Card>
  );
}
