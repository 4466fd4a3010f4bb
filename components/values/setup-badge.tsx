import { useTranslations } from "next-intl";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import { CircleCheck, CircleOff, CirclePause, CircleX } from "#components/ui/icons.tsx";

const LOOKS = {
  unset: { icon: CircleOff, tone: "inactive" },
  paused: { icon: CirclePause, tone: "inactive" },
  broken: { icon: CircleX, tone: "danger" },
  active: { icon: CircleCheck, tone: "active" },
} as const satisfies Record<string, BadgeLook>;

interface SetupBadgeProps {
  /** Null before anything was set up. */
  setup: { is_active: boolean; problem: string | null } | null;
}

/** Whether something was set up at a provider, and whether it works there. */
export function SetupBadge({ setup }: SetupBadgeProps) {
  const t = useTranslations("sending.card");
  const state = !setup
    ? "unset"
    : !setup.is_active
      ? "paused"
      : setup.problem !== null
        ? "broken"
        : "active";
  return <Badge {...LOOKS[state]}>{t(state)}</Badge>;
}
