"use client";

import { useTranslations } from "next-intl";
import { lazy, Suspense, useEffect, useEffectEvent, useState, type ReactNode } from "react";
import { MoveDateContext } from "#components/layout/move-date.ts";
import { usePermission } from "#components/layout/seller-context.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import type { Subscription } from "#contract/subscriptions.ts";
import { ChangeNotice } from "./change-notice.tsx";
import { useSubscriptionChange } from "./use-subscription-change.ts";

const RescheduleSubscription = lazy(async () => {
  const { RescheduleSubscription: component } = await import("./reschedule-subscription.tsx");
  return { default: component };
});

/** Lets what is within move a billing date as a courtesy, by the same dialog as a record's page. */
export function CourtesyMoves({ children }: { children: ReactNode }) {
  // Another object for each press, also on the same one.
  const [asked, setAsked] = useState<{ subscription: Subscription } | null>(null);
  const mayMove = usePermission("subscriptions:reschedule");
  return (
    <MoveDateContext value={mayMove ? (subscription) => setAsked({ subscription }) : null}>
      {asked && <CourtesyMove key={asked.subscription.subscription_id} asked={asked} />}
      {children}
    </MoveDateContext>
  );
}

function CourtesyMove({ asked }: { asked: { subscription: Subscription } }) {
  const t = useTranslations("record");
  const change = useSubscriptionChange(asked.subscription.subscription_id);
  const open = useEffectEvent(() => change.open("reschedule", asked.subscription));
  useEffect(() => open(), [asked]);
  return (
    <>
      <ChangeNotice change={change} />
      <Dialog
        title={t("reschedule.title")}
        isOpen={change.dialog === "reschedule"}
        onClose={change.close}
      >
        <Suspense fallback={<span className="skeleton h-72" />}>
          <RescheduleSubscription
            isCourtesy
            subscription={asked.subscription}
            change={change}
          />
        </Suspense>
      </Dialog>
    </>
  );
}
