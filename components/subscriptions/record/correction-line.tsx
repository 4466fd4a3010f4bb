"use client";

import { useTranslations } from "next-intl";
import type { DetailChange } from "#contract/customers.ts";
import { Difference } from "./difference.tsx";

/**
 * Says which details a buyer corrected; for null, that the buyer ordered the subscription. An unknown field
 * is shown by its own name.
 */
export function CorrectionLine({ changes }: { changes: DetailChange[] | null }) {
  const t = useTranslations("subscription.history");
  const labels: Record<string, string> = {
    full_name: t("field.full_name"),
    email: t("field.email"),
    address: t("field.address"),
  };
  return (
    <>
      <p>
        <span className="font-medium">{t(changes === null ? "ordered" : "corrected")}</span>
        <span className="text-muted"> · {t("byCode")}</span>
      </p>
      {changes?.map(({ field, before, after }) => (
        <Difference key={field} label={labels[field] ?? field} before={before} after={after} />
      ))}
    </>
  );
}
