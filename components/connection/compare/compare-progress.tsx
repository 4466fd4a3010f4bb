import { CircleAlert, Hourglass } from "lucide-react";
import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { ProgressBar } from "#components/ui/charts/progress-bar.tsx";
import { describeFailure } from "#lib/failure.ts";
import type { Check } from "#lib/search-index/compare/queries.ts";
import type { Drive } from "./use-compare.ts";

interface CheckProgressProps {
  check: Check;
  drive: Drive;
  mayRepair: boolean;
}

/** How far it is, in a bar and in words; stopped and taken on from here. */
export function CheckProgress({ check, drive, mayRepair }: CheckProgressProps) {
  const t = useTranslations("reconciliation.progress");
  const format = useFormat();
  const { id, phase, compared, waiting, expected } = check;
  const total = Math.max(expected ?? 0, compared + waiting);
  const far = t("far", { done: format.count(compared), total: format.count(total) });
  const standing = t(`standing.${standingOf(check, drive)}`);
  return (
    <Card className="p-4 sm:p-5">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="font-semibold">{standing}</p>
        <p className="text-muted tabular-nums">{far}</p>
      </div>
      <ProgressBar label={t("label")} text={far} done={compared} total={Math.max(1, total)} />
      <p role="status" className="mt-2 text-sm text-muted">
        {t(`phases.${phase}`)}
      </p>
      <Standstill check={check} drive={drive} />
      {mayRepair && (
        <div className="mt-4">
          {drive.isDriving ? (
            <Button isPending={drive.isPausing} onClick={() => void drive.stop(id)}>
              {t("stop")}
            </Button>
          ) : (
            <Button
              look="primary"
              isPending={drive.isPausing}
              onClick={() => void drive.goOn(id)}
            >
              {t("goOn")}
            </Button>
          )}
        </div>
      )}
    </Card>
  );
}

function standingOf(check: Check, drive: Drive) {
  if (drive.isDriving) return "driving";
  return check.is_busy ? "elsewhere" : "stopped";
}

/** Why it does not go on. */
function Standstill({ check, drive }: Pick<CheckProgressProps, "check" | "drive">) {
  const t = useTranslations("reconciliation.progress");
  const all = useTranslations();
  const format = useFormat();
  const { halt } = drive;
  if (halt?.kind === "wait")
    return (
      <Notice icon={Hourglass} className="mt-3">
        {halt.why === "rate_limited"
          ? t("slowDown", { wait: format.wait(halt.seconds) })
          : t(halt.why)}
      </Notice>
    );
  const failure = halt?.kind === "stopped" ? halt.failure : check.failure;
  if (!failure || drive.isDriving) return null;
  return (
    <Notice look="danger" icon={CircleAlert} role="alert" className="mt-3">
      <p className="font-medium">{describeFailure(all, failure).title}</p>
      <p>{t("nothingLost")}</p>
    </Notice>
  );
}
