"use client";

import { FileClock, PackageX } from "lucide-react";
import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { CreateDraft } from "./use-create-draft.ts";

interface DraftNoticeProps {
  draft: CreateDraft | null;
  onRestore: () => void;
  onDiscard: () => void;
}

/** An unsent draft that was restored or can be restored. */
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

interface NotOnSaleProps {
  pbpId: string;
  isComplete: boolean;
}

export function NotOnSale({ pbpId, isComplete }: NotOnSaleProps) {
  const t = useTranslations("create.notOnSale");
  return (
    <Notice look="warning" icon={PackageX}>
      <p className="font-medium">{t("title")}</p>
      <p>
        {t(isComplete ? "complete" : "incomplete")}{" "}
        <span className="font-mono text-xs break-all">{pbpId}</span>
      </p>
    </Notice>
  );
}
