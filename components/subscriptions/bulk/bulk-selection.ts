import { useTranslations } from "next-intl";
import { useState } from "react";
import type { Subscription } from "#contract/subscriptions.ts";
import type { RowSelection } from "#components/list/row-selection.tsx";
import { useSeller } from "#components/context/seller-context.tsx";
import { can } from "#lib/auth/permissions.ts";
import { BULK_LIMIT } from "#lib/subscriptions/bulk/rules.ts";

export interface BulkSelection extends RowSelection<Subscription> {
  ids: readonly string[];
  elsewhere: number;
  /** More were selected than allowed. */
  isFull: boolean;
  clear: () => void;
}

interface Chosen {
  list: string;
  ids: ReadonlySet<string>;
  /** Where a range starts. */
  anchor: { id: string; page: number } | null;
  isFull: boolean;
}

const NONE = { ids: new Set<string>(), anchor: null, isFull: false };

interface ShownList {
  /** Filter, search and order; another list clears the selection. */
  list: string;
  page: number;
  rows: Subscription[] | undefined;
  /** Rows of another page, if cached. */
  rowsAt: (page: number) => Subscription[] | undefined;
  isPlaceholder: boolean;
}

/** Survives page changes of one list; null for members without a bulk permission. */
export function useBulkSelection({
  list,
  page,
  rows,
  rowsAt,
  isPlaceholder,
}: ShownList): BulkSelection | null {
  const t = useTranslations("bulk.bar");
  const { role } = useSeller();
  const [chosen, setChosen] = useState<Chosen>({ ...NONE, list });
  // A new filter clears the selection: hidden rows must not be changed by accident.
  if (chosen.list !== list) setChosen({ ...NONE, list });

  const onPage = (rows ?? []).map((row) => row.subscription_id);
  const here = onPage.filter((id) => chosen.ids.has(id)).length;

  function set(ids: string[], isOn: boolean, anchor: Chosen["anchor"]) {
    const next = new Set(chosen.ids);
    for (const id of ids)
      if (isOn) next.add(id);
      else next.delete(id);
    const kept = [...next].slice(0, BULK_LIMIT);
    setChosen({ ...chosen, ids: new Set(kept), anchor, isFull: kept.length < next.size });
  }

  const operations = ["cancel", "resume", "reschedule"] as const;
  if (!operations.some((operation) => can(role, `subscriptions:${operation}`))) return null;
  return {
    ids: [...chosen.ids],
    elsewhere: chosen.ids.size - here,
    isFull: chosen.isFull,
    isPlaceholder,
    clear: () => setChosen({ ...NONE, list }),
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

/** All rows between two, over the pages that were loaded. */
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
