import { ArrowDownWideNarrow } from "lucide-react";
import { useTranslations } from "next-intl";
import { UrlLink } from "#components/list/url-link.tsx";
import { usePermission, useScope } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { skipClass } from "#components/shell/navigation/skip-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { cn } from "#lib/cn.ts";
import type { QueueEntry, QueuePage } from "#lib/collection/queries.ts";
import { queuePath, type QueueSearch } from "#lib/collection/search.ts";
import { QueueListRow } from "./queue-row.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import type { QueueState } from "#components/collection/state/use-queue.ts";
import type { QueueSelection } from "#components/collection/state/use-selection.ts";

export const OPEN_BUYER = "open-buyer";

interface QueueListProps {
  desk: QueueState;
  page: QueuePage | undefined;
}

/** Skips the rows for keyboard users. */
const toOpenBuyer = () => document.getElementById(OPEN_BUYER)?.focus();

/** The rows keep their places until the user asks for the current order. */
export function QueueList({ desk, page }: QueueListProps) {
  const t = useTranslations("collection.queue");
  const scope = useScope();
  const { order, search, after, asked, openId } = desk;
  return (
    <>
      {openId !== null && (
        <button type="button" className={cn(skipClass, "max-lg:hidden")} onClick={toOpenBuyer}>
          {t("skip")}
        </button>
      )}
      {order.isMoved && (
        <div className="mb-2 flex items-center justify-between gap-2 text-sm text-muted">
          <span role="status">{t("moved", { count: order.fresh })}</span>
          <Button look="quiet" onClick={order.settle}>
            <ArrowDownWideNarrow aria-hidden className="size-4" />
            {t("sort")}
          </Button>
        </div>
      )}
      <QueueRows
        entries={page ? order.entries : undefined}
        {...{ search, after, asked }}
        openId={openId}
        isGone={order.isGone}
        selection={desk.selection}
        isAdding={desk.outreach.next !== null}
        onPrepare={desk.prepare}
      />
      {(after !== null || page?.next) && (
        <nav aria-label={t("pages")} className="mt-3 flex justify-between gap-2">
          {after === null ? (
            <span />
          ) : (
            <UrlLink rel="prev" href={queuePath(scope, search)} className={buttonClass()}>
              {t("first")}
            </UrlLink>
          )}
          {page?.next && (
            <UrlLink
              rel="next"
              href={queuePath(scope, search, { after: page.next })}
              className={buttonClass()}
            >
              {t("next")}
            </UrlLink>
          )}
        </nav>
      )}
    </>
  );
}

interface QueueRowsProps {
  entries: QueueEntry[] | undefined;
  search: QueueSearch;
  after?: string | null;
  asked?: string | null;
  openId?: string | null;
  isGone?: (entry: QueueEntry) => boolean;
  /** Absent for placeholder rows. */
  selection?: QueueSelection;
  isAdding?: boolean;
  onPrepare?: () => void;
}

const EXPECTED = 8;

const nothing = () => {};
const NO_SELECTION: QueueSelection = {
  count: 0,
  isFull: false,
  clear: nothing,
  buyers: () => [],
  has: () => false,
  toggle: nothing,
  page: "none",
  togglePage: nothing,
  nameOf: () => "",
  isPlaceholder: true,
};

export function QueueRows(props: QueueRowsProps) {
  const { entries, search, after = null, asked = null, openId = null, isGone } = props;
  const t = useTranslations("collection.queue");
  const mayWrite = usePermission("collection:write");
  const { selection = NO_SELECTION, isAdding = false, onPrepare = nothing } = props;
  if (!entries)
    return (
      <Card aria-busy className="divide-y overflow-hidden">
        {Array.from({ length: EXPECTED }, (_, at) => (
          <div key={at} className="grid gap-2 px-3 py-3">
            <span className="skeleton h-4 w-1/2" />
            <span className="skeleton h-4 w-2/3" />
          </div>
        ))}
      </Card>
    );
  return (
    <Card className={mayWrite ? undefined : "overflow-hidden"}>
      {mayWrite && (
        <SelectionBar shown={entries.length} {...{ selection, isAdding, onPrepare }} />
      )}
      <ul aria-label={t("label")}>
        {entries.map((entry) => {
          const { subscription_id } = entry.subscription;
          return (
            <QueueListRow
              key={subscription_id}
              {...{ entry, search, after }}
              isOpen={asked === subscription_id}
              isFirst={asked === null && openId === subscription_id}
              isGone={isGone?.(entry) ?? false}
              selection={mayWrite ? selection : null}
            />
          );
        })}
      </ul>
    </Card>
  );
}
