"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { lazy, Suspense } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { subscriptionQuery } from "#lib/subscriptions/queries.ts";
import type { SubscriptionChange } from "./use-subscription-change.ts";

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

export function SubscriptionChangeDialogs({
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
 * Of the record as it is known last; of what it was opened on, until the record has been read.
 * Asks only while it is open: a query that is there before the page's own would keep that one waiting.
 */
function Change({ of: Form, subscription_id, change }: ChangeProps) {
  const options = subscriptionQuery(useScope(), subscription_id);
  const { data } = useQuery({ ...options, enabled: false });
  const subscription = data?.subscription ?? change.subscription;
  const debt = data?.debt ?? null;
  return subscription && <Form {...{ subscription, debt, change }} />;
}
