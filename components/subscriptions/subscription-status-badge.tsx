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
  active: { icon: CircleCheck, tone: "active" },
  due: { icon: Clock3, tone: "due" },
  pending_checkout: {
    icon: Hourglass,
    tone: "pending",
  },
  pending_cancellation: {
    icon: TimerOff,
    tone: "ending",
  },
  cancelled: { icon: Ban, tone: "cancelled" },
  inactive: { icon: CircleOff, tone: "inactive" },
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
  return <Badge {...LOOKS[status]}>{label}</Badge>;
}
