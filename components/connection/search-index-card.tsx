"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { FailureNotice, useSellerAction } from "#components/forms/use-action.tsx";
import { CircleAlert } from "#components/ui/icons.tsx";
import { Moment } from "#components/values/day.tsx";
import { useFormat, usePermission, useScope } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { FactRow } from "#components/ui/detail-row.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { describeFailure } from "#lib/failure.ts";
import { requestFullSyncAction } from "#lib/search-index/actions.ts";
import {
  indexQuery,
  type IndexSettings,
  type ListProgress,
} from "#lib/search-index/queries.ts";
import { ComparePanel } from "./compare/compare-panel.tsx";
import type { Comparisons } from "#lib/search-index/compare/differences.ts";

interface SearchIndexCardProps {
  initial: IndexSettings;
  comparisons: Comparisons;
}

export function SearchIndexCard({ initial, comparisons }: SearchIndexCardProps) {
  const t = useTranslations("connection.index");
  const query = indexQuery(useScope());
  const { data: index } = useQuery({ ...query, initialData: initial });
  const queryClient = useQueryClient();
  const syncing = useSellerAction(requestFullSyncAction);
  const refresh = () => queryClient.invalidateQueries({ queryKey: query.queryKey });
  const mayWrite = usePermission("connection:write");

  async function sync() {
    if (!(await syncing.run({}))) return;
    showToast({ text: t("syncing") });
    await refresh();
  }

  return (
    <Card aria-labelledby="search-index" className="mt-4 max-w-2xl p-4 sm:p-5">
      <CardTitle id="search-index">{t("title")}</CardTitle>
      <p className="mt-1 mb-4 text-muted">{t("text")}</p>
      <FailureNotice failure={syncing.failure} />
      <IndexFacts index={index} />
      <div className="mt-5">
        <Button isPending={syncing.isPending} onClick={() => void sync()}>
          {t("sync")}
        </Button>
      </div>
      {index.hint_url && <WebhookAddress url={index.hint_url} isFollowed={index.is_followed} />}
      {index.state === "ready" && (
        <ComparePanel
          initial={comparisons}
          mayWrite={mayWrite}
          rebuild={{ run: () => void sync(), isPending: syncing.isPending }}
        />
      )}
    </Card>
  );
}

function IndexFacts({ index }: { index: IndexSettings }) {
  const t = useTranslations("connection.index");
  const tAll = useTranslations();
  const { state, read_at, lists, failure } = index;
  return (
    <>
      {failure && (
        <Notice look="warning" icon={CircleAlert} role="status" className="mb-4">
          {t("why", { title: describeFailure(tAll, failure).title })}
        </Notice>
      )}
      <dl className="divide-y border-y">
        <FactRow label={t("state")}>
          {t(`states.${failure && state !== "ready" ? "paused" : state}`)}
        </FactRow>
        <FactRow label={t("age")}>
          {read_at ? (
            <Moment iso={read_at} />
          ) : (
            <span className="text-muted">{t("never")}</span>
          )}
        </FactRow>
        {lists.map((progress) => (
          <FactRow key={progress.list} label={t(`lists.${progress.list}`)}>
            <Progress {...progress} />
          </FactRow>
        ))}
      </dl>
    </>
  );
}

function Progress({ read, total, is_syncing }: ListProgress) {
  const t = useTranslations("connection.index.progress");
  const format = useFormat();
  const values = { read: format.count(read), total: format.count(total ?? read) };
  if (!is_syncing) return read === 0 && total === null ? t("waiting") : t("whole", values);
  return total === null ? t("unknown", values) : t("known", values);
}

function WebhookAddress({ url, isFollowed }: { url: string; isFollowed: boolean }) {
  const t = useTranslations("connection.index.webhook");
  return (
    <div className="mt-5">
      <h3 className="font-medium">{t("label")}</h3>
      <p className="mt-1 mb-2 text-sm text-muted">{t(isFollowed ? "followed" : "text")}</p>
      <CodeBlock text={url} copyLabel={t("copy")} />
    </div>
  );
}
