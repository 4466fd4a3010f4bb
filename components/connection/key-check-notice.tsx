import { CircleAlert, CircleCheck, ShieldAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { useScope } from "#components/context/seller-context.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { scopePath } from "#lib/scope.ts";
import { describeKeyCheck } from "#lib/billing/key-check-result.ts";
import type { KeyCheckReport } from "#lib/connection/actions.ts";

export function FindingNotice({ tried: { finding, had_prefix } }: { tried: KeyCheckReport }) {
  const t = useTranslations("connection");
  const scope = useScope();
  const other = scope.mode === "test" ? "live" : "test";
  const { title, advice } = describeKeyCheck(t, finding, scope.mode);
  return (
    <Notice {...lookOf(finding.kind)} className="mb-4">
      <p className="font-medium">{title}</p>
      <p>{had_prefix ? t("hadPrefix", { advice }) : advice}</p>
      {finding.kind === "other_mode" && (
        <Link
          href={scopePath({ ...scope, mode: other }, "/settings/connection")}
          className="inline-flex rounded font-medium underline max-md:min-h-11 max-md:items-center"
        >
          {t("toOtherMode", { mode: scope.mode })}
        </Link>
      )}
    </Notice>
  );
}

function lookOf(kind: KeyCheckReport["finding"]["kind"]) {
  if (kind === "good") return { look: "info", icon: CircleCheck, role: "status" } as const;
  if (kind === "unverified")
    return { look: "warning", icon: ShieldAlert, role: "status" } as const;
  return { look: "danger", icon: CircleAlert, role: "alert" } as const;
}
