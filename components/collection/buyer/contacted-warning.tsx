import { TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { Notice } from "#components/ui/notice.tsx";
import type { QueueEntry } from "#lib/collection/queries.ts";
import type { DuplicateWarning } from "./use-duplicate-warning.ts";
import { useAgo } from "#components/collection/state/use-status-words.ts";

interface ContactedWarningProps {
  entry: QueueEntry;
  reached: DuplicateWarning;
}

export function ContactedWarning({ entry, reached }: ContactedWarningProps) {
  const t = useTranslations("collection");
  const ago = useAgo();
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
