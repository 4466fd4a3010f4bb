"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import {
  ScopedLink,
  useFormat,
  usePermission,
  useScope,
} from "#components/context/seller-context.tsx";
import { ActionButton } from "#components/forms/action-dialog.tsx";
import { PauseNotice } from "#components/forms/pause-notice.tsx";
import { useRunChange, useStepRunner } from "#components/forms/step-runner.ts";
import { FailureNotice, useScopedAction } from "#components/forms/use-action.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Button } from "#components/ui/button.tsx";
import { ProgressBar, spokenShare } from "#components/ui/charts/progress-bar.tsx";
import { DownloadLink } from "#components/ui/download-link.tsx";
import { MessageSquareText, Pause, Play, RotateCw, Undo2 } from "#components/ui/icons.tsx";
import { changeImportAction, stepImportAction } from "#lib/imports/run-actions.ts";
import {
  importProgressQuery,
  importResultPath,
  isUnderWay,
  runStateOf,
  runTotalOf,
  type ImportProgress,
} from "#lib/imports/run-queries.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { subscriptionsKey } from "#lib/subscriptions/queries.ts";

const LOOK_AGAIN_MS = 3_000;

/** The progress of an import's run, which this page advances while it is open. */
export function ImportRunProgress({ id, progress }: { id: string; progress: ImportProgress }) {
  const t = useTranslations("importRun");
  const format = useFormat();
  const scope = useScope();
  const queryClient = useQueryClient();
  const router = useRouter();
  const query = importProgressQuery(scope, id);
  const drive = useStepRunner({
    id,
    takeStep: () => stepImportAction(scope, { id }),
    tell: (step) => {
      // An older response must not replace this one.
      void queryClient.cancelQueries({ queryKey: query.queryKey });
      queryClient.setQueryData(query.queryKey, step.progress);
    },
    settle: () => {
      void queryClient.invalidateQueries({ queryKey: subscriptionsKey(scope) });
      router.refresh();
    },
  });
  const { data: shown, refetch } = useQuery({
    ...query,
    initialData: progress,
    refetchOnWindowFocus: "always",
    // Polls while another tab may work on it; this tab's own steps update the cache.
    refetchInterval: (asked) =>
      refetchEvery(!drive.isDriving && (asked.state.data?.rest ?? 0) > 0 && LOOK_AGAIN_MS)(
        asked,
      ),
  });
  const total = runTotalOf(shown);
  const done = total - shown.rest;
  const far = t("far", { done, total });
  const status = t(`status.${statusOf(shown, drive.isDriving)}`);
  const moment = format.dateTime(shown.started_at ?? "");
  return (
    <section aria-label={t("label")} className="mt-4 border-t pt-4">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="font-semibold">{status}</p>
        <p className="text-muted tabular-nums">{far}</p>
      </div>
      <ProgressBar label={t("label")} text={far} done={done} total={total} />
      <p role="status" className="sr-only">
        {status} {t("spoken", { percent: spokenShare(done, total) })}
      </p>
      <PauseNotice
        pause={drive.pause}
        rateLimited={(wait) => t("slowDown", { wait })}
        held={t("held")}
        nothingLost={t("nothingLost")}
      />
      <Counts progress={shown} />
      <p className="mt-2 text-sm text-muted">
        {shown.started_by === null
          ? t("startedByLeft", { moment })
          : t("startedBy", { name: shown.started_by, moment })}
      </p>
      <Actions {...{ id, drive, refetch }} progress={shown} />
      <Links {...{ id }} progress={shown} isDriving={drive.isDriving} />
    </section>
  );
}

function statusOf(progress: ImportProgress, isDriving: boolean) {
  if (isDriving) return progress.undo_started_at === null ? "driving" : "undoing";
  return runStateOf(progress);
}

const COUNTED = ["done", "already", "undone", "refused", "failed", "unknown"] as const;

function Counts({ progress: { counts } }: { progress: ImportProgress }) {
  const t = useTranslations("importRun.counts");
  const some = COUNTED.filter((state) => counts[state] > 0);
  if (some.length === 0) return null;
  return (
    <p className="mt-3 tabular-nums">
      {some.map((state) => t(state, { count: counts[state] })).join(" · ")}
    </p>
  );
}

interface RunProps {
  id: string;
  progress: ImportProgress;
  drive: ReturnType<typeof useStepRunner>;
  refetch: () => Promise<unknown>;
}

function Actions({ id, progress, drive, refetch }: RunProps) {
  const t = useTranslations("importRun");
  const scope = useScope();
  const mayTakeFile = usePermission("subscriptions:export");
  const { change, isPending, failure } = useRunChange(changeImportAction, {
    id,
    drive,
    refetch,
  });
  const { counts, rest, closed_at, undo_started_at } = progress;
  const isIdle = !drive.isDriving && !isUnderWay(progress);
  const again = undo_started_at === null ? counts.refused + counts.failed : 0;

  return (
    <>
      <div className="mt-4 empty:hidden">
        <FailureNotice failure={failure} />
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        {rest > 0 && !isIdle && (
          <Button isPending={isPending} onClick={() => void change("pause")}>
            <Pause aria-hidden className="size-4" />
            {t("pause")}
          </Button>
        )}
        {rest > 0 && isIdle && (
          <>
            <Button
              look="primary"
              isPending={isPending}
              onClick={() => void change("continue")}
            >
              <Play aria-hidden className="size-4" />
              {t("continue")}
            </Button>
            {closed_at === null && (
              <Button onClick={() => void change("close")}>{t("close")}</Button>
            )}
          </>
        )}
        {rest === 0 && again > 0 && (
          <Button look="primary" isPending={isPending} onClick={() => void change("retry")}>
            <RotateCw aria-hidden className="size-4" />
            {t("retry", { count: again })}
          </Button>
        )}
        {isIdle && <Undo {...{ id, progress, drive, refetch }} />}
        {mayTakeFile && (
          <>
            <DownloadLink href={importResultPath(scope, id, "csv")}>
              {t("file.csv")}
            </DownloadLink>
            <DownloadLink href={importResultPath(scope, id, "xlsx")}>
              {t("file.xlsx")}
            </DownloadLink>
          </>
        )}
      </div>
    </>
  );
}

function Undo({ id, progress, drive, refetch }: RunProps) {
  const t = useTranslations("importRun.undo");
  const isAllowed = usePermission("subscriptions:cancel");
  const action = useScopedAction(changeImportAction);
  const { counts, can_undo } = progress;
  if (!isAllowed || counts.done === 0) return null;
  if (!can_undo) return <p className="self-center text-sm text-muted">{t("impossible")}</p>;
  return (
    <ActionButton
      title={t("title", { count: counts.done })}
      label={t("confirm")}
      look="danger"
      button={{
        children: (
          <>
            <Undo2 aria-hidden className="size-4" />
            {t("button")}
          </>
        ),
      }}
      action={action}
      read={() => ({ id, change: "undo" as const })}
      onDone={(_, close) => {
        close();
        void refetch().then(drive.start);
      }}
    >
      {() => <p className="text-pretty">{t("text")}</p>}
    </ActionButton>
  );
}

/** Links to the collection with the buyers of this import only, to send them their checkout links. */
function Links({
  id,
  progress: { links, rest, undo_started_at },
  isDriving,
}: {
  id: string;
  progress: ImportProgress;
  isDriving: boolean;
}) {
  const t = useTranslations("importRun");
  if (links === 0 || isDriving || rest > 0 || undo_started_at !== null) return null;
  return (
    <div className="mt-4 border-t pt-4">
      <ScopedLink
        href={`/collection?group=waiting&import_run=${id}`}
        className={buttonClass("primary")}
      >
        <MessageSquareText aria-hidden className="size-4" />
        {t("send", { count: links })}
      </ScopedLink>
      <p className="mt-2 text-sm text-pretty text-muted">{t("sendHint")}</p>
    </div>
  );
}
