"use client";

import { CalendarClock, RotateCcw, TimerOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { useSeller } from "#components/context/seller-context.tsx";
import { ExplainedButton } from "#components/ui/explained-button.tsx";
import type { Subscription } from "#contract/subscriptions.ts";
import { can } from "#lib/auth/permissions.ts";
import { obstacleTo, type Operation } from "#lib/subscriptions/rules.ts";
import type { SubscriptionChange } from "./use-subscription-change.ts";

interface SubscriptionActionsProps {
  subscription: Subscription;
  change: SubscriptionChange;
}

/** A disabled action explains why. */
export function SubscriptionActions({ subscription, change }: SubscriptionActionsProps) {
  const t = useTranslations();
  const { role } = useSeller();
  const reasonOf = (operation: Operation) => {
    if (!can(role, `subscriptions:${operation}`))
      return t("subscription.actions.mayNot", {
        role: t(`layout.roles.${role}`).toLowerCase(),
      });
    const obstacle = obstacleTo(operation, subscription);
    return obstacle && t(obstacle);
  };
  return (
    <div
      role="group"
      aria-label={t("subscription.actions.label")}
      className="flex shrink-0 gap-2 max-md:w-full"
    >
      <ExplainedButton
        reason={reasonOf("reschedule")}
        className="max-md:flex-1"
        onClick={() => change.open("reschedule", subscription)}
      >
        <CalendarClock aria-hidden className="size-4 max-sm:hidden" />
        {t("subscription.actions.reschedule")}
      </ExplainedButton>
      <ExplainedButton
        reason={reasonOf("resume")}
        className="max-md:flex-1"
        isPending={change.isPending && change.dialog === null}
        onClick={() => change.request({ operation: "resume" })}
      >
        <RotateCcw aria-hidden className="size-4 max-sm:hidden" />
        {t("subscription.actions.resume")}
      </ExplainedButton>
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
