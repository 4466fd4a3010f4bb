import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslations } from "next-intl";
import { useFormat, useScope } from "#components/context/seller-context.tsx";
import type { Scope } from "#lib/scope.ts";
import { type Failure, failureOf } from "#lib/failure.ts";
import type { MessageKey } from "#lib/i18n/message.ts";
import { subscriptionQuery, type SubscriptionRecord } from "#lib/subscriptions/queries.ts";
import { FailureNotice } from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { ProgressBar } from "#components/ui/charts/progress-bar.tsx";

const AT_ONCE = 4;
const TRIES = 3;
const TRY_AGAIN_MS = 1_000;
const DEFAULT_WAIT_SECONDS = 5;

interface Progress {
  /** The records by subscription id, in the order of reading. */
  records: ReadonlyMap<string, SubscriptionRecord>;
  missing: ReadonlyMap<string, MessageKey>;
  /** Seconds to wait, because the service asked to slow down; null if it did not. */
  wait: number | null;
  failure: Failure | null;
}

export interface FreshRecords extends Progress {
  isComplete: boolean;
  retry: () => void;
}

/** Reads the current records, a few at a time, and waits when the service asks for it. */
export function useFreshRecords(ids: readonly string[]): FreshRecords {
  const scope = useScope();
  const queryClient = useQueryClient();
  const [attempt, setAttempt] = useState(0);
  const [progress, setProgress] = useState<Progress>(NOTHING);
  const begun = useRef(NOTHING);

  useEffect(() => {
    const abort = new AbortController();
    const options = { scope, queryClient, ids, begun: begun.current, signal: abort.signal };
    void readRecords(options, (reached) => {
      begun.current = reached;
      setProgress(reached);
    });
    return () => abort.abort();
  }, [scope, queryClient, ids, attempt]);

  const { records, missing } = progress;
  return {
    ...progress,
    isComplete: records.size + missing.size === ids.length,
    retry: () => setAttempt(attempt + 1),
  };
}

const NOTHING: Progress = { records: new Map(), missing: new Map(), wait: null, failure: null };

interface ReadingOptions {
  scope: Scope;
  queryClient: QueryClient;
  ids: readonly string[];
  begun: Progress;
  signal: AbortSignal;
}

async function readRecords(
  { scope, queryClient, ids, begun, signal }: ReadingOptions,
  onProgress: (progress: Progress) => void,
) {
  let progress: Progress = { ...begun, wait: null, failure: null };
  // All parallel readers wait for this promise.
  let pause = Promise.resolve();
  const queue = ids.filter((id) => !begun.records.has(id) && !begun.missing.has(id));

  function report(change: Partial<Progress>) {
    progress = { ...progress, ...change };
    if (!signal.aborted) onProgress(progress);
  }

  /** @returns false if it must be retried */
  async function read(id: string, tries: number): Promise<boolean> {
    try {
      const query = { ...subscriptionQuery(scope, id), staleTime: 0, retry: false };
      const record = await queryClient.fetchQuery(query);
      report({ records: new Map(progress.records).set(id, record) });
      return true;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === "rate_limited") {
        const wait = failure.retry_after ?? DEFAULT_WAIT_SECONDS;
        report({ wait });
        pause = delay(wait * 1_000).then(() => report({ wait: null }));
        await pause;
        return false;
      }
      if (failure.kind === "unavailable" && tries < TRIES) {
        await delay(TRY_AGAIN_MS * tries);
        return false;
      }
      const why = MISSING[failure.kind];
      report(why ? { missing: new Map(progress.missing).set(id, why) } : { failure });
      return true;
    }
  }

  async function readOn() {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      for (let tries = 1; ; tries++) {
        await pause;
        if (signal.aborted || progress.failure) return;
        if (await read(id, tries)) break;
      }
    }
  }

  report({});
  await Promise.all(Array.from({ length: AT_ONCE }, readOn));
}

const MISSING: Partial<Record<Failure["kind"], MessageKey>> = {
  not_found: "bulk.why.missing",
  unexpected: "bulk.why.unreadable",
};

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

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
      <ProgressBar
        label={t("reading.label")}
        text={t("run.far", { done, total })}
        {...{ done, total }}
      />
      <p className="text-sm text-muted tabular-nums">
        {wait === null
          ? t("reading.far", { done, total })
          : t("run.slowDown", { wait: format.wait(wait) })}
      </p>
    </div>
  );
}
