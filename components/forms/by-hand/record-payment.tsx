import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { lazy, Suspense, useState } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { HandCoins } from "#components/ui/icons.tsx";
import { usePreload } from "#components/ui/overlays/popup.ts";
import { paidByHandQuery } from "#lib/collection/by-hand/queries.ts";
import { subscriptionsKey } from "#lib/subscriptions/queries.ts";
import type { ToPay } from "#lib/format/format.ts";

const loadDialogs = () => import("./record-dialogs.tsx");
const RecordDialog = lazy(async () => ({ default: (await loadDialogs()).RecordDialog }));
const NoteDialog = lazy(async () => ({ default: (await loadDialogs()).NoteDialog }));

interface RecordPaymentProps {
  subscription_id: string;
  /** The amount that the dashboard expects, for a service that does not report it. */
  to_pay: ToPay | null;
}

/** Records a payment made outside the checkout; for other services only as a note to check later. */
export function RecordPaymentButton({ subscription_id, to_pay }: RecordPaymentProps) {
  const t = useTranslations("byHand");
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(paidByHandQuery(useScope(), subscription_id));
  usePreload(loadDialogs);
  if (!data || (data.service === "own" && data.owed === null)) return null;
  const close = () => setOpen(false);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <HandCoins aria-hidden className="size-4" />
        {t(data.service === "own" ? "record.button" : "note.button")}
      </Button>
      {isOpen && (
        <Suspense fallback={<div className="scrim" />}>
          {data.service === "other" ? (
            <NoteDialog {...{ subscription_id, to_pay, close }} today={data.today} />
          ) : (
            data.owed && (
              <RecordDialog
                {...{ subscription_id, close }}
                owed={data.owed}
                today={data.today}
              />
            )
          )}
        </Suspense>
      )}
    </>
  );
}

/** Refetches everything that shows payments, after a payment was recorded, decided on or refunded. */
export function useRefreshMoney(): () => void {
  const scope = useScope();
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries({ queryKey: subscriptionsKey(scope) });
    void queryClient.invalidateQueries({ queryKey: [scope, "payments"] });
  };
}
