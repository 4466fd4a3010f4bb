"use client";

import { lazy, Suspense, useState, type ReactNode } from "react";
import { MoveDateContext, type ToMove } from "#components/values/move-date.ts";
import { usePermission } from "#components/context/seller-context.tsx";

const GoodwillDialog = lazy(async () => {
  const { GoodwillDialog: component } = await import("./goodwill-dialog.tsx");
  return { default: component };
});

/** Lets what is within move a billing date as a goodwill extension, by the same dialog as a record's page. */
export function GoodwillDialogProvider({ children }: { children: ReactNode }) {
  // Another object for each press, also on the same one.
  const [asked, setAsked] = useState<ToMove | null>(null);
  const mayMove = usePermission("subscriptions:reschedule");
  return (
    <MoveDateContext value={mayMove ? (wanted) => setAsked({ ...wanted }) : null}>
      {asked && (
        <Suspense>
          <GoodwillDialog key={asked.subscription.subscription_id} asked={asked} />
        </Suspense>
      )}
      {children}
    </MoveDateContext>
  );
}
