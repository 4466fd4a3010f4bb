import { useTranslations } from "next-intl";
import type { FreshRecords } from "./bulk-fresh-records.ts";
import { FailureNotice } from "#components/forms/use-action.tsx";
import { useFormat } from "#components/values/use-format.ts";
import { Button } from "#components/ui/button.tsx";
import { ProgressBar as Bar } from "#components/ui/charts/progress-bar.tsx";

interface ProgressBarProps {
  label: string;
  done: number;
  total: number;
}

export function BulkProgressBar({ label, done, total }: ProgressBarProps) {
  const t = useTranslations("bulk.run");
  return <Bar {...{ label, done, total }} text={t("far", { done, total })} />;
}

/** The progress of reading the selected records, or why it stopped. */
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
      <BulkProgressBar label={t("reading.label")} done={done} total={total} />
      <p className="text-sm text-muted tabular-nums">
        {wait === null
          ? t("reading.far", { done, total })
          : t("run.slowDown", { wait: format.wait(wait) })}
      </p>
    </div>
  );
}
