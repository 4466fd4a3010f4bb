import {
  Ban,
  Check,
  CircleAlert,
  CircleHelp,
  Equal,
  Hourglass,
  LoaderCircle,
  Undo2,
} from "lucide-react";
import { useTranslations } from "next-intl";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import type { Translate } from "#lib/i18n/translate.ts";
import type { ItemState } from "#lib/subscriptions/bulk/rules.ts";

const LOOKS: Record<ItemState, BadgeLook> = {
  waiting: { icon: Hourglass, className: "bg-inactive-soft text-inactive" },
  running: {
    icon: LoaderCircle,
    className: "bg-pending-soft text-pending",
  },
  done: { icon: Check, className: "bg-active-soft text-active" },
  already: { icon: Equal, className: "bg-inactive-soft text-inactive" },
  refused: { icon: Ban, className: "bg-cancelled-soft text-cancelled" },
  failed: { icon: CircleAlert, className: "bg-danger-soft text-danger" },
  unknown: { icon: CircleHelp, className: "bg-due-soft text-due" },
  undone: { icon: Undo2, className: "bg-ending-soft text-ending" },
};

/** @param isClosed waiting items will not be processed */
export const stateLabel = (t: Translate<"bulk">, state: ItemState, isClosed: boolean) =>
  t(`state.${state === "waiting" && isClosed ? "left" : state}`);

export function BulkStateBadge({ state, isClosed }: { state: ItemState; isClosed: boolean }) {
  const t = useTranslations("bulk");
  const { icon, className } = LOOKS[state];
  return (
    <Badge icon={icon} className={className}>
      {stateLabel(t, state, isClosed)}
    </Badge>
  );
}
