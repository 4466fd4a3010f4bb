import {
  CircleCheck,
  CircleHelp,
  Clock3,
  FileX,
  Repeat,
  ShieldX,
  type LucideIcon,
} from "lucide-react";
import { useTranslations } from "next-intl";
import { Badge } from "#components/ui/badge.tsx";
import type { ReceivedVerdict } from "#lib/receiver/rules.ts";

const LOOKS: Record<ReceivedVerdict, { icon: LucideIcon; className: string }> = {
  verified: { icon: CircleCheck, className: "bg-active-soft text-active" },
  repeated: { icon: Repeat, className: "bg-inactive-soft text-inactive" },
  late: { icon: Clock3, className: "bg-warning-soft text-warning" },
  forged: { icon: ShieldX, className: "bg-danger-soft text-danger" },
  unverified: { icon: CircleHelp, className: "bg-warning-soft text-warning" },
  unreadable: { icon: FileX, className: "bg-danger-soft text-danger" },
};

export function VerdictBadge({ verdict }: { verdict: ReceivedVerdict }) {
  const t = useTranslations("receiver.verdicts");
  return <Badge {...LOOKS[verdict]}>{t(verdict)}</Badge>;
}
