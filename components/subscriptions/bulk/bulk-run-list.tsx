"use client";

import { useTranslations } from "next-intl";
import { QueryOutcome, useCachedQuery } from "#components/list/query-state.tsx";
import { BackLink } from "#components/list/links.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import {
  PageLink,
  ScopedLink,
  useFormat,
  usePermission,
  useScope,
} from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { ChevronRight, ListTodo } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import type { Failure } from "#lib/failure.ts";
import {
  bulkRunPath,
  bulkRunsQuery,
  type BulkRunSummary,
} from "#lib/subscriptions/bulk/queries.ts";
import { bulkRunTitle } from "#lib/subscriptions/bulk/rules.ts";

const EXPECTED_ROWS = 5;

interface BulkRunListProps {
  failure: Failure | null;
  /** Whether the server renders the page: it shows what the cache holds, or a skeleton. */
  isPlaceholder?: boolean;
}

export function BulkRunList({ failure, isPlaceholder = false }: BulkRunListProps) {
  const t = useTranslations("bulk");
  const query = useCachedQuery(bulkRunsQuery(useScope()), isPlaceholder);
  return (
    <>
      <BackLink href="/subscriptions">{t("subscriptions")}</BackLink>
      <PageHeader title={t("title")} />
      <QueryOutcome {...{ query, failure }}>
        <Runs runs={query.data} />
      </QueryOutcome>
    </>
  );
}

function Runs({ runs }: { runs: BulkRunSummary[] | undefined }) {
  const t = useTranslations("bulk");
  const mayChange = usePermission("subscriptions:cancel");
  if (runs?.length === 0)
    return (
      <StatePanel
        icon={ListTodo}
        title={t("list.empty.title")}
        text={t(mayChange ? "list.empty.text" : "list.empty.viewer")}
        action={
          <ScopedLink href="/subscriptions" className={buttonClass()}>
            {t("subscriptions")}
          </ScopedLink>
        }
      />
    );
  return (
    <>
      <ul
        aria-label={t("title")}
        aria-busy={runs === undefined}
        className="divide-y rounded-md border bg-surface shadow-card"
      >
        {runs
          ? runs.map((run) => <Run key={run.id} run={run} />)
          : Array.from({ length: EXPECTED_ROWS }, (_, at) => (
              <li key={at} className="flex h-14 items-center px-4">
                <span className="skeleton h-3 w-2/5" />
              </li>
            ))}
      </ul>
      <p className="mt-3 text-xs text-muted">{t("list.kept")}</p>
    </>
  );
}

function Run({ run }: { run: BulkRunSummary }) {
  const scope = useScope();
  const t = useTranslations("bulk");
  const format = useFormat();
  const { id, operation, items, rest, closed_at, started_by, created_at, undo_of } = run;
  const isOpen = rest > 0 && closed_at === null;
  const facts = [
    undo_of !== null && t("list.takesBack"),
    started_by ?? t("list.left"),
    format.dateTime(created_at),
  ];
  return (
    <li
      data-row={id}
      className="relative flex min-h-14 items-center gap-3 px-4 py-2 hover:bg-canvas"
    >
      <div className="min-w-0 flex-1">
        <PageLink
          href={bulkRunPath(scope, id)}
          className="font-medium after:absolute after:inset-0"
        >
          {bulkRunTitle(t, operation, items)}
        </PageLink>
        <span className="block text-sm text-muted">{facts.filter(Boolean).join(" · ")}</span>
      </div>
      <span className={isOpen ? "font-medium text-due" : "text-muted"}>
        {rest === 0 ? t("list.finished") : t("list.far", { done: items - rest, total: items })}
      </span>
      <ChevronRight aria-hidden className="size-4 text-faint" />
    </li>
  );
}
