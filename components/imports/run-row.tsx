"use client";

import { useTranslations } from "next-intl";
import { ScopedLink } from "#components/context/seller-context.tsx";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import {
  Ban,
  CircleAlert,
  CircleCheck,
  Hourglass,
  TriangleAlert,
  Undo2,
} from "#components/ui/icons.tsx";
import type { ImportRow } from "#lib/imports/rules.ts";
import { translateMessage } from "#lib/i18n/message.ts";
import type { ItemState } from "#lib/subscriptions/bulk/rules.ts";

const LOOKS: Record<ItemState, BadgeLook> = {
  waiting: { icon: Hourglass, tone: "neutral" },
  running: { icon: Hourglass, tone: "neutral" },
  done: { icon: CircleCheck, tone: "active" },
  already: { icon: CircleCheck, tone: "neutral" },
  refused: { icon: Ban, tone: "due" },
  failed: { icon: CircleAlert, tone: "due" },
  unknown: { icon: TriangleAlert, tone: "due" },
  undone: { icon: Undo2, tone: "neutral" },
};

/** What became of a row, with a link to its subscription and a button that copies its checkout link. */
export function ImportRowResult({ row, state }: { row: ImportRow; state: ItemState }) {
  const t = useTranslations("importRun");
  const tAll = useTranslations();
  const { subscription_id, checkout_url, message } = row;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <Badge {...LOOKS[state]}>{t(`states.${state}`)}</Badge>
      {message !== null && (
        <p className="text-pretty wrap-anywhere">{translateMessage(tAll, message)}</p>
      )}
      {subscription_id !== null && (
        <ScopedLink
          href={`/subscriptions/${encodeURIComponent(subscription_id)}`}
          prefetch={false}
          className="link"
        >
          {t("open")}
        </ScopedLink>
      )}
      {(state === "done" || state === "already") && checkout_url !== null && (
        <CopyButton text={checkout_url} label={t("copyLink")} what={row.name ?? ""} />
      )}
    </div>
  );
}
