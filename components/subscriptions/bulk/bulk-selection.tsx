"use client";

import { useTranslations } from "next-intl";
import { memo, Suspense, useEffect, useRef, useState } from "react";
import { useSeller } from "#components/context/seller-context.tsx";
import { forgetDraft, recallDraft, saveDraft } from "#components/forms/draft-memory.ts";
import type { RowSelection } from "#components/list/row-selection.tsx";
import { lazyPart } from "#components/context/messages-provider.tsx";
import { usePreload } from "#components/ui/overlays/popup.ts";
import { can } from "#lib/auth/permissions.ts";
import type { Translate } from "#lib/i18n/message.ts";
import type { Scope } from "#lib/scope.ts";
import type { ListedSubscription } from "#lib/subscriptions/queries.ts";
import { BULK_LIMIT, OPERATIONS } from "#lib/subscriptions/rules.ts";

/**
 * The subscriptions selected in a list, for the page that plans their change. Kept in this tab, as drafts
 * are, so that the page's URL names no subscription.
 */
export interface StoredSelection {
  ids: readonly string[];
  /** Filter, search and order of the list. */
  list: string;
  /** The query string of the list's URL. */
  query: string;
}

export const selectionKey = (person: string, { seller, mode }: Scope) => ({
  person,
  form: `bulk ${seller} ${mode}`,
});

const BulkBar = lazyPart(async () => (await import("./bulk-bar.tsx")).BulkBar, "bulk");

/** Announces the selection, and shows its actions from the first selected row on. */
export const BulkActions = memo(function BulkActions({
  selection,
}: {
  selection: BulkSelection;
}) {
  const t = useTranslations("bulk");
  const count = selection.ids.length;
  // The bar stays mounted, because its dialog outlives the selection.
  const [isNeeded, setNeeded] = useState(false);
  if (count > 0 && !isNeeded) setNeeded(true);
  usePreload(BulkBar.preload);
  return (
    <>
      <div role="status" className="sr-only">
        {count > 0 && describeSelection(t, selection)}
      </div>
      {isNeeded && (
        <Suspense fallback={null}>
          <BulkBar selection={selection} />
        </Suspense>
      )}
    </>
  );
});

export function describeSelection(
  t: Translate<"bulk">,
  { ids, elsewhere }: BulkSelection,
): string {
  const count = ids.length;
  if (elsewhere === 0) return t("bar.selected", { count });
  return elsewhere === count
    ? t("bar.allElsewhere", { count })
    : t("bar.someElsewhere", { count, elsewhere });
}

export interface BulkSelection extends RowSelection<ListedSubscription> {
  ids: readonly string[];
  elsewhere: number;
  /** Whether the selection has reached its limit. */
  isFull: boolean;
  clear: () => void;
  /** Stores the selection for the page that plans the change, and for the way back to the list. */
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
  rows: ListedSubscription[] | undefined;
  /** The rows of another page, if they are cached. */
  rowsAt: (page: number) => ListedSubscription[] | undefined;
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
    // Read after hydration, because only the browser has the selection.
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

/** Ids of all rows between two rows; only the second row's if a page in between is not loaded. */
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
