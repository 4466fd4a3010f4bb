import { useRef } from "react";
import { forgetDraft, recallDraft, saveDraft } from "#components/forms/draft-memory.ts";
import { useSeller } from "#components/context/seller-context.tsx";

/** The subscriptions selected in a list, for the page that plans their change. */
export interface KeptSelection {
  ids: readonly string[];
  /** Filter, search and order of the list. */
  list: string;
  /** The query string of the list's URL. */
  query: string;
}

/** Keeps the selection in this tab, as drafts are kept: the URL names no subscription. */
export function useSelectionMemory() {
  const { person, scope } = useSeller();
  const key = { person, form: `bulk.${scope.seller}.${scope.mode}` };
  const memory = useRef({
    keep: (selection: KeptSelection) => saveDraft(key, selection),
    recall: () => recallDraft<KeptSelection>(key)?.content ?? null,
    forget: () => forgetDraft(key),
  });
  return memory.current;
}
