import type { UseQueryResult } from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { Notice } from "#components/ui/notice.tsx";
import { describeFailure, failureOf } from "#lib/failure.ts";

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
