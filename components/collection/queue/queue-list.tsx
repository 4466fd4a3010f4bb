import { useTranslations } from "next-intl";
import { UrlLink } from "#components/list/links.tsx";
import { usePermission, useScope } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { skipLinkClass } from "#components/shell/navigation/skip-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { ArrowDownWideNarrow, MessagesSquare, X } from "#components/ui/icons.tsx";
import { cn } from "#lib/cn.ts";
import type { QueueEntry, QueuePage } from "#lib/collection/queries.ts";
import { queuePath, type QueueSearch } from "#lib/collection/search.ts";
import type { QueueState } from "#components/collection/state/use-queue.ts";
import type { QueueSelection } from "#components/collection/state/use-selection.ts";
import { SelectionBox } from "#components/list/row-selection.tsx";
import { KeyCaps } from "#components/ui/key-caps.tsx";
import { MAX_RECIPIENTS } from "#lib/collection/outreach.ts";
import { QueueListRow } from "./queue-row.tsx";

export const OPEN_BUYER_ID = "open-buyer";

interface QueueListProps {
  desk: QueueState;
  page: QueuePage | undefined;
}

/** Skips the rows for keyboard users. */
const toOpenBuyer = () => document.getElementById(OPEN_BUYER_ID)?.focus();

/** The rows keep their places until the user asks for the current order. */
export function QueueList({ desk, page }: QueueListProps) {
  const t = useTranslations("collection.queue");
  const scope = useScope();
  const { order, search, after, asked, openId } = desk;
  return (
    <>
      {openId !== null && (
        <button
          type="button"
          className={cn(skipLinkClass, "max-lg:hidden")}
          onClick={toOpenBuyer}
        >
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
  /** The selection; absent for placeholder rows. */
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
      <ul aria-label={t("label")} className="queue-rows">
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

interface SelectionBarProps {
  selection: QueueSelection;
  shown: number;
  /** Whether an outreach is running, so that the selected buyers are added to it. */
  isAdding: boolean;
  onPrepare: () => void;
}

/** Selects all shown rows and starts the outreach; sticky while scrolling. */
function SelectionBar({ selection, shown, isAdding, onPrepare }: SelectionBarProps) {
  const t = useTranslations("collection.selection");
  const { count, page } = selection;
  return (
    <div
      role="group"
      aria-label={t("label")}
      className="queue-selection sticky top-[calc(var(--band)+3.5rem)] z-5 flex min-h-11 items-center gap-1 rounded-t-md border-b bg-surface pr-1.5 pl-11 max-md:min-h-12 max-md:pl-12 low:static"
    >
      <SelectionBox
        label={t("all", { count: shown })}
        isChecked={page === "all"}
        isMixed={page === "some"}
        isOff={shown === 0}
        onToggle={selection.togglePage}
      />
      <p role="status" className="text-sm tabular-nums empty:sr-only">
        {count > 0 && <span className="font-medium">{t("chosen", { count })}</span>}
        {selection.isFull && (
          <span className="block text-xs text-warning">
            {t("atMost", { most: MAX_RECIPIENTS })}
          </span>
        )}
      </p>
      {count === 0 ? (
        <span aria-hidden className="text-sm text-muted">
          {t("all", { count: shown })}
        </span>
      ) : (
        <>
          <Button look="primary" className="ml-auto" aria-keyshortcuts="w" onClick={onPrepare}>
            <MessagesSquare aria-hidden className="size-4" />
            {t(isAdding ? "add" : "prepare", { count })}
            <KeyCaps keys={["w"]} className="max-md:hidden" />
          </Button>
          <Button
            look="quiet"

            aria-label={t("clear")}
            aria-keyshortcuts="Escape"
            onClick={selection.clear}
          >
            <X aria-hidden className="size-4" />
          </Button>
        </>
      )}
    </div>
  );
}
