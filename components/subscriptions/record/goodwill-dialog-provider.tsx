"use client";

import { Suspense, useState, type ReactNode } from "react";
import { lazyPart } from "#components/context/messages-provider.tsx";
import { MoveDateContext, type DateMove } from "#components/values/move-date.ts";
import { usePermission } from "#components/context/seller-context.tsx";

const GoodwillDialog = lazyPart(
  async () => (await import("./goodwill-dialog.tsx")).GoodwillDialog,
  "owed",
  "subscription",
);

export function GoodwillDialogProvider({ children }: { children: ReactNode }) {
  // A new object for each click, so that the same row can be opened twice.
  const [asked, setAsked] = useState<DateMove | null>(null);
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
