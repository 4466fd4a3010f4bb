import { useState } from "react";
import { useTranslations } from "next-intl";
import { useSeller } from "#components/context/seller-context.tsx";
import { TriangleAlert } from "#components/ui/icons.tsx";
import type { QueueEntry } from "#lib/collection/queries.ts";
import { isRecentlyContacted } from "#lib/collection/rules.ts";
import type { ContactActions } from "#components/collection/state/use-contact-actions.ts";
import { useRelativeTime, useServiceNow } from "#components/collection/state/entry-status.tsx";
import { Notice } from "#components/ui/notice.tsx";

/** Warns if the buyer was contacted in the last hours, and asks for a second press. */
export function useDuplicateWarning({ contacted }: QueueEntry, { overtaken }: ContactActions) {
  const { person } = useSeller();
  const now = useServiceNow();
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const lastId = overtaken?.id ?? contacted.last?.id ?? null;
  const isWarned = overtaken !== null || isRecentlyContacted(contacted.last, now);
  // After a conflict the previous press already showed the warning.
  const isMeant = !isWarned || overtaken !== null || confirmed === lastId;
  return {
    lastId,
    isWarned,
    isMeant,
    overtaken,
    isOwn: overtaken === null && contacted.last?.person.id === person,
    /** @returns whether a press must not send yet: the first one after a warning asks for a second */
    holdUp(): boolean {
      if (isMeant) return false;
      setConfirmed(lastId);
      return true;
    },
  };
}

export type DuplicateWarning = ReturnType<typeof useDuplicateWarning>;

interface ContactedWarningProps {
  entry: QueueEntry;
  reached: DuplicateWarning;
}

export function ContactedWarning({ entry, reached }: ContactedWarningProps) {
  const t = useTranslations("collection");
  const ago = useRelativeTime();
  const { isWarned, isOwn, isMeant, overtaken } = reached;
  if (!isWarned) return null;
  const { last } = entry.contacted;
  const channel = overtaken?.channel ?? last?.channel ?? null;
  const name = overtaken?.person_name ?? last?.person.name ?? "";
  const when = ago(overtaken?.at ?? last?.at ?? "");
  const by = channel ? t(`channel.${channel}`) : "";
  return (
    <Notice look="warning" icon={TriangleAlert} role="status">
      {isOwn
        ? t("message.youWrote", { when, channel: by })
        : t("message.theyWrote", { name, when, channel: by })}{" "}
      {isMeant && <strong className="font-semibold">{t("message.pressAgain")}</strong>}
    </Notice>
  );
}
