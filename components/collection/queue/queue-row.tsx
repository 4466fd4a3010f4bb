import { useTranslations } from "next-intl";
import { useFormat, useScope } from "#components/context/seller-context.tsx";
import { UrlLink } from "#components/list/links.tsx";
import { SelectionBox } from "#components/list/row-selection.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { HandCoins, MessageCircle, Moon, UserRound } from "#components/ui/icons.tsx";
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
      data-open={isOpen || isFirst ? "" : undefined}
      data-resting={isResting ? "" : undefined}
    >
      {selection && (
        <SelectionBox
          label={tOfTable("row", { name: selection.nameOf(entry) })}
          isChecked={selection.has(entry)}
          isOff={selection.isPlaceholder || isGone}
          onToggle={(isRange) => selection.toggle(entry, isRange)}
        />
      )}
      <div className="buyer">
        <UrlLink
          href={queuePath(scope, search, { buyer: subscription_id, after })}
          aria-current={isOpen ? "true" : undefined}
        >
          {nameOf(entry)}
        </UrlLink>
        <span>{format.toPay(...amountsOwed(subscription, entry.to_pay, contacted.debt))}</span>
      </div>
      <div className="reason">
        {isGone ? <Badge>{t("chips.gone")}</Badge> : <StatusBadges status={status} />}
        <span>{product.name}</span>
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
      <span key="promise" data-broken={status.is_broken ? "" : undefined}>
        <HandCoins aria-hidden />
        {t(status.is_broken ? "row.broken" : "row.promised", {
          day: format.date(promised_for),
        })}
      </span>
    ),
    status.turn === "snoozed" && snoozed_until && (
      <span key="snooze">
        <Moon aria-hidden />
        {t("row.snoozed", { day: format.date(snoozed_until) })}
      </span>
    ),
    last && (
      <span key="last">
        <MessageCircle aria-hidden />
        {t("row.last", { when: ago(last.at), count: reminders })}
      </span>
    ),
    assigned && (
      <span key="assigned">
        <UserRound aria-hidden />
        <span>{assigned.name}</span>
      </span>
    ),
  ].filter(Boolean);
  if (parts.length === 0) return null;
  return <div className="contact">{parts}</div>;
}
