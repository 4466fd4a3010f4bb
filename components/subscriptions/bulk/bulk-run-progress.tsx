"use client";

import { CircleAlert, Hourglass } from "lucide-react";
import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { Notice } from "#components/ui/notice.tsx";
import { describeFailure } from "#lib/failure.ts";
import type { BulkPause, BulkRun, BulkRunView } from "#lib/subscriptions/bulk/queries.ts";
import { countStates, restOf } from "#lib/subscriptions/bulk/rules.ts";
import type { useBulkDrive } from "./bulk-drive.ts";
import { BulkProgressBar } from "./bulk-progress.tsx";

export interface RunProps {
  run: BulkRun;
  view: BulkRunView;
  drive: ReturnType<typeof useBulkDrive>;
  /** Reads the run again. */
  refresh: () => Promise<unknown>;
}

export function BulkRunProgress({ run, view, drive }: Omit<RunProps, "refresh">) {
  const t = useTranslations("bulk.run");
  const counts = countStates(view.items);
  const total = view.items.length;
  const settled = total - restOf(counts);
  const statusText = t(runStatusOf(run, view, drive, total - settled));
  return (
    <>
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="font-semibold">{statusText}</p>
        <p className="text-muted tabular-nums">{t("far", { done: settled, total })}</p>
      </div>
      <BulkProgressBar label={t("label")} done={settled} total={total} />
      <p role="status" className="sr-only">
        {statusText} {t("spoken", { percent: spokenShare(settled, total) })}
      </p>
      <PauseNotice pause={drive.pause} />
    </>
  );
}

function runStatusOf(run: BulkRun, view: BulkRunView, drive: RunProps["drive"], rest: number) {
  if (drive.isDriving) return "driving";
  if (rest === 0) return "finished";
  if (run.closed_at !== null) return "closed";
  if (run.paused_at !== null) return "paused";
  return view.is_busy ? "elsewhere" : "stopped";
}

/** Screen readers announce every tenth item. */
function spokenShare(settled: number, total: number): number {
  return 10 * (total === 0 ? 10 : Math.floor((settled / total) * 10));
}

function PauseNotice({ pause }: { pause: BulkPause | null }) {
  const t = useTranslations("bulk.run");
  const all = useTranslations();
  const format = useFormat();
  if (pause?.kind === "wait")
    return (
      <Notice icon={Hourglass} className="mt-3">
        {pause.why === "rate_limited"
          ? t("slowDown", { wait: format.wait(pause.seconds) })
          : t("held")}
      </Notice>
    );
  if (pause?.kind !== "stopped") return null;
  const { title } = describeFailure(all, pause.failure);
  return (
    <Notice look="danger" icon={CircleAlert} role="alert" className="mt-3">
      <p className="font-medium">{title}</p>
      <p>{t("nothingLost")}</p>
    </Notice>
  );
}
