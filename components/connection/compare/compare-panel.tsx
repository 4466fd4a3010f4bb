"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import dynamic from "next/dynamic";
import { useScope } from "#components/context/seller-context.tsx";
import { FailureNotice } from "#components/forms/failure-notice.tsx";
import { Button } from "#components/ui/button.tsx";
import { refetchEvery } from "#lib/query/client.ts";
import { comparisonsQuery, type Comparisons } from "#lib/search-index/compare/queries.ts";
import { CompareProgress } from "./compare-progress.tsx";
import { useCompare } from "./use-compare.ts";

const CompareResult = dynamic(async () => (await import("./compare-result.tsx")).CompareResult);

const REFETCH_MS = 3_000;

interface ComparePanelProps {
  initial: Comparisons;
  mayWrite: boolean;
  /** Reads all records into the index again. */
  rebuild: { run: () => void; isPending: boolean };
}

/** Compares the search index with the billing service, and shows the differences. */
export function ComparePanel({ initial, mayWrite, rebuild }: ComparePanelProps) {
  const t = useTranslations("compare");
  const compare = useCompare();
  const { data } = useQuery({
    ...comparisonsQuery(useScope()),
    initialData: initial,
    // Another page may be running it; this page's own steps update the cache.
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
