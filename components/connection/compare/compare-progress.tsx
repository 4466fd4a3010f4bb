import { CircleAlert, Hourglass } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button.tsx";
import { ProgressBar } from "#components/ui/charts/progress-bar.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { useFormat } from "#components/values/use-format.ts";
import { describeFailure } from "#lib/failure.ts";
import type { Comparison } from "#lib/search-index/compare/queries.ts";
import type { CompareRun } from "./use-compare.ts";

interface CompareProgressProps {
  comparison: Comparison;
  compare: CompareRun;
  mayWrite: boolean;
}

/** How far the comparison is, with a button to stop or to continue it. */
export function CompareProgress({ comparison, compare, mayWrite }: CompareProgressProps) {
  const t = useTranslations("compare.progress");
  const format = useFormat();
  const { phase, compared, waiting, expected } = comparison;
  const total = Math.max(expected ?? 0, compared + waiting);
  const progress = t("records", { done: format.count(compared), total: format.count(total) });
  return (
    <div className="rounded border p-4">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="font-medium">{t(`states.${stateOf(comparison, compare)}`)}</p>
        <p className="text-muted tabular-nums">{progress}</p>
      </div>
      <ProgressBar
        label={t("label")}
        text={progress}
        done={compared}
        total={Math.max(1, total)}
      />
      <p role="status" className="mt-2 text-sm text-muted">
        {t(`phases.${phase}`)}
      </p>
      <PauseNotice comparison={comparison} compare={compare} />
      {mayWrite && (
        <Button
          className="mt-4"
          look={compare.isRunning ? undefined : "primary"}
          onClick={() => (compare.isRunning ? compare.stop() : void compare.resume())}
        >
          {t(compare.isRunning ? "stop" : "resume")}
        </Button>
      )}
    </div>
  );
}

function stateOf(comparison: Comparison, compare: CompareRun) {
  if (compare.isRunning) return "running";
  return comparison.is_busy ? "elsewhere" : "stopped";
}

/** Why no step is taken now. */
function PauseNotice({
  comparison,
  compare: { pause, isRunning },
}: Pick<CompareProgressProps, "comparison" | "compare">) {
  const t = useTranslations("compare.progress");
  const all = useTranslations();
  const format = useFormat();
  if (pause?.kind === "wait")
    return (
      <Notice icon={Hourglass} className="mt-3">
        {pause.why === "rate_limited"
          ? t("rateLimited", { wait: format.wait(pause.seconds) })
          : t("held")}
      </Notice>
    );
  const failure = pause?.kind === "stopped" ? pause.failure : comparison.failure;
  if (!failure || isRunning) return null;
  return (
    <Notice look="danger" icon={CircleAlert} role="alert" className="mt-3">
      <p className="font-medium">{describeFailure(all, failure).title}</p>
      <p>{t("nothingLost")}</p>
    </Notice>
  );
}
