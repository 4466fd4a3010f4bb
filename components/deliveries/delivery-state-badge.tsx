import { useTranslations } from "next-intl";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import { CircleCheck, CirclePause, CircleX, Clock3, RefreshCw } from "#components/ui/icons.tsx";
import type { DeliveryState } from "#contract/deliveries.ts";

const LOOKS: Record<DeliveryState, BadgeLook> = {
  delivered: { icon: CircleCheck, className: "bg-active-soft text-active" },
  pending: { icon: Clock3, className: "bg-pending-soft text-pending" },
  retrying: { icon: RefreshCw, className: "bg-warning-soft text-warning" },
  failed: { icon: CircleX, className: "bg-danger-soft text-danger" },
  skipped: { icon: CirclePause, className: "bg-inactive-soft text-inactive" },
};

const isKnown = (state: string): state is DeliveryState => Object.hasOwn(LOOKS, state);

export function DeliveryStateBadge({ state }: { state: string }) {
  const t = useTranslations("deliveries");
  if (!isKnown(state)) return <Badge>{state || t("unknownState")}</Badge>;
  const { icon, className } = LOOKS[state];
  return (
    <Badge icon={icon} className={className}>
      {t(`state.${state}`)}
    </Badge>
  );
}
