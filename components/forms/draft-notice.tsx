import { useTranslations } from "next-intl";
import { useFormat } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { FileClock } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";

export interface ShownDraft {
  /** Milliseconds since 1970. */
  saved_at: number;
  /** `offered`: it would replace what the form has. */
  state: "restored" | "offered";
}

interface DraftNoticeProps {
  draft: ShownDraft | null;
  /** Unset where a draft is never offered. */
  onRestore?: () => void;
  onDiscard: () => void;
}

/** Says that an unsent draft was restored, or offers to restore it. */
export function DraftNotice({ draft, onRestore, onDiscard }: DraftNoticeProps) {
  const t = useTranslations("create.draft");
  const format = useFormat();
  return (
    <div role="status" className="empty:sr-only">
      {draft && (
        <Notice icon={FileClock} className="sm:items-center!">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p className="min-w-0 flex-[1_1_16rem]">
              {t(draft.state, {
                moment: format.dateTime(new Date(draft.saved_at).toISOString()),
              })}
            </p>
            <span className="flex gap-2">
              {draft.state === "offered" && <Button onClick={onRestore}>{t("restore")}</Button>}
              <Button onClick={onDiscard}>{t("discard")}</Button>
            </span>
          </div>
        </Notice>
      )}
    </div>
  );
}
