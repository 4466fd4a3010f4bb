"use client";

import { useParams } from "next/navigation";
import { createContext, use, type ReactNode } from "react";
import { SubscriptionChangeDialogs } from "./subscription-change-dialogs.tsx";
import { useSubscriptionChange, type SubscriptionChange } from "./use-subscription-change.ts";

const ChangeContext = createContext<SubscriptionChange | null>(null);

/**
 * Above the record and what stands in for it while it is read: a dialog that was opened on the one
 * stays as it is, and what came of a change stays told, when the other takes its place.
 */
export function SubscriptionChangeProvider({ children }: { children: ReactNode }) {
  const { id } = useParams<{ id: string }>();
  const change = useSubscriptionChange(id);
  return (
    <ChangeContext value={change}>
      {children}
      <SubscriptionChangeDialogs subscription_id={id} change={change} />
    </ChangeContext>
  );
}

export function useOpenChange(): SubscriptionChange {
  const change = use(ChangeContext);
  if (!change) throw new Error("useOpenChange needs a SubscriptionChangeProvider above it");
  return change;
}
