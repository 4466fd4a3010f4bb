"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { FailureLine } from "#components/forms/failure-panel.tsx";
import { BadgeCheck, CircleHelp, Hourglass } from "#components/ui/icons.tsx";
import { Moment } from "#components/values/day.tsx";
import { PaidDetails } from "#components/values/paid-details.tsx";
import {
  ScopedLink,
  useFormat,
  usePermission,
  useScope,
} from "#components/context/seller-context.tsx";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import type { Subscription } from "#contract/subscriptions.ts";
import { failureOf } from "#lib/failure.ts";
import {
  subscriptionPaymentsQuery,
  type VerifiedPayment,
  type SubscriptionPayments,
} from "#lib/payments/queries.ts";
import {
  currentPayment,
  paidAmount,
  paymentState,
  type PaymentState,
} from "#lib/payments/rules.ts";
import { refetchEvery } from "#lib/query/client.ts";

const SOON_MS = 5_000;
const LATER_MS = 30_000;
/** The number of payments in the card; older ones are in the history. */
const SHOWN = 5;

interface SubscriptionPaymentCardProps {
  subscription: Subscription;
  /** Whether the record is still being read; its answer has the payments. */
  isOpening: boolean;
}

export function SubscriptionPaymentCard(props: SubscriptionPaymentCardProps) {
  const { subscription, isOpening } = props;
  const t = useTranslations("subscription.payment");
  const query = useQuery({
    ...subscriptionPaymentsQuery(useScope(), subscription.subscription_id),
    enabled: !isOpening,
    // Polls, because the confirmation arrives some seconds after the buyer pays.
    refetchInterval: (asked) =>
      refetchEvery(asked.state.data?.payments.length ? LATER_MS : SOON_MS)(asked),
  });
  return (
    <Card aria-labelledby="payment-title" className="my-4 p-4 sm:p-5">
      <CardTitle id="payment-title">{t("title")}</CardTitle>
      <div className="mt-3">
        {query.error && !query.data ? (
          <FailureLine failure={failureOf(query.error)} query={query} />
        ) : (
          <PaymentAnswer subscription={subscription} found={query.data} />
        )}
      </div>
    </Card>
  );
}

interface PaymentAnswerProps {
  subscription: Subscription;
  found: SubscriptionPayments | undefined;
}

type Answer = "paid" | "waiting" | "check";

const LOOKS: Record<Answer, BadgeLook> = {
  paid: { icon: BadgeCheck, tone: "active" },
  waiting: { icon: Hourglass, tone: "pending" },
  check: { icon: CircleHelp, tone: "inactive" },
};

/**
 * The answer to whether the subscription is paid; null for an ended one, which expects no payment.
 */
function answerOf(state: PaymentState, status: string): Answer | null {
  if (state === "proven" || state === "confirmed") return "paid";
  if (state === "unpaid" || state === "returned") return "waiting";
  if (state !== "not_expected") return "check";
  return status === "pending_checkout" ? "waiting" : null;
}

function PaymentAnswer({ subscription, found }: PaymentAnswerProps) {
  const t = useTranslations("subscription.payment");
  const maySetUp = usePermission("webhooks:read");
  const format = useFormat();
  if (!found) return <span aria-busy className="skeleton h-5 w-2/3" />;
  const { status } = subscription;
  const state = paymentState(found, subscription);
  const answer = answerOf(state, status);
  const payment = currentPayment(found.payments, subscription);
  const amount = payment && paidAmount(payment);
  return (
    <div className="grid gap-2">
      <p role="status" className="flex flex-wrap items-center gap-2">
        {answer && <Badge {...LOOKS[answer]}>{t(`badge.${answer}`)}</Badge>}
        <span>
          {answer === "paid" && payment && (
            <>
              {amount && <>{format.toPay(amount)} · </>}
              <Moment iso={payment.at} />
            </>
          )}
          {state === "returned" && <Back found={found} />}
        </span>
      </p>
      <Disclosure title={t("details")}>
        <div className="mt-1 grid gap-2">
          <p>
            {state === "proven" && payment && t("paid", { id: payment.id })}
            {state === "confirmed" && payment && t("confirmed", { id: payment.id })}
            {state !== "proven" && state !== "confirmed" && t(`why.${state}`, { status })}
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
              {found.payments.slice(0, SHOWN).map((one) => (
                <OnePayment key={one.id} payment={one} />
              ))}
            </ul>
          )}
        </div>
      </Disclosure>
    </div>
  );
}

function Back({ found: { returned_at, returned_ago } }: { found: SubscriptionPayments }) {
  const t = useTranslations("subscription.payment");
  const format = useFormat();
  if (returned_at === null || returned_ago === null) return null;
  if (returned_ago < 3_600) return t("backAgo", { wait: format.wait(returned_ago) });
  return t.rich("backAt", { moment: () => <Moment iso={returned_at} /> });
}

function OnePayment({ payment }: { payment: VerifiedPayment }) {
  const t = useTranslations("subscription.payment");
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
