import { useTranslations } from "next-intl";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import { CircleCheck, CirclePause, CircleX, Clock3, RefreshCw } from "#components/ui/icons.tsx";
import type { DeliveryState } from "#contract/deliveries.ts";

const LOOKS: Record<DeliveryState, BadgeLook> = {
  delivered: { icon: CircleCheck, tone: "active" },
  pending: { icon: Clock3, tone: "pending" },
  retrying: { icon: RefreshCw, tone: "warning" },
  failed: { icon: CircleX, tone: "danger" },
  skipped: { icon: CirclePause, tone: "inactive" },
};

const isKnown = (state: string): state is DeliveryState => Object.hasOwn(LOOKS, state);

export function DeliveryStateBadge({ state }: { state: string }) {
  const t = useTranslations("deliveries");
  if (!isKnown(state)) return <Badge>{state || t("unknownState")}</Badge>;
  return <Badge {...LOOKS[state]}>{t(`state.${state}`)}</Badge>;
}
