"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useParams } from "next/navigation";
import type { ReactNode } from "react";
import { QueryOutcome } from "#components/list/query-state.tsx";
import { BackLink } from "#components/list/links.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { ScopedLink, useFormat, useScope } from "#components/context/seller-context.tsx";
import { Card } from "#components/ui/card.tsx";
import { SearchX } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import type { Failure } from "#lib/failure.ts";
import { refetchEvery } from "#lib/query/client.ts";
import {
  bulkRunQuery,
  type BulkRun as Run,
  type BulkRunView,
} from "#lib/subscriptions/bulk/queries.ts";
import { countStates, bulkRunTitle, countUnfinished } from "#lib/subscriptions/bulk/rules.ts";
import { useBulkRunner } from "./bulk-drive.ts";
import { BulkItemList } from "./bulk-item-list.tsx";
import { BulkRunActions, BulkRunProgress } from "./bulk-run-actions.tsx";

const LOOK_AGAIN_MS = 3_000;

export function BulkRunContent({ failure }: { failure: Failure | null }) {
  const { id } = useParams<{ id: string }>();
  const drive = useBulkRunner(id);
  const query = useQuery({
    ...bulkRunQuery(useScope(), id),
    refetchOnWindowFocus: "always",
    // Polls while another tab may work on it; this tab's own steps update the cache.
    refetchInterval: (asked) => {
      const { items = [] } = asked.state.data ?? {};
      const isLeft = !drive.isDriving && countUnfinished(countStates(items)) > 0;
      return refetchEvery(isLeft && LOOK_AGAIN_MS)(asked);
    },
  });
  const { run } = query.data ?? {};
  return (
    <Frame view={query.data}>
      <QueryOutcome {...{ query, failure }}>
        {query.data && run && (
          <>
            <Card className="mb-5 p-4 sm:p-5">
              <BulkRunProgress run={run} view={query.data} drive={drive} />
              <BulkRunActions
                run={run}
                view={query.data}
                drive={drive}
                refetch={query.refetch}
              />
            </Card>
            <BulkItemList items={query.data.items} isClosed={run.closed_at !== null} />
          </>
        )}
      </QueryOutcome>
    </Frame>
  );
}

/** The run during server rendering: what the cache holds, or a skeleton of the same size. */
export function BulkRunSkeleton() {
  const { id } = useParams<{ id: string }>();
  const scope = useScope();
  const view = useQueryClient().getQueryData(bulkRunQuery(scope, id).queryKey);
  return (
    <Frame view={view}>
      <span className="skeleton mb-5 h-36 rounded-md" />
      <span className="skeleton h-64 rounded-md" />
    </Frame>
  );
}

function Frame({ view, children }: { view?: BulkRunView | undefined; children: ReactNode }) {
  const t = useTranslations("bulk");
  return (
    <>
      <BackLink href="/subscriptions">{t("subscriptions")}</BackLink>
      {view?.run === null ? (
        <StatePanel icon={SearchX} title={t("run.gone.title")} text={t("run.gone.text")} />
      ) : (
        <>
          <PageHeader
            title={
              view?.run ? bulkRunTitle(t, view.run.operation, view.items.length) : t("one")
            }
          />
          {view?.run && <Asked run={view.run} />}
          {children}
        </>
      )}
    </>
  );
}

function Asked({ run }: { run: Run }) {
  const t = useTranslations("bulk.run");
  const format = useFormat();
  const { asked_day, asked_days, undo_of, started_by } = run;
  const moment = format.dateTime(run.created_at);
  return (
    <p className="-mt-3 mb-5 text-muted">
      {asked_day !== null && `${t("to", { date: format.date(asked_day) })} `}
      {asked_days !== null &&
        `${t(asked_days > 0 ? "later" : "earlier", { count: Math.abs(asked_days) })} `}
      {undo_of !== null && (
        <>
          {t.rich("takesBack", {
            link: (words) => (
              <ScopedLink
                href={`/subscriptions/bulk/${undo_of}`}
                className="text-accent underline"
              >
                {words}
              </ScopedLink>
            ),
          })}{" "}
        </>
      )}
      {started_by === null
        ? t("begunByLeft", { moment })
        : t("begun", { name: started_by, moment })}
    </p>
  );
}
