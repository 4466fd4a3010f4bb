"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import dynamic from "next/dynamic";
import { useEffect, useRef, useState } from "react";
import { useFormat, useScope } from "#components/context/seller-context.tsx";
import {
  FailureNotice,
  UNANSWERED_RESULT,
  useSellerAction,
} from "#components/forms/use-action.tsx";
import { PauseNotice } from "#components/forms/pause-notice.tsx";
import { Button } from "#components/ui/button.tsx";
import { refetchEvery } from "#lib/query/client.ts";
import { comparisonsQuery, type JobPause } from "#lib/search-index/queries.ts";
import { ProgressBar } from "#components/ui/charts/progress-bar.tsx";
import { waitUnlessAborted as sleep } from "#components/forms/step-runner.ts";
import { startCompareAction, stepCompareAction } from "#lib/search-index/actions.ts";
import type { Comparison, Comparisons } from "#lib/search-index/compare/differences.ts";

const CompareResult = dynamic(async () => (await import("./compare-result.tsx")).CompareResult);

const REFETCH_MS = 3_000;

interface ComparePanelProps {
  initial: Comparisons;
  mayWrite: boolean;
  /** Reads all records into the index again. */
  rebuild: { run: () => void; isPending: boolean };
}

export function ComparePanel({ initial, mayWrite, rebuild }: ComparePanelProps) {
  const t = useTranslations("compare");
  const compare = useCompare();
  const { data } = useQuery({
    ...comparisonsQuery(useScope()),
    initialData: initial,
    // Polls while another page may run the comparison; this page's own steps update the cache.
    refetchInterval: (query) => {
      const isElsewhere = query.state.data?.open && !compare.isRunning;
      return refetchEvery(isElsewhere ? REFETCH_MS : false)(query);
    },
  });
  const { open, last } = data;
  // Once an unfinished comparison has counts, it is newer than the last finished one.
  const shown = open?.report.counts ? open : last;
  return (
    <section aria-labelledby="compare" className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-4">
      <div>
        <h3 id="compare" className="font-medium">
          {t("title")}
        </h3>
        <p className="mt-1 text-sm text-muted">{t("text")}</p>
        <FailureNotice failure={compare.failure} />
        {mayWrite && !open && (
          <Button
            className="mt-3"
            isPending={compare.isStarting || compare.isRunning}
            onClick={() => void compare.start()}
          >
            {t("submit")}
          </Button>
        )}
      </div>
      {open && <CompareProgress comparison={open} compare={compare} mayWrite={mayWrite} />}
      {shown && (
        <CompareResult comparison={shown} rebuild={mayWrite && !open ? rebuild : null} />
      )}
    </section>
  );
}

interface CompareProgressProps {
  comparison: Comparison;
  compare: ReturnType<typeof useCompare>;
  mayWrite: boolean;
}

function CompareProgress({ comparison, compare, mayWrite }: CompareProgressProps) {
  const t = useTranslations("compare.progress");
  const format = useFormat();
  const { phase, compared, waiting, expected, failure } = comparison;
  const state = compare.isRunning ? "running" : comparison.is_busy ? "elsewhere" : "stopped";
  const saved: JobPause | null =
    failure && !compare.isRunning ? { kind: "stopped", failure } : null;
  const total = Math.max(expected ?? 0, compared + waiting);
  const progress = t("records", { done: format.count(compared), total: format.count(total) });
  return (
    <div className="rounded border p-4">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="font-medium">{t(`states.${state}`)}</p>
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
      <PauseNotice
        pause={compare.pause ?? saved}
        rateLimited={(wait) => t("rateLimited", { wait })}
        held={t("held")}
        nothingLost={t("nothingLost")}
      />
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

/** Milliseconds between two steps, so that other requests of the seller are not delayed. */
const STEP_INTERVAL_MS = 50;

interface RunState {
  isRunning: boolean;
  /** Why the comparison waits or has ended; null while it runs. */
  pause: JobPause | null;
}

const IDLE: RunState = { isRunning: false, pause: null };

/** Runs a comparison step by step, as long as its page is open. */
function useCompare() {
  const scope = useScope();
  const queryClient = useQueryClient();
  const query = comparisonsQuery(scope);
  const [state, setState] = useState(IDLE);
  const running = useRef<AbortController>(undefined);
  const starting = useSellerAction(startCompareAction);
  useEffect(() => () => running.current?.abort(), []);

  async function run() {
    if (running.current && !running.current.signal.aborted) return;
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setState({ isRunning: true, pause: null });
    const view = await queryClient.fetchQuery({ ...query, staleTime: 0 }).catch(() => null);
    const id = view?.open?.id;
    let pause: JobPause | null = id === undefined ? { kind: "finished" } : null;
    while (id !== undefined && !signal.aborted) {
      pause = await step(id);
      if (signal.aborted || (pause && pause.kind !== "wait")) break;
      setState({ isRunning: true, pause });
      await sleep(pause ? pause.seconds * 1_000 : STEP_INTERVAL_MS, signal);
    }
    if (signal.aborted) return;
    controller.abort();
    setState({ isRunning: false, pause });
  }

  async function step(id: string): Promise<JobPause | null> {
    const result = await stepCompareAction(scope, { id }).catch(() => UNANSWERED_RESULT);
    if (!result.ok) return { kind: "stopped", failure: result.failure };
    // An older answer that is still on its way must not replace this one.
    void queryClient.cancelQueries({ queryKey: query.queryKey });
    queryClient.setQueryData(query.queryKey, result.value.comparisons);
    return result.value.pause;
  }

  return {
    ...state,
    failure: starting.failure,
    isStarting: starting.isPending,
    start: async () => {
      if (await starting.run({})) await run();
    },
    resume: run,
    stop: () => {
      running.current?.abort();
      setState(IDLE);
    },
  };
}
