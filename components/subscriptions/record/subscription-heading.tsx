"use client";

import { useTranslations } from "next-intl";
import { ScopedLink, useFormat, useSeller } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { CalendarClock, RotateCcw, TimerOff } from "#components/ui/icons.tsx";
import type { Subscription } from "#contract/subscriptions.ts";
import type { SubscriptionRecord } from "#lib/subscriptions/queries.ts";
import {
  describeSubscriptionStatus,
  unavailableReason,
  type Operation,
} from "#lib/subscriptions/rules.ts";
import { SubscriptionStatusBadge } from "#components/subscriptions/subscription-status-badge.tsx";
import { ExplainedButton } from "#components/ui/explained-button.tsx";
import { can } from "#lib/auth/permissions.ts";
import { hasEnded } from "#lib/money/payable.ts";
import { ChangeNotice } from "./change-notice.tsx";
import { useSubscriptionChangeContext } from "./subscription-change-context.tsx";
import type { SubscriptionChange } from "./use-subscription-change.ts";

type SubscriptionHeadingProps = Pick<SubscriptionRecord, "subscription" | "reached">;

export function SubscriptionHeading({ subscription, reached }: SubscriptionHeadingProps) {
  const { status, client } = subscription;
  const change = useSubscriptionChangeContext();
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

interface SubscriptionActionsProps {
  subscription: Subscription;
  change: SubscriptionChange;
}

/** The buttons for a subscription; a disabled one explains why. */
function SubscriptionActions({ subscription, change }: SubscriptionActionsProps) {
  const t = useTranslations();
  const { role } = useSeller();
  const { status, subscription_id } = subscription;
  const reasonOf = (operation: Operation) => {
    if (!can(role, `subscriptions:${operation}`))
      return t("subscription.actions.mayNot", {
        role: t(`layout.roles.${role}`).toLowerCase(),
      });
    const obstacle = unavailableReason(operation, subscription);
    return obstacle && t(obstacle);
  };
  return (
    <div
      role="group"
      aria-label={t("subscription.actions.label")}
      className="flex shrink-0 gap-2 max-md:w-full max-md:flex-wrap"
    >
      <ExplainedButton
        reason={reasonOf("reschedule")}
        className="max-md:flex-1"
        onClick={() => change.open("reschedule", subscription)}
      >
        <CalendarClock aria-hidden className="size-4 max-sm:hidden" />
        {t("subscription.actions.reschedule")}
      </ExplainedButton>
      {hasEnded(status) && can(role, "subscriptions:create") ? (
        <ScopedLink
          href={`/subscriptions/new?${new URLSearchParams({ again: subscription_id })}`}
          className={buttonClass("primary", "max-md:flex-1")}
        >
          <RotateCcw aria-hidden className="size-4 max-sm:hidden" />
          {t("subscription.actions.again")}
        </ScopedLink>
      ) : (
        <ExplainedButton
          reason={reasonOf("resume")}
          className="max-md:flex-1"
          isPending={change.isPending && change.dialog === null}
          onClick={() => change.request({ operation: "resume" })}
        >
          <RotateCcw aria-hidden className="size-4 max-sm:hidden" />
          {t(
            status === "pending_cancellation"
              ? "subscription.actions.stays"
              : "subscription.actions.resume",
          )}
        </ExplainedButton>
      )}
      <ExplainedButton
        reason={reasonOf("cancel")}
        className="max-md:flex-1"
        onClick={() => change.open("cancel", subscription)}
      >
        <TimerOff aria-hidden className="size-4 max-sm:hidden" />
        {t.rich("subscription.actions.cancel", {
          more: (words) => <span className="sr-only">{words}</span>,
        })}
      </ExplainedButton>
    </div>
  );
}
