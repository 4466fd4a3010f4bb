"use client";

import { useParams } from "next/navigation";
import { createContext, lazy, type ReactNode, Suspense, use } from "react";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useScope } from "#components/context/seller-context.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { subscriptionQuery } from "#lib/subscriptions/queries.ts";
import { type SubscriptionChange, useSubscriptionChange } from "./use-subscription-change.ts";

const ChangeContext = createContext<SubscriptionChange | null>(null);

/** Above the record and its placeholder: dialogs and outcomes stay when one replaces the other. */
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

const CancelSubscription = lazy(async () => {
  const { CancelSubscription: component } = await import("./cancel-subscription.tsx");
  return { default: component };
});
const RescheduleSubscription = lazy(async () => {
  const { RescheduleSubscriptionDialog: component } =
    await import("./reschedule-subscription.tsx");
  return { default: component };
});

interface SubscriptionChangeDialogsProps {
  subscription_id: string;
  change: SubscriptionChange;
}

function SubscriptionChangeDialogs({
  subscription_id,
  change,
}: SubscriptionChangeDialogsProps) {
  const t = useTranslations("subscription");
  return (
    <>
      <Dialog
        title={t("cancel.title")}
        isOpen={change.dialog === "cancel"}
        onClose={change.close}
      >
        <Suspense fallback={<span className="skeleton h-48" />}>
          <Change of={CancelSubscription} {...{ subscription_id, change }} />
        </Suspense>
      </Dialog>
      <Dialog
        title={t("reschedule.title")}
        isOpen={change.dialog === "reschedule"}
        onClose={change.close}
      >
        <Suspense fallback={<span className="skeleton h-72" />}>
          <Change of={RescheduleSubscription} {...{ subscription_id, change }} />
        </Suspense>
      </Dialog>
    </>
  );
}

interface ChangeProps extends SubscriptionChangeDialogsProps {
  of: typeof CancelSubscription | typeof RescheduleSubscription;
}

/**
 * The form with the cached record, or with the one that the dialog was opened with. It does not fetch:
 * a query before the page's own would delay that one.
 */
function Change({ of: Form, subscription_id, change }: ChangeProps) {
  const options = subscriptionQuery(useScope(), subscription_id);
  const { data } = useQuery({ ...options, enabled: false });
  const subscription = data?.subscription ?? change.subscription;
  const debt = data?.debt ?? null;
  return subscription && <Form {...{ subscription, debt, change }} />;
}
