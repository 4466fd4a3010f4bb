import { useTranslations } from "next-intl";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { ScopedLink, useFormat } from "#components/context/seller-context.tsx";
import { FailureNotice } from "#components/forms/use-action.tsx";
import { LeaveGuard } from "#components/forms/leave-guard.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { ProgressBar } from "#components/ui/charts/progress-bar.tsx";
import { CircleAlert, CircleCheck, TriangleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { Failure } from "#lib/failure.ts";
import type { CheckedRow, RowDetail, SheetCheck } from "#lib/products/sheet/queries.ts";
import { useApply, type Applied } from "./use-apply.ts";

interface CheckResultProps {
  check: SheetCheck;
  /** The file's name; null for pasted rows. */
  name: string | null;
  isChecking: boolean;
  /** Why the last check failed. */
  failure: Failure | null;
  onCheckAgain: () => void;
  onOther: () => void;
}

const OUTCOMES = ["refused", "change", "add", "same"] as const;

/** The changes that a file would make, row by row, and the button that applies them. */
export function CheckResult({
  check,
  name,
  isChecking,
  failure,
  onCheckAgain,
  onOther,
}: CheckResultProps) {
  const t = useTranslations("sheet");
  const { applied, run } = useApply(check.changes);
  const groups = OUTCOMES.map((outcome) => ({
    outcome,
    rows: check.rows.filter((row) => row.outcome === outcome),
  })).filter(({ rows }) => rows.length > 0);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [applied.state]);
  return (
    <>
      <LeaveGuard isDirty={applied.state === "running"} />
      <Card aria-labelledby="result" className="p-4 sm:p-5">
        <h2 id="result" ref={heading} tabIndex={-1} className="font-semibold outline-none">
          {t("result.title")}
        </h2>
        <p className="wrap-anywhere text-muted">{name ?? t("result.pasted")}</p>
        <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 tabular-nums">
          {groups.map(({ outcome, rows }) => (
            <span key={outcome} className={outcome === "refused" ? "text-danger" : undefined}>
              {t(`result.counts.${outcome}`, { count: rows.length })}
            </span>
          ))}
        </p>
        <Notes check={check} />
        <Outcome applied={applied} total={check.changes.length} />
        <FailureNotice failure={failure} />
        <div className="mt-4 flex flex-wrap gap-2">
          {applied.state === "waiting" && check.changes.length > 0 && (
            <Button look="primary" onClick={() => void run()}>
              {t("result.apply", { count: check.changes.length })}
            </Button>
          )}
          {applied.state === "stopped" && (
            <Button look="primary" onClick={() => void run()}>
              {t("apply.continue")}
            </Button>
          )}
          {applied.state !== "running" && (
            <>
              {(applied.state !== "waiting" || failure) && (
                <Button isPending={isChecking} onClick={onCheckAgain}>
                  {t("apply.again")}
                </Button>
              )}
              <Button onClick={onOther}>{t("result.other")}</Button>
              {applied.state === "done" && (
                <ScopedLink href="/products" className={buttonClass()}>
                  {t("apply.products")}
                </ScopedLink>
              )}
            </>
          )}
        </div>
      </Card>
      {groups.map(({ outcome, rows }) => (
        <RowGroup key={outcome} outcome={outcome} rows={rows} />
      ))}
    </>
  );
}

function Notes({
  check: { ignored, missing, isGuessed, changes, rows },
}: {
  check: SheetCheck;
}) {
  const t = useTranslations("sheet");
  const isRefused = rows.some(({ outcome }) => outcome === "refused");
  return (
    <div className="mt-3 grid gap-2 text-pretty text-muted empty:hidden">
      {changes.length === 0 && !isRefused && (
        <Notice icon={CircleCheck}>
          <p className="font-medium">{t("result.nothing")}</p>
          <p>{t("result.nothingText")}</p>
        </Notice>
      )}
      {isGuessed && (
        <Notice look="warning" icon={TriangleAlert}>
          <p>{t("result.guessed")}</p>
        </Notice>
      )}
      {ignored.length > 0 && (
        <p className="wrap-anywhere">{t("result.ignored", { columns: ignored.join(", ") })}</p>
      )}
      {missing.length > 0 && (
        <p>
          {t("result.missing", {
            columns: missing.map((column) => t(`columns.${column}`)).join(", "),
          })}
        </p>
      )}
    </div>
  );
}

/** The progress and the result of the changes. */
function Outcome({ applied, total }: { applied: Applied; total: number }) {
  const t = useTranslations("sheet.apply");
  const { state, tried, changed, failed, failure } = applied;
  if (state === "waiting") return null;
  const progress = t("progress", { done: tried, total });
  return (
    <div className="mt-4 grid gap-3">
      {state !== "done" && (
        <div className="grid gap-1">
          <ProgressBar label={t("title")} text={progress} done={tried} total={total} />
          <p className="text-sm text-muted tabular-nums">{progress}</p>
        </div>
      )}
      {state === "stopped" && (
        <Notice look="warning" icon={TriangleAlert} role="alert">
          <p className="font-medium">{t("stopped")}</p>
          <p>{t("stoppedText", { done: changed, left: total - tried })}</p>
        </Notice>
      )}
      {state === "stopped" && <FailureNotice failure={failure} />}
      {state === "done" && changed > 0 && (
        <Notice icon={CircleCheck} role="status">
          <p className="font-medium">{t("done", { count: changed })}</p>
        </Notice>
      )}
      {failed.length > 0 && (
        <Notice look="danger" icon={CircleAlert} role="alert">
          <p className="font-medium">{t("failed", { count: failed.length })}</p>
          <ul className="mt-1 grid gap-1">
            {failed.map(({ name, text }, at) => (
              <li key={at} className="wrap-anywhere">
                <span className="font-medium">{name}</span>: {text}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}

/** The number of rows of a group that are shown at first. */
const SHOWN_ROWS = 50;

function RowGroup({ outcome, rows }: { outcome: CheckedRow["outcome"]; rows: CheckedRow[] }) {
  const t = useTranslations("sheet.result");
  const isFolded = outcome === "same";
  const [shown, setShown] = useState(isFolded ? 0 : SHOWN_ROWS);
  const id = `rows-${outcome}`;
  return (
    <Card aria-labelledby={id} className="mt-4">
      <div className="px-4 py-3 sm:px-5">
        <CardTitle id={id}>
          {t(`heads.${outcome}`)}{" "}
          <span className="font-normal text-muted tabular-nums">{rows.length}</span>
        </CardTitle>
        {outcome === "refused" && <p className="text-muted">{t("refusedText")}</p>}
      </div>
      <ul className="divide-y border-t empty:hidden">
        {rows.slice(0, shown).map((row) => (
          <SheetRowLine key={row.row} row={row} />
        ))}
      </ul>
      {shown < rows.length && (
        <div className="border-t px-4 py-3 sm:px-5">
          <Button onClick={() => setShown(rows.length)}>
            {t("all", { count: rows.length })}
          </Button>
        </div>
      )}
    </Card>
  );
}

function SheetRowLine({ row: { row, names, problems, details } }: { row: CheckedRow }) {
  const t = useTranslations("sheet.result");
  return (
    <li className="gap-x-4 px-4 py-2.5 sm:grid sm:grid-cols-[5rem_minmax(0,1fr)] sm:px-5">
      <span className="text-sm text-muted tabular-nums">{t("row", { row })}</span>
      <div className="min-w-0 wrap-anywhere">
        <p>{names.filter((name) => name !== "").join(" · ")}</p>
        {problems.map((text) => (
          <p key={text} className="text-sm text-danger">
            {text}
          </p>
        ))}
        {details.map((detail) => (
          <p key={detail.column} className="text-sm text-muted tabular-nums">
            <DetailText detail={detail} />
          </p>
        ))}
      </div>
    </li>
  );
}

function DetailText({ detail }: { detail: RowDetail }): ReactNode {
  const t = useTranslations("sheet");
  const { money } = useFormat();
  const column = t(`columns.${detail.column}`);
  const { currency } = detail;
  const [before, after] = [detail.before, detail.after].map((text) =>
    currency && text ? money(text, currency) : text,
  );
  if (!before) return t("result.set", { column, after: after ?? "" });
  if (!after) return t("result.cleared", { column, before });
  const words = t("result.from", { column, before, after });
  return currency ? `${words}. ${t("result.keeps", { before })}` : words;
}
