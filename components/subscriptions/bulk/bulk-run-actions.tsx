"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { Suspense, useState } from "react";
import { useRunChange } from "#components/forms/step-runner.ts";
import { FailureNotice } from "#components/forms/use-action.tsx";
import { PauseNotice } from "#components/forms/pause-notice.tsx";
import {
  useFormat,
  usePermission,
  useScope,
  useSeller,
} from "#components/context/seller-context.tsx";
import { lazyPart } from "#components/context/messages-provider.tsx";
import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { ProgressBar, spokenShare } from "#components/ui/charts/progress-bar.tsx";
import { Download, Pause, Play, RotateCw, Undo2 } from "#components/ui/icons.tsx";
import { DialogButton } from "#components/ui/overlays/dialog.tsx";
import { changeBulkRunAction } from "#lib/subscriptions/bulk/actions.ts";
import {
  bulkFilePath,
  type BulkItem,
  type BulkRun,
  type BulkRunView,
} from "#lib/subscriptions/bulk/queries.ts";
import {
  countStates,
  describeItemReason,
  inverseOperation,
  planUndo,
  countUnfinished,
} from "#lib/subscriptions/bulk/rules.ts";
import type { useBulkRunner } from "./bulk-drive.ts";

const BulkPlan = lazyPart(
  async () => (await import("./bulk-plan.tsx")).BulkPlan,
  "bulk",
  "owed",
);

interface RunProps {
  run: BulkRun;
  view: BulkRunView;
  drive: ReturnType<typeof useBulkRunner>;
  refetch: () => Promise<unknown>;
}

export function BulkRunProgress({ run, view, drive }: Omit<RunProps, "refetch">) {
  const t = useTranslations("bulk.run");
  const counts = countStates(view.items);
  const total = view.items.length;
  const settled = total - countUnfinished(counts);
  const far = t("far", { done: settled, total });
  const statusText = t(runStatusOf(run, view, drive, total - settled));
  return (
    <>
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="font-semibold">{statusText}</p>
        <p className="text-muted tabular-nums">{far}</p>
      </div>
      <ProgressBar label={t("label")} text={far} done={settled} total={total} />
      <p role="status" className="sr-only">
        {statusText} {t("spoken", { percent: spokenShare(settled, total) })}
      </p>
      <PauseNotice
        pause={drive.pause}
        rateLimited={(wait) => t("slowDown", { wait })}
        held={t("held")}
        nothingLost={t("nothingLost")}
      />
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

export function BulkRunActions(props: RunProps) {
  const t = useTranslations("bulk.run");
  const { run, view, drive, refetch } = props;
  const counts = countStates(view.items);
  const rest = countUnfinished(counts);
  const isAllowed = usePermission(`subscriptions:${run.operation}`);
  const mayTakeFile = usePermission("subscriptions:export");
  const scope = useScope();
  const isIdle = !drive.isDriving && !(view.is_busy && rest > 0 && run.paused_at === null);
  const { change, isPending, failure } = useRunChange(changeBulkRunAction, {
    id: run.id,
    drive,
    refetch,
  });
  return (
    <>
      <div className="mt-4 empty:hidden">
        <FailureNotice failure={failure} />
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        {isAllowed && rest > 0 && !isIdle && (
          <Button isPending={isPending} onClick={() => void change("pause")}>
            <Pause aria-hidden className="size-4" />
            {t("pause")}
          </Button>
        )}
        {isAllowed && rest > 0 && isIdle && (
          <>
            <Button
              look="primary"
              isPending={isPending}
              onClick={() => void change("continue")}
            >
              <Play aria-hidden className="size-4" />
              {t("continue")}
            </Button>
            {run.closed_at === null && (
              <Button onClick={() => void change("close")}>{t("leaveRest")}</Button>
            )}
          </>
        )}
        {isAllowed && rest === 0 && counts.failed > 0 && (
          <Button look="primary" isPending={isPending} onClick={() => void change("retry")}>
            <RotateCw aria-hidden className="size-4" />
            {t("retry", { count: counts.failed })}
          </Button>
        )}
        {isIdle && <Undo {...props} />}
        {mayTakeFile && (
          <a href={bulkFilePath(scope, run.id)} download className={buttonClass("secondary")}>
            <Download aria-hidden className="size-4" />
            {t("file")}
          </a>
        )}
      </div>
    </>
  );
}

function Undo({ run, view }: RunProps) {
  const t = useTranslations("bulk.run");
  const operation = inverseOperation(run.operation);
  const isAllowed = usePermission(`subscriptions:${operation}`);
  const inAll = useTranslations();
  const format = useFormat();
  const clock = useSeller();
  const all = view.items.filter(({ state }) => state === "done");
  const [first] = all;
  if (!isAllowed || !first) return null;
  // Items whose undo would be refused are not offered.
  const done = all.filter((item) => planUndo(run.operation, item, clock).verdict === "change");
  if (done.length === 0) {
    const why = describeItemReason(inAll, format, planUndo(run.operation, first, clock));
    return <p className="self-center text-sm text-muted">{t("noUndo", { why })}</p>;
  }
  return (
    <DialogButton icon={Undo2} label={t("undo")} title={t("takeBack", { count: done.length })}>
      {(close) => (
        <Suspense fallback={<span className="skeleton h-64" />}>
          <UndoPlan {...{ run, done, operation }} onClose={close} />
        </Suspense>
      )}
    </DialogButton>
  );
}

interface UndoPlanProps extends Pick<RunProps, "run"> {
  done: BulkItem[];
  operation: ReturnType<typeof inverseOperation>;
  onClose: () => void;
}

function UndoPlan({ run, done, operation, onClose }: UndoPlanProps) {
  const router = useRouter();
  // The ids do not change while the dialog is open.
  const [ids] = useState(() => done.map((item) => item.subscription_id));
  const [undo] = useState(() => ({
    run_id: run.id,
    old: Object.fromEntries(done.map((item) => [item.subscription_id, item.day_before])),
  }));
  const open = (path: string) => router.push(path);
  return <BulkPlan {...{ operation, ids, undo, onClose }} onStarted={open} />;
}
