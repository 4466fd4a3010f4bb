import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

interface DetailRowProps {
  label: string;
  /** Buttons or links for the value. */
  action?: ReactNode;
  children: ReactNode;
}

/** A label and value inside a `dl`, with a text for missing values. The list can set the width of --label. */
export function DetailRow({ label, action, children }: DetailRowProps) {
  const t = useTranslations("ui");
  return (
    <div className="detail-row">
      <dt>{label}</dt>
      <dd>
        <span>
          {children ? breakable(children) : <span className="text-faint">{t("none")}</span>}
        </span>
        {action}
      </dd>
    </div>
  );
}

/** Lets long email addresses wrap before the @. */
function breakable(value: ReactNode) {
  const at = typeof value === "string" && !value.includes(" ") ? value.indexOf("@") : 0;
  if (typeof value !== "string" || at < 1) return value;
  return (
    <>
      {value.slice(0, at)}
      <wbr />
      {value.slice(at)}
    </>
  );
}

/** A row of a ruled `dl`: on phones the value is below its label. */
export function FactRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 py-2 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 tabular-nums">{children}</dd>
    </div>
  );
}

/** The text shown for a missing value. */
export function MissingValue() {
  const t = useTranslations("ui");
  return (
    <span className="text-faint">
      <span aria-hidden>–</span>
      <span className="sr-only">{t("none")}</span>
    </span>
  );
}

/** One line of a sum, inside a `dl`. */
export function AmountLine({ label, amount }: { label: string; amount: string }) {
  return (
    <div className="flex justify-between gap-3">
      <dt className="text-muted">{label}</dt>
      <dd className="whitespace-nowrap tabular-nums">{amount}</dd>
    </div>
  );
}
