"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import {
  PageLink,
  useFormat,
  useScope,
  useSeller,
} from "#components/context/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { FastForward } from "#components/ui/icons.tsx";
import type { Clock } from "#contract/sandbox.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { addDays } from "#lib/format/calendar.ts";
import { sandboxQuery } from "#lib/sandbox/queries.ts";
import { clockLead, paymentObstacle } from "#lib/sandbox/rules.ts";
import type { Translate } from "#lib/i18n/message.ts";
import { sandboxPath } from "#lib/sandbox/search.ts";
import { subscriptionQuery } from "#lib/subscriptions/queries.ts";
import { isOneTimePurchase } from "#lib/money/payable.ts";
import { billingDay } from "#lib/subscriptions/rules.ts";
import { PaymentForm } from "./payment-form.tsx";

/**
 * Tools to simulate payments on a subscription's page, in test mode if the service has a sandbox.
 */
export function SubscriptionSimulation({ subscription_id }: { subscription_id: string }) {
  const t = useTranslations("sandbox");
  const scope = useScope();
  const isTest = scope.mode === "test";
  // These reads are optional: while the service is unreachable the card is hidden.
  const options = { retry: false, refetchInterval: false } as const;
  const { data: sandbox } = useQuery({ ...sandboxQuery(scope), ...options, enabled: isTest });
  const { data: record } = useQuery({
    ...subscriptionQuery(scope, subscription_id),
    enabled: false,
  });
  if (!sandbox?.clock || !record) return null;
  const { subscription } = record;
  return (
    <Card className="mt-4 p-4 sm:p-5" aria-labelledby="simulation">
      <CardTitle id="simulation">{t("payment.title")}</CardTitle>
      <p className="mt-1 mb-4 text-sm text-muted">
        {t("payment.instead")}
        <Ahead clock={sandbox.clock} />
      </p>
      <div className="max-w-md">
        <PaymentForm
          subscription_id={subscription_id}
          obstacle={obstacleOf(t, subscription)}
          aside={<ClockLink subscription={subscription} />}
        />
      </div>
    </Card>
  );
}

/** Explains that the page counts days by real time, and the service by its own clock. */
function Ahead({ clock }: { clock: Clock }) {
  const t = useTranslations("sandbox.payment");
  const format = useFormat();
  const lead = clockLead(clock);
  if (lead === null) return null;
  return ` ${t("ahead", { time: format.dateTime(clock.now), ...lead })}`;
}

function obstacleOf(t: Translate<"sandbox">, subscription: Subscription): string | null {
  if (isOneTimePurchase(subscription)) return t("payment.oneTime");
  return paymentObstacle(t, subscription.status);
}

/**
 * A link to the clock that suggests moving it to the next change; a due date has passed when its day is
 * over.
 */
function ClockLink({ subscription }: { subscription: Subscription }) {
  const t = useTranslations("sandbox.payment");
  const { scope, time_zone } = useSeller();
  const { status } = subscription;
  const day = billingDay(subscription, time_zone);
  const words =
    status === "active" ? t("toDue") : status === "pending_cancellation" ? t("toEnd") : null;
  if (words === null || day === null || isOneTimePurchase(subscription)) return null;
  return (
    <PageLink
      href={sandboxPath(scope, { at: `${addDays(day, 1)}T00:00` })}
      className="inline-flex items-center gap-1.5 rounded text-sm font-medium text-accent hover:underline"
    >
      <FastForward aria-hidden className="size-4" />
      {words}
    </PageLink>
  );
}
