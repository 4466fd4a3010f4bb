import { useTranslations } from "next-intl";
import { useFormat, useScope } from "#components/context/seller-context.tsx";
import { UrlLink } from "#components/list/links.tsx";
import { SelectionBox } from "#components/list/row-selection.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { HandCoins, MessageCircle, Moon, UserRound } from "#components/ui/icons.tsx";
import { cn } from "#lib/cn.ts";
import type { QueueEntry } from "#lib/collection/queries.ts";
import { amountsOwed } from "#lib/money/debt.ts";
import { queuePath, type QueueSearch } from "#lib/collection/search.ts";
import type { QueueSelection } from "#components/collection/state/use-selection.ts";
import {
  StatusBadges,
  useRelativeTime,
  useBuyerName,
} from "#components/collection/state/entry-status.tsx";

interface QueueListRowProps {
  entry: QueueEntry;
  search: QueueSearch;
  after: string | null;
  /** Whether the URL names this buyer. */
  isOpen: boolean;
  /** Whether the buyer is shown beside the queue by default. */
  isFirst: boolean;
  /** Whether the buyer has left the queue since the row was shown. */
  isGone: boolean;
  /** The selection; null for users who may not contact buyers. */
  selection: QueueSelection | null;
}

export function QueueListRow(props: QueueListRowProps) {
  const { entry, search, after, isOpen, isFirst, isGone, selection } = props;
  const { subscription, status, contacted } = entry;
  const { product, subscription_id } = subscription;
  const t = useTranslations("collection");
  const tOfTable = useTranslations("table.select");
  const format = useFormat();
  const scope = useScope();
  const nameOf = useBuyerName();
  const isResting = status.turn !== "now" || isGone;
  return (
    <li
      data-row={subscription_id}
      className={cn(
        "relative border-b border-l-2 border-l-transparent px-3 py-2.5 transition-colors last:border-b-0 hover:bg-canvas forced-colors:border-l-[Canvas]",
        selection && "pl-11 max-md:pl-12",
        (isOpen || isFirst) &&
          "lg:border-l-accent lg:bg-accent-soft lg:hover:bg-accent-soft forced-colors:lg:border-l-[Highlight]",
      )}
    >
      {selection && (
        <div className="absolute inset-y-0 left-0 w-11 max-md:w-12">
          <SelectionBox
            label={tOfTable("row", { name: selection.nameOf(entry) })}
            isChecked={selection.has(entry)}
            isOff={selection.isPlaceholder || isGone}
            onToggle={(isRange) => selection.toggle(entry, isRange)}
          />
        </div>
      )}
      <div className="flex items-baseline justify-between gap-3">
        <UrlLink
          href={queuePath(scope, search, { buyer: subscription_id, after })}
          aria-current={isOpen ? "true" : undefined}
          className={cn(
            "min-w-0 truncate font-medium -outline-offset-2 after:absolute after:inset-0",
            isResting && "text-muted",
          )}
        >
          {nameOf(entry)}
        </UrlLink>
        <span className={cn("shrink-0 tabular-nums", isResting && "text-muted")}>
          {format.toPay(...amountsOwed(subscription, entry.to_pay, contacted.debt))}
        </span>
      </div>
      <div className="mt-1 flex min-w-0 items-center gap-1.5">
        {!isGone && <StatusBadges status={status} />}
        {isGone && <Badge>{t("chips.gone")}</Badge>}
        <span className="min-w-0 truncate text-sm text-muted">{product.name}</span>
      </div>
      <RowContact entry={entry} />
    </li>
  );
}

function RowContact({ entry: { status, contacted } }: { entry: QueueEntry }) {
  const t = useTranslations("collection");
  const format = useFormat();
  const ago = useRelativeTime();
  const { last, promised_for, snoozed_until, assigned, reminders } = contacted;
  const parts = [
    promised_for !== null && (
      <span
        key="promise"
        className={cn("inline-flex items-center gap-1", status.is_broken && "text-danger")}
      >
        <HandCoins aria-hidden className="size-3" />
        {t(status.is_broken ? "row.broken" : "row.promised", {
          day: format.date(promised_for),
        })}
      </span>
    ),
    status.turn === "snoozed" && snoozed_until && (
      <span key="snooze" className="inline-flex items-center gap-1">
        <Moon aria-hidden className="size-3" />
        {t("row.snoozed", { day: format.date(snoozed_until) })}
      </span>
    ),
    last && (
      <span key="last" className="inline-flex items-center gap-1">
        <MessageCircle aria-hidden className="size-3" />
        {t("row.last", { when: ago(last.at), count: reminders })}
      </span>
    ),
    assigned && (
      <span key="assigned" className="inline-flex min-w-0 items-center gap-1">
        <UserRound aria-hidden className="size-3 shrink-0" />
        <span className="truncate">{assigned.name}</span>
      </span>
    ),
  ].filter(Boolean);
  if (parts.length === 0) return null;
  return (
    <div className="mt-1 flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-muted">{parts}</div>
  );
}
