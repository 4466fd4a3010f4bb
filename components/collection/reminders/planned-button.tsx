import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { lazy, Suspense, useState } from "react";
import { useFormat, useScope } from "#components/context/seller-context.tsx";
import { useHydrated } from "#components/ui/button.tsx";
import { usePreload } from "#components/ui/overlays/popup.ts";
import { plannedQuery } from "#lib/messages/schedule/queries.ts";

const load = () => import("./planned-dialog.tsx");
const PlannedDialog = lazy(async () => ({ default: (await load()).PlannedDialog }));

/** Says how many reminders the schedule sends today, and opens their list. */
export function PlannedButton() {
  const t = useTranslations("reminders.today");
  const format = useFormat();
  const isHydrated = useHydrated();
  const { data } = useQuery(plannedQuery(useScope()));
  const [isOpen, setOpen] = useState(false);
  usePreload(load);
  if (!data?.is_offered || (!data.is_on && data.results.length === 0)) return null;
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        disabled={!isHydrated}
        onClick={() => setOpen(true)}
        className="rounded py-1 text-sm font-medium tabular-nums underline underline-offset-2 hover:text-ink"
      >
        {t("title", { count: format.count(data.count) })}
      </button>
      {isOpen && (
        <Suspense fallback={<span className="scrim" />}>
          <PlannedDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
