"use client";

import { useTranslations } from "next-intl";

interface DifferenceProps {
  label: string;
  before: string;
  after: string;
}

export function Difference({ label, before, after }: DifferenceProps) {
  const t = useTranslations("subscription.history");
  return (
    <p className="text-sm text-muted">
      {t.rich("change", {
        label,
        before: before || t("nothing"),
        after: after || t("nothing"),
        del: (words) => <del>{words}</del>,
        arrow: () => <span aria-hidden>→</span>,
        ins: (words) => <ins className="text-ink no-underline">{words}</ins>,
      })}
    </p>
  );
}
