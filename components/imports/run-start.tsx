"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { runsStartedHere } from "#components/forms/started-runs.ts";
import { FailureNotice, useSellerAction } from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { Play } from "#components/ui/icons.tsx";
import type { ImportView } from "#lib/imports/queries.ts";
import { startImportAction } from "#lib/imports/run-actions.ts";

type ImportStartProps = Pick<ImportView, "run" | "counts" | "takesPaidUntil">;

/** What the import would make, and the button that starts it. */
export function ImportStart({ run, counts, takesPaidUntil }: ImportStartProps) {
  const t = useTranslations("importRun.start");
  const router = useRouter();
  const { run: start, isPending, failure } = useSellerAction(startImportAction);
  const { id, unpaid_choice } = run;
  const isTakenOver = takesPaidUntil === "yes";
  const paid = isTakenOver ? counts.paid : 0;
  const skipped = !isTakenOver && unpaid_choice === "skip" ? counts.paid : 0;
  const made = counts.made - skipped;

  async function begin() {
    if (await start({ id })) runsStartedHere.add(id);
    // Also after a refusal, because the start has judged the rows again.
    router.refresh();
  }

  if (made === 0) return <p className="mt-4 text-muted">{t("none")}</p>;
  return (
    <section aria-label={t("title")} className="mt-4 border-t pt-4">
      <ul className="text-pretty text-muted">
        {made > paid && <li>{t("links", { count: made - paid })}</li>}
        {paid > 0 && <li>{t("paid", { count: paid })}</li>}
      </ul>
      <p className="text-pretty text-muted">{t("nobodyTold")}</p>
      <div className="mt-3 empty:hidden">
        <FailureNotice failure={failure} />
      </div>
      <Button
        look="primary"
        className="mt-3"
        isPending={isPending}
        disabled={!isTakenOver && counts.paid > 0 && unpaid_choice === null}
        onClick={() => void begin()}
      >
        <Play aria-hidden className="size-4" />
        {t("button", { count: made })}
      </Button>
    </section>
  );
}
