"use client";

import { useTranslations } from "next-intl";
import { lazy, memo, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { forgetDraft, recallDraft, saveDraft } from "#components/forms/draft-memory.ts";
import { ScopedLink, useSeller } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { CalendarClock, Link2, RotateCcw, TimerOff, X } from "#components/ui/icons.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { can } from "#lib/auth/permissions.ts";
import type { Translate } from "#lib/i18n/message.ts";
import { BULK_LIMIT, OPERATIONS } from "#lib/subscriptions/bulk/rules.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { RowSelection } from "#components/list/row-selection.tsx";
import { type StoredSelection, selectionKey } from "./kept-selection.ts";

const BulkLinks = lazy(() =>
  import("./bulk-links.tsx").then((file) => ({ default: file.BulkLinks })),
);

const ICONS = { cancel: TimerOff, resume: RotateCcw, reschedule: CalendarClock };

const ON_PHONE =
  "max-md:h-auto! max-md:min-h-12 max-md:flex-col max-md:gap-0.5! max-md:px-0! max-md:py-1 max-md:text-xs max-md:leading-tight max-md:whitespace-normal";

/** Actions for the selected rows; stays visible while scrolling. */
export const BulkBar = memo(function BulkBar({ selection }: { selection: BulkSelection }) {
  const t = useTranslations("bulk");
  const { role } = useSeller();
  // The dialog keeps the selection it was opened with.
  const [linked, setLinked] = useState<readonly string[] | null>(null);
  const count = selection.ids.length;
  return (
    <>
      <div role="status" className="sr-only">
        {count > 0 && describeSelection(t, selection)}
      </div>
      {count > 0 && (
        <section
          aria-label={t("bar.label")}
          className="sticky bottom-20 z-5 mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border bg-surface px-3 py-2 shadow-raised md:bottom-4 low:static"
        >
          <Selected selection={selection} />
          <div className="flex flex-wrap gap-2 max-md:grid max-md:w-full max-md:grid-cols-2 max-md:gap-1.5 min-[22.5rem]:max-md:grid-cols-4">
            {OPERATIONS.filter((operation) => can(role, `subscriptions:${operation}`)).map(
              (operation) => {
                const Icon = ICONS[operation];
                return (
                  <ScopedLink
                    key={operation}
                    href={`/subscriptions/bulk/new?action=${operation}`}
                    onNavigate={selection.keep}
                    className={buttonClass("secondary", ON_PHONE)}
                  >
                    <Icon aria-hidden className="size-4" />
                    <span>{t.rich(`bar.${operation}`, { hidden })}</span>
                  </ScopedLink>
                );
              },
            )}
            <Button
              className={ON_PHONE}
              aria-haspopup="dialog"
              onClick={() => setLinked(selection.ids)}
            >
              <Link2 aria-hidden className="size-4" />
              {t("bar.copyLinks")}
            </Button>
          </div>
        </section>
      )}
      <Dialog
        title={t("bar.copyLinks")}
        isOpen={linked !== null}
        onClose={() => setLinked(null)}
      >
        <Suspense fallback={<span className="skeleton h-64" />}>
          {linked && <BulkLinks ids={linked} />}
        </Suspense>
      </Dialog>
    </>
  );
});

function Selected({ selection }: { selection: BulkSelection }) {
  const t = useTranslations("bulk");
  const isWholePage = selection.page === "all";
  return (
    <div className="mr-auto flex items-center gap-2 max-md:w-full">
      <div>
        <p className="font-medium tabular-nums">{describeSelection(t, selection)}</p>
        {selection.isFull && (
          <p className="text-xs text-warning">{t("bar.atMost", { most: BULK_LIMIT })}</p>
        )}
      </div>
      <Button look="quiet" className="ml-auto md:hidden" onClick={selection.togglePage}>
        {t(isWholePage ? "bar.noneHere" : "bar.wholePage")}
      </Button>
      <Button
        look="quiet"
        aria-label={t("bar.clear")}
        aria-keyshortcuts="Escape"
        onClick={selection.clear}
      >
        <X aria-hidden className="size-4" />
      </Button>
    </div>
  );
}

function describeSelection(t: Translate<"bulk">, { ids, elsewhere }: BulkSelection): string {
  const count = ids.length;
  if (elsewhere === 0) return t("bar.selected", { count });
  return elsewhere === count
    ? t("bar.allElsewhere", { count })
    : t("bar.someElsewhere", { count, elsewhere });
}

const hidden = (words: ReactNode) => <span className="sr-only">{words}</span>;

interface BulkSelection extends RowSelection<Subscription> {
  ids: readonly string[];
  elsewhere: number;
  /** Whether the selection has reached its limit. */
  isFull: boolean;
  clear: () => void;
  /** For the page that plans the change, and for the way back to the list. */
  keep: () => void;
}

interface Chosen {
  list: string;
  ids: ReadonlySet<string>;
  /** The row where a range selection starts. */
  anchor: Place | null;
  isFull: boolean;
}

const NONE = { ids: new Set<string>(), anchor: null, isFull: false };

interface ShownList {
  /** Identifies a list by filter, search and order; another list clears the selection. */
  list: string;
  page: number;
  rows: Subscription[] | undefined;
  /** The rows of another page, if they are cached. */
  rowsAt: (page: number) => Subscription[] | undefined;
  isPlaceholder: boolean;
}

/** The selection, kept across the pages of one list; null for members without a bulk permission. */
export function useBulkSelection({
  list,
  page,
  rows,
  rowsAt,
  isPlaceholder,
}: ShownList): BulkSelection | null {
  const t = useTranslations("bulk.bar");
  const { role, person, scope } = useSeller();
  const key = useRef(selectionKey(person, scope));
  const [chosen, setChosen] = useState<Chosen>({ ...NONE, list });
  // A new filter clears the selection: hidden rows must not be changed by accident.
  if (chosen.list !== list) setChosen({ ...NONE, list });

  useEffect(() => {
    if (isPlaceholder) return;
    // After hydration, because only the browser has it.
    const kept = recallDraft<StoredSelection>(key.current)?.content;
    if (kept?.list === list) setChosen({ ...NONE, list, ids: new Set(kept.ids) });
    else forgetDraft(key.current);
  }, [list, isPlaceholder]);

  function choose(next: Chosen) {
    forgetDraft(key.current);
    setChosen(next);
  }

  const onPage = (rows ?? []).map((row) => row.subscription_id);
  const here = onPage.filter((id) => chosen.ids.has(id)).length;

  function set(ids: string[], isOn: boolean, anchor: Chosen["anchor"]) {
    const next = new Set(chosen.ids);
    for (const id of ids)
      if (isOn) next.add(id);
      else next.delete(id);
    const kept = [...next].slice(0, BULK_LIMIT);
    choose({ ...chosen, ids: new Set(kept), anchor, isFull: kept.length < next.size });
  }

  if (!OPERATIONS.some((operation) => can(role, `subscriptions:${operation}`))) return null;
  const ids = [...chosen.ids];
  return {
    ids,
    elsewhere: chosen.ids.size - here,
    isFull: chosen.isFull,
    isPlaceholder,
    clear: () => choose({ ...NONE, list }),
    keep: () => {
      const kept: StoredSelection = { ids, list, query: window.location.search };
      saveDraft(key.current, kept);
    },
    has: ({ subscription_id }) => chosen.ids.has(subscription_id),
    toggle: ({ subscription_id: id }, isRange) => {
      const isOn = !chosen.ids.has(id);
      const range =
        isRange && chosen.anchor ? idsBetween(chosen.anchor, { id, page }, rowsAt) : [id];
      set(range, isRange || isOn, { id, page });
    },
    page: here === 0 ? "none" : here === onPage.length ? "all" : "some",
    togglePage: () => set(onPage, here < onPage.length, null),
    nameOf: ({ client }) => client.full_name || client.phone || t("nameless"),
  };
}

interface Place {
  id: string;
  page: number;
}

/** Ids of all rows between two rows, on the pages that were loaded. */
function idsBetween(
  anchor: Place,
  { id: to, page }: Place,
  rowsAt: ShownList["rowsAt"],
): string[] {
  const first = Math.min(anchor.page, page);
  const pages = Array.from({ length: Math.abs(anchor.page - page) + 1 }, (_, at) =>
    rowsAt(first + at),
  );
  const ids = pages.flatMap((rows) => rows?.map((row) => row.subscription_id) ?? []);
  const [from, until] = [ids.indexOf(anchor.id), ids.indexOf(to)].sort((a, b) => a - b);
  if (from === undefined || until === undefined || from < 0) return [to];
  return pages.includes(undefined) ? [to] : ids.slice(from, until + 1);
}
