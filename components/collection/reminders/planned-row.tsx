import { useTranslations } from "next-intl";
import { useSearchParams } from "next/navigation";
import { useFormat, usePermission, useScope } from "#components/context/seller-context.tsx";
import { UrlLink } from "#components/list/links.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { CirclePause, Clock3 } from "#components/ui/icons.tsx";
import {
  MessageStateBadge,
  useChannelName,
  useMessageReason,
} from "#components/values/message-words.tsx";
import { parseQueueSearch, queuePath } from "#lib/collection/search.ts";
import type { PlannedReminder } from "#lib/messages/schedule/queries.ts";
import type { PlannedActions } from "./use-planned-actions.ts";

interface PlannedRowProps {
  row: PlannedReminder;
  actions: PlannedActions;
  onClose: () => void;
}

/** One of today's reminders, with the actions that are still possible. */
export function PlannedRow({ row, actions, onClose }: PlannedRowProps) {
  const t = useTranslations("reminders.today");
  const format = useFormat();
  const scope = useScope();
  const channelName = useChannelName();
  const reason = useMessageReason()(row);
  const search = parseQueueSearch(useSearchParams());
  const mayWrite = usePermission("collection:write");
  const name = row.full_name || row.to;
  const isHeld = row.state === "held";
  const isHeldByContact = isHeld && row.hold_id === null;
  const isToGo = row.state === "planned" || row.state === "queued";
  const isPending = (kind: "hold" | "release" | "send") => actions.isPending(kind, row);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 grow basis-48">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <UrlLink
            href={queuePath(scope, search, { buyer: row.subscription_id })}
            className="link wrap-anywhere"
            onClick={onClose}
          >
            {name}
          </UrlLink>
          <ReminderState state={row.state} />
        </p>
        <p className="text-sm text-muted tabular-nums">
          {[format.time(row.at), channelName(row.channel)].join(" · ")}
        </p>
        {reason !== null && <p className="text-sm wrap-anywhere text-muted">{reason}</p>}
        {isHeldByContact && <p className="text-sm text-muted">{t("heldByContact")}</p>}
      </div>
      {mayWrite && !isHeldByContact && (isHeld || isToGo) && (
        <div className="flex gap-2">
          <Button
            aria-label={t(isHeld ? "releaseOf" : "holdOf", { name })}
            isPending={isPending("hold") || isPending("release")}
            onClick={() => void actions.act(isHeld ? "release" : "hold", row)}
          >
            {t(isHeld ? "release" : "hold")}
          </Button>
          {isToGo && (
            <Button
              aria-label={t("sendOf", { name })}
              isPending={isPending("send")}
              onClick={() => void actions.act("send", row)}
            >
              {t("send")}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

function ReminderState({ state }: { state: string }) {
  const t = useTranslations("reminders.today.state");
  if (state === "held")
    return (
      <Badge icon={CirclePause} tone="warning">
        {t("held")}
      </Badge>
    );
  if (state === "planned")
    return (
      <Badge icon={Clock3} tone="pending">
        {t("planned")}
      </Badge>
    );
  return <MessageStateBadge state={state} />;
}
