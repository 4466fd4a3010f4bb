"use client";

import { useTranslations } from "next-intl";
import { useSeller } from "#components/context/seller-context.tsx";
import { useFormat } from "#components/values/use-format.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { DateSource } from "#lib/subscriptions/date-source.ts";
import { describeSubscriptionStatus } from "#lib/subscriptions/rules.ts";
import { ChangeNotice } from "./change-notice.tsx";
import { SubscriptionActions } from "./subscription-actions.tsx";
import { useOpenChange } from "./subscription-change-context.tsx";
import { SubscriptionStatusBadge } from "#components/subscriptions/subscription-status-badge.tsx";

interface SubscriptionHeadingProps {
  subscription: Subscription;
  reached: DateSource;
}

/** The buyer, status, actions and result of the last action. */
export function SubscriptionHeading({ subscription, reached }: SubscriptionHeadingProps) {
  const { status, client } = subscription;
  const change = useOpenChange();
  const t = useTranslations("subscription");
  const format = useFormat();
  const clock = useSeller();
  return (
    <>
      <div className="mb-5 grid gap-x-6 gap-y-1 md:grid-cols-[minmax(0,1fr)_auto]">
        <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 text-xl font-semibold tracking-tight">
            {client.full_name || client.phone || t("title")}
          </h1>
          <SubscriptionStatusBadge status={status} />
        </div>
        <p className="max-w-prose text-muted md:col-span-2 md:row-start-2">
          {describeSubscriptionStatus(t, format, subscription, clock, reached)}
        </p>
        <div className="max-md:mt-2 md:col-start-2 md:row-start-1">
          <SubscriptionActions subscription={subscription} change={change} />
        </div>
      </div>
      <ChangeNotice change={change} />
    </>
  );
}
