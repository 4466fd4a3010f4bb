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

export interface FreshRecords {
  /** By subscription id, in the order of reading. */
  records: ReadonlyMap<string, SubscriptionRecord>;
  /** Unreadable records, and why. */
  missing: ReadonlyMap<string, MessageKey>;
  isComplete: boolean;
  /** Seconds to wait, as the service asked. */
  wait: number | null;
  /** Why reading stopped. */
  failure: Failure | null;
  /** Continues where it stopped. */
  retry: () => void;
}

interface Progress {
  records: Map<string, SubscriptionRecord>;
  missing: Map<string, MessageKey>;
  wait: number | null;
  failure: Failure | null;
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
    const reading = new Reading(options, (reached) => {
      begun.current = reached;
      setProgress(reached);
    });
    void reading.run();
    return () => abort.abort();
  }, [scope, queryClient, ids, attempt]);

  const { records, missing } = progress;
  return {
    ...progress,
    isComplete: records.size + missing.size === ids.length,
    retry: () => setAttempt(attempt + 1),
  };
}

const NOTHING: Progress = {
  records: new Map(),
  missing: new Map(),
  wait: null,
  failure: null,
};

interface ReadingOptions {
  scope: Scope;
  queryClient: QueryClient;
  ids: readonly string[];
  /** Results of an earlier run. */
  begun: Progress;
  signal: AbortSignal;
}

class Reading {
  readonly #options: ReadingOptions;
  readonly #tell: (progress: Progress) => void;
  readonly #queue: string[];
  #progress: Progress;
  /** All lanes wait for it. */
  #pause = Promise.resolve();

  constructor(options: ReadingOptions, tell: (progress: Progress) => void) {
    this.#options = options;
    this.#tell = tell;
    const { ids, begun } = options;
    this.#progress = { ...begun, wait: null, failure: null };
    this.#queue = ids.filter((id) => !begun.records.has(id) && !begun.missing.has(id));
  }

  async run() {
    this.#report({});
    await Promise.all(Array.from({ length: AT_ONCE }, () => this.#readOn()));
  }

  async #readOn() {
    const { signal } = this.#options;
    for (let id = this.#queue.shift(); id !== undefined; id = this.#queue.shift()) {
      for (let tries = 1; ; tries++) {
        await this.#pause;
        if (signal.aborted || this.#progress.failure) return;
        if (await this.#read(id, tries)) break;
      }
    }
  }

  /** @returns false if it must be retried */
  async #read(id: string, tries: number): Promise<boolean> {
    const { scope, queryClient } = this.#options;
    try {
      const query = { ...subscriptionQuery(scope, id), staleTime: 0, retry: false };
      const record = await queryClient.fetchQuery(query);
      this.#report({ records: new Map(this.#progress.records).set(id, record) });
      return true;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === "rate_limited") {
        await this.#rest(failure.retry_after ?? DEFAULT_WAIT_SECONDS);
        return false;
      }
      if (failure.kind === "unavailable" && tries < TRIES) {
        await delay(TRY_AGAIN_MS * tries);
        return false;
      }
      const why = MISSING[failure.kind];
      const { missing } = this.#progress;
      this.#report(why ? { missing: new Map(missing).set(id, why) } : { failure });
      return true;
    }
  }

  #rest(seconds: number): Promise<void> {
    this.#report({ wait: seconds });
    this.#pause = delay(seconds * 1_000).then(() => this.#report({ wait: null }));
    return this.#pause;
  }

  #report(change: Partial<Progress>) {
    this.#progress = { ...this.#progress, ...change };
    if (!this.#options.signal.aborted) this.#tell(this.#progress);
  }
}

const MISSING: Partial<Record<Failure["kind"], MessageKey>> = {
  not_found: "bulk.why.missing",
  unexpected: "bulk.why.unreadable",
};

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

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
