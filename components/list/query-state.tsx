import type { UseQueryResult } from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useFormat } from "#components/values/use-format.ts";
import { Notice } from "#components/ui/notice.tsx";
import { type Failure, describeFailure, failureOf } from "#lib/failure.ts";

interface StaleNoticeProps {
  query: Pick<UseQueryResult, "data" | "error" | "dataUpdatedAt" | "refetch">;
}

/** Above data that is still here while a newer reading failed; otherwise nothing. */
export function StaleNotice({ query }: StaleNoticeProps) {
  const t = useTranslations();
  const format = useFormat();
  const { data, error, dataUpdatedAt, refetch } = query;
  if (!data || !error) return null;
  const time = format.time(new Date(dataUpdatedAt).toISOString());
  return (
    <Notice look="warning" icon={CloudOff} role="status" className="mb-4">
      {t("table.stale", { failure: describeFailure(t, failureOf(error)).title, time })}{" "}
      <button
        type="button"
        onClick={() => void refetch()}
        className="rounded font-medium underline"
      >
        {t("failures.tryAgain")}
      </button>
    </Notice>
  );
}

interface QueryState {
  data: unknown;
  error: Error | null;
}

/**
 * The failure to show in place of data. It stays while the next try is under way, where the query
 * itself already says "pending", so that a page without its service does not flicker.
 * @param atServer why the server could not prefetch
 */
export function useVisibleFailure(query: QueryState, atServer: Failure | null): Failure | null {
  const [last, setLast] = useState(atServer);
  const failed = query.error ? failureOf(query.error) : last;
  const current = query.data === undefined ? failed : null;
  if (current !== last) setLast(current);
  return current;
}
