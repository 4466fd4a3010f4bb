import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import {
  ScopedLink,
  useFormat,
  usePermission,
  useScope,
} from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { CircleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { plannedQuery } from "#lib/messages/schedule/queries.ts";
import { REMINDERS_PAGE } from "#lib/messages/sending/search.ts";
import { PlannedRow } from "./planned-row.tsx";
import { usePlannedActions } from "./use-planned-actions.ts";

/** Today's reminders: planned, held and finished ones, with their results. */
export function PlannedDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("reminders.today");
  const tOfTable = useTranslations("table.pages");
  const format = useFormat();
  const mayChange = usePermission("connection:read");
  const [after, setAfter] = useState<string | null>(null);
  const { data, isError } = useQuery({
    ...plannedQuery(useScope(), after),
    placeholderData: keepPreviousData,
  });
  const actions = usePlannedActions();
  const planned = data?.is_offered ? data : null;
  const rows = planned?.results ?? [];
  const held = planned?.held ?? 0;
  const next = planned?.next_after ?? null;
  const count = planned?.count ?? 0;
  const title = t("title", { count: format.count(count) });
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <p role="status" className="text-sm text-muted empty:sr-only">
        {actions.said}
      </p>
      {actions.failed && (
        <Notice look="danger" icon={CircleAlert} role="alert" className="mt-2">
          <p className="font-medium">{actions.failed.title}</p>
          <p>{actions.failed.advice}</p>
        </Notice>
      )}
      {isError && (
        <Notice look="warning" icon={CircleAlert} role="alert" className="mt-2">
          <p>{t("away")}</p>
        </Notice>
      )}
      {planned && !planned.is_on && <p className="font-medium">{t("off")}</p>}
      {rows.length === 0 ? (
        <p className="text-muted">{t(after === null ? "none" : "noMore")}</p>
      ) : (
        <ul aria-label={t("label")} className="mt-2 divide-y border-y">
          {rows.map((row) => (
            <PlannedRow
              key={`${row.step_id} ${row.subscription_id}`}
              {...{ row, actions, onClose }}
            />
          ))}
        </ul>
      )}
      {(after !== null || next !== null) && (
        <nav aria-label={tOfTable("label")} className="mt-3 flex justify-end gap-2">
          <Button disabled={after === null} onClick={() => setAfter(null)}>
            {t("first")}
          </Button>
          <Button disabled={next === null} onClick={() => setAfter(next)}>
            {tOfTable("next")}
          </Button>
        </nav>
      )}
      <p className="mt-3 flex flex-wrap gap-x-4 text-sm text-muted">
        {held > 0 && <span>{t("held", { count: held })}</span>}
        {mayChange && (
          <ScopedLink href={REMINDERS_PAGE} className="link">
            {t("change")}
          </ScopedLink>
        )}
      </p>
    </Dialog>
  );
}
