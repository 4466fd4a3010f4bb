"use client";

import { createContext, type ReactNode, Suspense, use } from "react";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRecordId, useScope } from "#components/context/seller-context.tsx";
import { lazyPart } from "#components/context/messages-provider.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { subscriptionQuery } from "#lib/subscriptions/queries.ts";
import { type SubscriptionChange, useSubscriptionChange } from "./use-subscription-change.ts";

const ChangeContext = createContext<SubscriptionChange | null>(null);

/** Above the record and its placeholder: dialogs and outcomes stay when one replaces the other. */
export function SubscriptionChangeProvider({ children }: { children: ReactNode }) {
  const id = useRecordId();
  const change = useSubscriptionChange(id);
  return (
    <ChangeContext value={change}>
      {children}
      <ChangeDialog
        name="cancel"
        of={CancelSubscription}
        subscription_id={id}
        {...{ change }}
      />
      <ChangeDialog
        name="reschedule"
        of={RescheduleSubscription}
        subscription_id={id}
        {...{ change }}
      />
    </ChangeContext>
  );
}

export function useSubscriptionChangeContext(): SubscriptionChange {
  const change = use(ChangeContext);
  if (!change)
    throw new Error("useSubscriptionChangeContext needs a SubscriptionChangeProvider above it");
  return change;
}

const CancelSubscription = lazyPart(
  async () => (await import("./cancel-subscription.tsx")).CancelSubscription,
  "leaving",
  "subscription",
);
const RescheduleSubscription = lazyPart(
  async () => (await import("./reschedule-subscription.tsx")).RescheduleSubscriptionDialog,
  "owed",
  "subscription",
);

interface ChangeDialogProps {
  subscription_id: string;
  change: SubscriptionChange;
  name: "cancel" | "reschedule";
  of: typeof CancelSubscription | typeof RescheduleSubscription;
}

function ChangeDialog({ name, ...props }: ChangeDialogProps) {
  const t = useTranslations("subscription");
  const { dialog, close } = props.change;
  return (
    <Dialog title={t(`${name}.title`)} isOpen={dialog === name} onClose={close}>
      <Suspense fallback={<span className="skeleton h-72" />}>
        <Change {...props} />
      </Suspense>
    </Dialog>
  );
}

/**
 * The form with the cached record, or with the one that the dialog was opened with. It does not fetch:
 * a query before the page's own would delay that one.
 */
function Change({ of: Form, subscription_id, change }: Omit<ChangeDialogProps, "name">) {
  const options = subscriptionQuery(useScope(), subscription_id);
  const { data } = useQuery({ ...options, enabled: false });
  const subscription = data?.subscription ?? change.subscription;
  const debt = data?.debt ?? null;
  return subscription && <Form {...{ subscription, debt, change }} />;
}
