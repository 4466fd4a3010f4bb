"use client";

import { useQuery } from "@tanstack/react-query";
import { BadgeCheck, CircleCheck, CircleHelp, Undo2, type LucideIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { FailureLine } from "#components/forms/failure-line.tsx";
import { Moment } from "#components/values/moment.tsx";
import { PaidDetails } from "#components/values/paid-details.tsx";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { usePermission, useScope } from "#components/context/seller-context.tsx";
import { useFormat } from "#components/values/use-format.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import type { Subscription } from "#contract/subscriptions.ts";
import { failureOf } from "#lib/failure.ts";
import {
  subscriptionPaymentsQuery,
  type VerifiedPayment,
  type SubscriptionPayments,
} from "#lib/payments/queries.ts";
import { paidAmount, paymentState, currentPayment } from "#lib/payments/rules.ts";
import { refetchEvery } from "#lib/query/client.ts";

const SOON_MS = 5_000;
const LATER_MS = 30_000;
/** The others stand in the history. */
const SHOWN = 5;

/** What tells that it is paid, or why nothing does. */
export function SubscriptionPaymentCard({ subscription }: { subscription: Subscription }) {
  const t = useTranslations("record.proof");
  const query = useQuery({
    ...subscriptionPaymentsQuery(useScope(), subscription.subscription_id),
    // A delivery comes a moment after the buyer has paid.
    refetchInterval: (asked) =>
      refetchEvery(asked.state.data?.payments.length ? LATER_MS : SOON_MS)(asked),
  });
  return (
    <Card aria-labelledby="proof-title" className="my-4 p-4 sm:p-5">
      <CardTitle id="proof-title">{t("title")}</CardTitle>
      <div className="mt-3">
        {query.error && !query.data ? (
          <FailureLine
            failure={failureOf(query.error)}
            isRetrying={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <Proven subscription={subscription} found={query.data} />
        )}
      </div>
    </Card>
  );
}

interface ProvenProps {
  subscription: Subscription;
  found: SubscriptionPayments | undefined;
}

const LOOKS: Record<"proven" | "confirmed" | "returned" | "none", [LucideIcon, string]> = {
  proven: [BadgeCheck, "bg-active-soft text-active"],
  confirmed: [CircleCheck, "bg-active-soft text-active"],
  returned: [Undo2, "bg-pending-soft text-pending"],
  none: [CircleHelp, "bg-inactive-soft text-inactive"],
};

function Proven({ subscription, found }: ProvenProps) {
  const t = useTranslations("record.proof");
  const maySetUp = usePermission("webhooks:read");
  if (!found) return <span aria-busy className="skeleton h-5 w-2/3" />;
  const { status } = subscription;
  const state = paymentState(found, subscription);
  const isPaid = state === "proven" || state === "confirmed";
  const kind = isPaid || state === "returned" ? state : "none";
  const [icon, className] = LOOKS[kind];
  const proving = currentPayment(found.payments, subscription);
  return (
    <div className="grid gap-2">
      <p role="status" className="flex flex-wrap items-center gap-2">
        <Badge icon={icon} className={className}>
          {t(`badge.${kind}`)}
        </Badge>
        <span>
          {state === "proven" && proving && t("paid", { id: proving.id })}
          {state === "confirmed" && proving && t("confirmed", { id: proving.id })}
          {state === "returned" && <Back found={found} />}
          {!isPaid && state !== "returned" && t(`why.${state}`, { status })}
        </span>
      </p>
      {state === "not_verifying" && maySetUp && (
        <p>
          <ScopedLink
            href="/settings/webhooks"
            className="rounded text-accent underline underline-offset-2"
          >
            {t("setUp")}
          </ScopedLink>
        </p>
      )}
      {found.payments.length > 0 && (
        <ul aria-label={t("list")} className="divide-y rounded border">
          {found.payments.slice(0, SHOWN).map((payment) => (
            <OnePayment key={payment.id} payment={payment} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Back({ found: { returned_at, returned_ago } }: { found: SubscriptionPayments }) {
  const t = useTranslations("record.proof");
  const format = useFormat();
  if (returned_at === null || returned_ago === null) return null;
  if (returned_ago < 3_600) return t("backAgo", { wait: format.wait(returned_ago) });
  return t.rich("backAt", { moment: () => <Moment iso={returned_at} /> });
}

function OnePayment({ payment }: { payment: VerifiedPayment }) {
  const t = useTranslations("record.proof");
  const format = useFormat();
  const { id, at, fee, net, currency, delivery_id } = payment;
  const paid = paidAmount(payment);
  const money = (text: string) => format.money(text, currency ?? "");
  return (
    <li className="grid gap-1 px-3 py-2 sm:grid-cols-[minmax(0,1fr)_auto]">
      <span>
        {t("number", { id })} · <Moment iso={at} />
        {delivery_id && (
          <span className="block font-mono text-xs wrap-anywhere text-muted">
            {delivery_id}
          </span>
        )}
      </span>
      {paid === null || fee === null || net === null ? (
        <span className="text-muted">{t("amountUnknown")}</span>
      ) : (
        <span className="tabular-nums sm:text-right">
          {format.toPay(paid)}
          <span className="block text-xs text-muted">
            {t("feeAndNet", { fee: money(fee), net: money(net) })}
          </span>
          <PaidDetails payment={payment} />
        </span>
      )}
    </li>
  );
}
