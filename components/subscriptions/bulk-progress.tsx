import { useTranslations } from "next-intl";
import type { FreshRecords } from "./bulk-fresh-records.ts";
import { FailureNotice } from "#components/layout/failure-notice.tsx";
import { useFormat } from "#components/layout/use-format.ts";
import { Button } from "#components/ui/button.tsx";

interface ProgressBarProps {
  label: string;
  done: number;
  total: number;
}

export function ProgressBar({ label, done, total }: ProgressBarProps) {
  const t = useTranslations("bulk.run");
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      aria-valuetext={t("far", { done, total })}
      className="h-1.5 overflow-hidden rounded-full bg-sunken"
    >
      <span
        className="block h-full rounded-full bg-accent transition-[width] duration-200 motion-reduce:transition-none"
        style={{ width: `${total === 0 ? 100 : (done / total) * 100}%` }}
      />
    </div>
  );
}

/** While the selected records are read, and when that stopped. */
export function ReadingProgress({ reading, total }: { reading: FreshRecords; total: number }) {
  const t = useTranslations("bulk");
  const format = useFormat();
  const { records, missing, wait, failure, retry } = reading;
  const done = records.size + missing.size;
  if (failure)
    return (
      <>
        <FailureNotice failure={failure} />
        <Button onClick={retry}>{t("reading.retry")}</Button>
      </>
    );
  return (
    <div className="grid gap-2 py-4">
      <ProgressBar label={t("reading.label")} done={done} total={total} />
      <p className="text-sm text-muted tabular-nums">
        {wait === null
          ? t("reading.far", { done, total })
          : t("run.slowDown", { wait: format.wait(wait) })}
      </p>
    </div>
  );
}
