import { useTranslations } from "next-intl";
import {
  Ban,
  CircleCheck,
  CircleOff,
  Clock3,
  Hourglass,
  TimerOff,
} from "#components/ui/icons.tsx";
import type { ReceivedStatus, SubscriptionStatus } from "#contract/subscriptions.ts";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import type { Translate } from "#lib/i18n/message.ts";

const LOOKS: Record<SubscriptionStatus, BadgeLook> = {
  active: { icon: CircleCheck, className: "bg-active-soft text-active" },
  due: { icon: Clock3, className: "bg-due-soft text-due" },
  pending_checkout: {
    icon: Hourglass,
    className: "bg-pending-soft text-pending",
  },
  pending_cancellation: {
    icon: TimerOff,
    className: "bg-ending-soft text-ending",
  },
  cancelled: { icon: Ban, className: "bg-cancelled-soft text-cancelled" },
  inactive: { icon: CircleOff, className: "bg-inactive-soft text-inactive" },
};

const isKnown = (status: ReceivedStatus): status is SubscriptionStatus =>
  Object.hasOwn(LOOKS, status);

/** The label of a status; an unknown status is shown as the service names it. */
export function statusLabel(t: Translate<"subscriptions">, status: ReceivedStatus): string {
  if (isKnown(status)) return t(`status.${status}`);
  return status.replaceAll("_", " ") || t("unknownStatus");
}

export function useStatusLabel(): (status: ReceivedStatus) => string {
  const t = useTranslations("subscriptions");
  return (status) => statusLabel(t, status);
}

export function SubscriptionStatusBadge({ status }: { status: ReceivedStatus }) {
  const label = statusLabel(useTranslations("subscriptions"), status);
  if (!isKnown(status)) return <Badge>{label}</Badge>;
  const { icon, className } = LOOKS[status];
  return (
    <Badge icon={icon} className={className}>
      {label}
    </Badge>
  );
}
