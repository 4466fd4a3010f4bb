import { MessagesSquare, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { SelectionBox } from "#components/list/row-selection.tsx";
import { Button } from "#components/ui/button.tsx";
import { KeyCaps } from "#components/ui/key-caps.tsx";
import { MAX_RECIPIENTS } from "#lib/collection/outreach.ts";
import type { QueueSelection } from "#components/collection/state/use-selection.ts";

interface SelectionBarProps {
  selection: QueueSelection;
  /** Number of shown rows. */
  shown: number;
  /** Whether an outreach is running, so that these are added to it. */
  isAdding: boolean;
  onPrepare: () => void;
}

/** Selects all shown rows and starts the outreach; sticky while scrolling. */
export function SelectionBar({ selection, shown, isAdding, onPrepare }: SelectionBarProps) {
  const t = useTranslations("collection.selection");
  const { count, page } = selection;
  return (
    <div
      role="group"
      aria-label={t("label")}
      className="sticky top-[calc(var(--band)+3.5rem)] z-5 flex min-h-11 items-center gap-1 rounded-t-md border-b bg-surface pr-1.5 pl-11 max-md:min-h-12 max-md:pl-12 low:static"
    >
      <div className="absolute inset-y-0 left-0 w-11 max-md:w-12">
        <SelectionBox
          label={t("all", { count: shown })}
          isChecked={page === "all"}
          isMixed={page === "some"}
          isOff={shown === 0}
          onToggle={selection.togglePage}
        />
      </div>
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
          <Button
            look="primary"
            className="ml-auto max-md:px-3"
            aria-keyshortcuts="w"
            onClick={onPrepare}
          >
            <MessagesSquare aria-hidden className="size-4" />
            {t(isAdding ? "add" : "prepare", { count })}
            <KeyCaps keys={["w"]} className="max-md:hidden" />
          </Button>
          <Button
            look="quiet"
            className="px-2 max-md:px-3"
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
