import { Ban, Check, CircleHelp, CircleX } from "lucide-react";
import { useTranslations } from "next-intl";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import type { AuditEvent } from "#lib/audit-log/queries.ts";

const LOOKS: Record<AuditEvent["result"], BadgeLook> = {
  done: { icon: Check, className: "bg-sunken text-muted" },
  refused: { icon: Ban, className: "bg-warning-soft text-warning" },
  failed: { icon: CircleX, className: "bg-danger-soft text-danger" },
  unknown: { icon: CircleHelp, className: "bg-warning-soft text-warning" },
};

export function ResultBadge({ result }: { result: AuditEvent["result"] }) {
  const t = useTranslations("audit.results");
  const { icon, className } = LOOKS[result];
  return (
    <Badge icon={icon} className={className}>
      {t(result)}
    </Badge>
  );
}
