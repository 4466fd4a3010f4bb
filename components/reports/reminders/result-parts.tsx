import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useFormat } from "#components/context/seller-context.tsx";
import { MissingValue } from "#components/ui/detail-row.tsx";
import type { PaidShare } from "#lib/reports/reminders/rules.ts";

/** A figure with its label. */
export function ResultLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 py-2">
      <dt className="text-muted">{label}</dt>
      <dd className="text-right font-medium tabular-nums">{children}</dd>
    </div>
  );
}

/** A share such as "4 of 9"; a dash while no reminder is old enough. */
export function ShareOf({ share: { paid, of } }: { share: PaidShare }) {
  const t = useTranslations("reminding");
  const format = useFormat();
  if (of === 0) return <MissingValue />;
  return t("share", { paid: format.count(paid), of: format.count(of) });
}
