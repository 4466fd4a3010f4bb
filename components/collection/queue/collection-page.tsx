"use client";

import { useTranslations } from "next-intl";
import { useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { lazy, Suspense, useState } from "react";
import { IndexFreshness, useDescribeIndexAbsence } from "#components/list/index-notice.tsx";
import { StaleNotice, useVisibleFailure } from "#components/list/query-state.tsx";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { ScopedLink, usePermission, useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { CircleCheck, SearchX } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import { usePreload } from "#components/ui/overlays/popup.ts";
import type { Failure } from "#lib/failure.ts";
import { cn } from "#lib/cn.ts";
import { type QueuePage, queueQuery } from "#lib/collection/queries.ts";
import {
  queueCursorFrom,
  parseQueueSearch,
  queuePath,
  type QueueSearch,
} from "#lib/collection/search.ts";
import { BuyerPanelDetails } from "#components/collection/buyer/buyer-panel.tsx";
import { type QueueState, useQueue } from "#components/collection/state/use-queue.ts";
import { useHydrated } from "#components/ui/button.tsx";
import { OPEN_BUYER_ID, QueueList, QueueRows } from "./queue-list.tsx";
import { LastActionNotice } from "./last-action.tsx";
import { QueueToolbar } from "./queue-toolbar.tsx";

const loadOutreach = () => import("./outreach.tsx");
const OutreachStrip = lazy(async () => ({ default: (await loadOutreach()).OutreachStrip }));
const OutreachSummary = lazy(async () => ({ default: (await loadOutreach()).OutreachSummary }));
const MoneyTasks = lazy(async () => ({
  default: (await import("#components/forms/by-hand/money-tasks.tsx")).MoneyTasks,
}));
const loadGraceDialog = () => import("#components/collection/buyer/collection-dialogs.tsx");
const GraceDialog = lazy(async () => ({ default: (await loadGraceDialog()).GraceDialog }));

/** The queue of buyers to contact, most urgent first, beside the open buyer. */
export function CollectionPage({ failure }: { failure: Failure | null }) {
  const t = useTranslations("collection");
  const desk = useQueue();
  usePreload(loadOutreach);
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
      <div className={cn(isOne && "max-lg:hidden")}>
        <Suspense>
          <MoneyTasks />
        </Suspense>
      </div>
      <LastActionNotice desk={desk} />
      {desk.outreach.run && (
        <Suspense>
          <OutreachSummary desk={desk} />
        </Suspense>
      )}
      {visibleFailure ? (
        <FailurePanel failure={visibleFailure} query={query} />
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
        id={OPEN_BUYER_ID}
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

function Extent({ page: { source } }: { page: QueuePage }) {
  const t = useTranslations("collection.extent");
  const absence = useDescribeIndexAbsence();
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

const isNarrow = ({ group, whose, show, product, import_run }: QueueSearch) =>
  group !== null ||
  whose !== "anybody" ||
  show !== "open" ||
  product !== null ||
  import_run !== null;

/**
 * The seller's grace period, or the guess used until it is set. If Duebook opened the seller's account,
 * it is a setting of the account; the API of other accounts does not report it.
 */
function GraceNote({ desk }: { desk: QueueState }) {
  const t = useTranslations("collection.grace");
  const maySet = usePermission("seller:write");
  const isHydrated = useHydrated();
  const [isOpen, setOpen] = useState(false);
  usePreload(loadGraceDialog);
  const grace = desk.setting?.grace;
  if (!grace) return null;
  const words =
    grace.set !== null
      ? t("set", { count: grace.set })
      : grace.guess !== null
        ? t("guess", { count: grace.guess })
        : t("unknown");
  return (
    <p className="mt-1 text-xs text-pretty text-muted">
      {words}{" "}
      {maySet && grace.is_in_account && (
        <ScopedLink
          href="/settings/seller"
          className="rounded font-medium underline underline-offset-2 hover:text-ink"
        >
          {t("change")}
        </ScopedLink>
      )}
      {maySet && !grace.is_in_account && (
        <button
          type="button"
          disabled={!isHydrated}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          className="rounded font-medium underline underline-offset-2 hover:text-ink"
        >
          {t("change")}
        </button>
      )}
      {isOpen && (
        <Suspense fallback={<span className="scrim" />}>
          <GraceDialog
            days={grace.set}
            onClose={() => setOpen(false)}
            onDone={() => {
              setOpen(false);
              void desk.renew();
            }}
          />
        </Suspense>
      )}
    </p>
  );
}

/** The page before hydration: cached rows, or placeholders of the same size. */
export function CollectionSkeleton() {
  const parameters = useSearchParams();
  const search = parseQueueSearch(parameters);
  const { queryKey } = queueQuery(useScope(), search, "", queueCursorFrom(parameters));
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
