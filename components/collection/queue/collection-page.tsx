"use client";

import { CircleCheck, SearchX } from "lucide-react";
import { useTranslations } from "next-intl";
import { useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { lazy, Suspense } from "react";
import { IndexFreshness, useDescribeAbsence } from "#components/list/index-notice.tsx";
import { StaleNotice, useVisibleFailure } from "#components/list/query-state.tsx";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { StatePanel } from "#components/ui/state-panel.tsx";
import { useWarmUp } from "#components/ui/overlays/warm-up.ts";
import type { Failure } from "#lib/failure.ts";
import { cn } from "#lib/cn.ts";
import { queueQuery, type QueuePage } from "#lib/collection/queries.ts";
import {
  queuePath,
  parseQueueSearch,
  cursorAt,
  type QueueSearch,
} from "#lib/collection/search.ts";
import { BuyerPanelDetails } from "#components/collection/buyer/buyer-panel.tsx";
import { QueueList, OPEN_BUYER, QueueRows } from "./queue-list.tsx";
import { LastActionNotice } from "./last-action.tsx";
import { QueueToolbar } from "./queue-toolbar.tsx";
import { GraceNote } from "./grace-note.tsx";
import { useQueue, type QueueState } from "#components/collection/state/use-queue.ts";

const loadStrip = () => import("#components/collection/outreach/outreach-strip.tsx");
const OutreachStrip = lazy(async () => ({ default: (await loadStrip()).OutreachStrip }));
const loadSummary = () => import("#components/collection/outreach/outreach-summary.tsx");
const OutreachSummary = lazy(async () => ({ default: (await loadSummary()).OutreachSummary }));

/** The queue of buyers to contact, most urgent first, beside the open buyer. */
export function CollectionPage({ failure }: { failure: Failure | null }) {
  const t = useTranslations("collection");
  const desk = useQueue();
  useWarmUp(loadStrip);
  useWarmUp(loadSummary);
  const { query, search } = desk;
  const visibleFailure = useVisibleFailure(query, failure);
  const page = query.data;
  const isOne = desk.asked !== null;
  return (
    <>
      <div className={cn(isOne && "max-lg:hidden")}>
        <QueueToolbar {...{ page, search }} line={desk.line} onLine={desk.setLine} />
        <StaleNotice query={query} />
      </div>
      {isOne && <h1 className="sr-only lg:hidden">{t("title")}</h1>}
      <LastActionNotice desk={desk} />
      {desk.outreach.run && (
        <Suspense>
          <OutreachSummary desk={desk} />
        </Suspense>
      )}
      {visibleFailure ? (
        <FailurePanel
          failure={visibleFailure}
          isRetrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Panes desk={desk} page={page} />
      )}
    </>
  );
}

function Panes({ desk, page }: { desk: QueueState; page: QueuePage | undefined }) {
  const { asked, openId } = desk;
  const isEmpty = page !== undefined && desk.order.entries.length === 0;
  if (isEmpty && asked === null) return <EmptyQueue desk={desk} />;
  return (
    <div className="lg:grid lg:grid-cols-[minmax(19rem,25rem)_minmax(0,1fr)] lg:items-start lg:gap-6">
      <div className={cn(asked !== null && "max-lg:hidden")}>
        <QueueList desk={desk} page={page} />
        {page && <Extent page={page} />}
        <GraceNote desk={desk} />
      </div>
      <div
        id={OPEN_BUYER}
        tabIndex={-1}
        className={cn(
          "outline-none lg:sticky lg:top-[calc(var(--band)+4.25rem)] lg:max-h-[calc(100dvh-var(--band)-5rem)] lg:overflow-y-auto low:static! low:max-h-none!",
          asked === null && "max-lg:hidden",
        )}
      >
        {desk.isOutreachOpen && (
          <Suspense>
            <OutreachStrip desk={desk} />
          </Suspense>
        )}
        {openId !== null && <BuyerPanelDetails desk={desk} subscription_id={openId} />}
      </div>
    </div>
  );
}

/** The source of the queue and its freshness. */
function Extent({ page: { source } }: { page: QueuePage }) {
  const t = useTranslations("collection.extent");
  const absence = useDescribeAbsence();
  return (
    <p className="mt-3 text-xs text-pretty text-muted">
      {source.state === "ready" ? (
        <>
          {t("order")} <IndexFreshness found={source} />
        </>
      ) : (
        <>
          {absence(source)} {t("firstPages")} {t("order")}
        </>
      )}
    </p>
  );
}

function EmptyQueue({ desk }: { desk: QueueState }) {
  const t = useTranslations("collection.empty");
  const scope = useScope();
  const isNarrowed = isNarrow(desk.search) || desk.line.trim() !== "" || desk.after !== null;
  if (isNarrowed)
    return (
      <StatePanel
        role="status"
        icon={SearchX}
        title={t("noneTitle")}
        text={t("noneText")}
        action={
          <a
            href={queuePath(scope, parseQueueSearch({}))}
            onClick={() => desk.setLine("")}
            className={buttonClass()}
          >
            {t("clear")}
          </a>
        }
      />
    );
  return (
    <>
      <StatePanel
        role="status"
        icon={CircleCheck}
        title={t("doneTitle")}
        text={t("doneText")}
        action={
          <ScopedLink href="/subscriptions" className={buttonClass()}>
            {t("subscriptions")}
          </ScopedLink>
        }
      />
      <GraceNote desk={desk} />
    </>
  );
}

const isNarrow = ({ group, whose, show, product }: QueueSearch) =>
  group !== null || whose !== "anybody" || show !== "open" || product !== null;

/** The page before hydration: cached rows, or placeholders of the same size. */
export function CollectionSkeleton() {
  const parameters = useSearchParams();
  const search = parseQueueSearch(parameters);
  const { queryKey } = queueQuery(useScope(), search, "", cursorAt(parameters));
  const page = useQueryClient().getQueryData(queryKey);
  return (
    <div inert>
      <QueueToolbar {...{ page, search }} line="" onLine={() => {}} />
      <div className="lg:grid lg:grid-cols-[minmax(19rem,25rem)_minmax(0,1fr)] lg:gap-6">
        <QueueRows entries={page?.entries} search={search} />
        <span className="skeleton h-96 max-lg:hidden" />
      </div>
    </div>
  );
}
