import { Ban, CircleCheck, CircleOff, Clock3, Hourglass, TimerOff } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import type { ReceivedStatus, SubscriptionStatus } from "#contract/subscriptions.ts";
import { Badge } from "#components/ui/badge.tsx";

interface Look {
  label: string;
  icon: LucideIcon;
  className: string;
}

const LOOKS: Record<SubscriptionStatus, Look> = {
  active: { label: "Active", icon: CircleCheck, className: "bg-active-soft text-active" },
  due: { label: "Due", icon: Clock3, className: "bg-due-soft text-due" },
  pending_checkout: {
    label: "Pending checkout",
    icon: Hourglass,
    className: "bg-pending-soft text-pending",
  },
  pending_cancellation: {
    label: "Pending cancellation",
    icon: TimerOff,
    className: "bg-ending-soft text-ending",
  },
  cancelled: { label: "Cancelled", icon: Ban, className: "bg-cancelled-soft text-cancelled" },
  inactive: { label: "Inactive", icon: CircleOff, className: "bg-inactive-soft text-inactive" },
};

const isKnown = (status: ReceivedStatus): status is SubscriptionStatus =>
  Object.hasOwn(LOOKS, status);

/** A status that a newer service invents is shown in its own word. */
export function statusLabel(status: ReceivedStatus): string {
  return isKnown(status) ? LOOKS[status].label : status.replaceAll("_", " ") || "Unknown";
}

export function SubscriptionStatusBadge({ status }: { status: ReceivedStatus }) {
  if (!isKnown(status)) {
    return <Badge className="border bg-surface text-muted">{statusLabel(status)}</Badge>;
  }
  const { label, icon, className } = LOOKS[status];
  return (
    <Badge icon={icon} className={className}>
      {label}
    </Badge>
  );
}
