import { useCallback, useEffect, useRef, useState } from "react";
import { useScope, useSeller } from "#components/context/seller-context.tsx";
import { forgetDraft, recallDraft, saveDraft } from "#components/forms/draft-memory.ts";
import type { ShownDraft } from "#components/forms/draft-notice.tsx";
import type { ProductDraft } from "#lib/products/draft.ts";

interface Typed {
  draft: ProductDraft;
  /** The version of the product that the draft began with. */
  version: string;
}

/** The form's values, which this tab keeps until they are saved, even if the session ends. */
export function useProductDraft(
  initial: ProductDraft,
  { product, version }: { product: string; version: string },
) {
  const { seller, mode } = useScope();
  const { person } = useSeller();
  const [draft, setDraft] = useState(initial);
  const [kept, setKept] = useState<ShownDraft | null>(null);
  // A draft of an earlier version of this page may lack a field.
  const begun = useRef(initial);
  const key = useRef({ person, form: `product.${seller}.${mode}.${product}` });

  useEffect(() => {
    // Read after hydration, because the server does not know the draft.
    const found = recallDraft<Typed>(key.current);
    if (!found) return;
    // A draft of an older version would undo the changes of others.
    if (found.content.version !== version) return forgetDraft(key.current);
    setDraft({ ...begun.current, ...found.content.draft });
    setKept({ saved_at: found.saved_at, state: "restored" });
  }, [version]);

  const change = useCallback(
    (next: ProductDraft) => {
      setDraft(next);
      saveDraft(key.current, { draft: next, version } satisfies Typed);
    },
    [version],
  );

  return {
    draft,
    change,
    forget: () => forgetDraft(key.current),
    /** The props of DraftNotice. */
    kept: {
      draft: kept,
      onDiscard: () => {
        setDraft(initial);
        forgetDraft(key.current);
        setKept(null);
      },
    },
  };
}
