"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { PageLink, useFormat, useScope } from "#components/context/seller-context.tsx";
import {
  Ban,
  Check,
  CircleAlert,
  CircleHelp,
  Equal,
  Hourglass,
  LoaderCircle,
  Undo2,
} from "#components/ui/icons.tsx";
import type { BulkItem } from "#lib/subscriptions/bulk/queries.ts";
import {
  countStates,
  describeItemReason,
  ITEM_STATES,
  type ItemState,
} from "#lib/subscriptions/bulk/rules.ts";
import { subscriptionPath } from "#lib/subscriptions/search.ts";
import { useStatusLabel } from "#components/subscriptions/subscription-status-badge.tsx";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import type { Translate } from "#lib/i18n/message.ts";
import { BeforeAndAfter } from "./bulk-plan-list.tsx";

export function BulkItemList({ items, isClosed }: { items: BulkItem[]; isClosed: boolean }) {
  const t = useTranslations("bulk");
  const [wanted, setWanted] = useState<ItemState | null>(null);
  const counts = countStates(items);
  const present = ITEM_STATES.filter((state) => counts[state] > 0);
  // If no item has the chosen state any more, all are shown.
  const state = wanted !== null && counts[wanted] > 0 ? wanted : null;
  const shown = state === null ? items : items.filter((item) => item.state === state);
  return (
    <>
      {present.length > 1 && (
        <div role="group" aria-label={t("items.show")} className="mb-3 flex flex-wrap gap-2">
          <Filter isOn={state === null} onClick={() => setWanted(null)}>
            {t("items.all", { count: items.length })}
          </Filter>
          {present.map((one) => (
            <Filter key={one} isOn={state === one} onClick={() => setWanted(one)}>
              {t("items.of", { state: stateLabel(t, one, isClosed), count: counts[one] })}
            </Filter>
          ))}
        </div>
      )}
      <ul aria-label={t("items.label")} className="bulk-rows">
        {shown.map((item) => (
          <Item key={item.subscription_id} {...{ item, isClosed }} />
        ))}
      </ul>
    </>
  );
}

interface FilterProps {
  isOn: boolean;
  onClick: () => void;
  children: React.ReactNode;
}

function Filter({ isOn, onClick, children }: FilterProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className="h-8 rounded-full border bg-surface px-3 text-sm tabular-nums hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-soft max-md:h-11"
    >
      {children}
    </button>
  );
}

function Item({ item, isClosed }: { item: BulkItem; isClosed: boolean }) {
  const t = useTranslations();
  const format = useFormat();
  const { subscription_id, buyer, state, message, target_day: target } = item;
  return (
    <li>
      <PageLink href={subscriptionPath(useScope(), subscription_id)}>
        {buyer || subscription_id}
      </PageLink>
      <div>
        {message === null ? (
          <Change item={item} />
        ) : (
          describeItemReason(t, format, { message, target })
        )}
      </div>
      <BulkStateBadge {...{ state, isClosed }} />
    </li>
  );
}

function Change({ item }: { item: BulkItem }) {
  const t = useTranslations("bulk");
  const nameStatus = useStatusLabel();
  const format = useFormat();
  const { status_before, status_after, day_before, day_after, target_day } = item;
  const nameDay = (day: string | null) => (day === null ? t("noDate") : format.date(day));
  const day = day_after ?? target_day;
  if (target_day !== null)
    return <BeforeAndAfter from={nameDay(day_before)} to={nameDay(day)} />;
  if (status_after === null || status_before === null)
    return status_before !== null && nameStatus(status_before);
  return <BeforeAndAfter from={nameStatus(status_before)} to={nameStatus(status_after)} />;
}

const LOOKS: Record<ItemState, BadgeLook> = {
  waiting: { icon: Hourglass, tone: "inactive" },
  running: {
    icon: LoaderCircle,
    tone: "pending",
  },
  done: { icon: Check, tone: "active" },
  already: { icon: Equal, tone: "inactive" },
  refused: { icon: Ban, tone: "cancelled" },
  failed: { icon: CircleAlert, tone: "danger" },
  unknown: { icon: CircleHelp, tone: "due" },
  undone: { icon: Undo2, tone: "ending" },
};

/** @param isClosed whether the run has ended, so that waiting items will not be processed */
const stateLabel = (t: Translate<"bulk">, state: ItemState, isClosed: boolean) =>
  t(`state.${state === "waiting" && isClosed ? "left" : state}`);

function BulkStateBadge({ state, isClosed }: { state: ItemState; isClosed: boolean }) {
  const t = useTranslations("bulk");
  return <Badge {...LOOKS[state]}>{stateLabel(t, state, isClosed)}</Badge>;
}
