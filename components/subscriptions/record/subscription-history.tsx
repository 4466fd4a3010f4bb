"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { lazy, Suspense, useState, type ReactNode } from "react";
import { FailureLine } from "#components/forms/failure-panel.tsx";
import {
  ScopedLink,
  useFormat,
  usePermission,
  useScope,
} from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { ChoiceBar } from "#components/ui/forms/switch.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import type { DeliveryRow } from "#contract/deliveries.ts";
import {
  historyCorrectionsQuery,
  historyDeliveriesQuery,
  historyMessagesQuery,
  historyQuery,
  ownActsOf,
  type RecordAct,
  type SeenChange,
  type RecordHistory,
} from "#lib/audit-log/queries.ts";
import { cn } from "#lib/cn.ts";
import { failureOf } from "#lib/failure.ts";
import { subscriptionPaymentsQuery } from "#lib/payments/queries.ts";
import { paymentEvents, paidAmount, type PaymentEvent } from "#lib/payments/rules.ts";
import { useStatusLabel } from "../subscription-status-badge.tsx";
import { Difference } from "./difference.tsx";

interface SubscriptionHistoryProps {
  subscription_id: string;
  /** Whether the record is still being read; its answer has the history. */
  isOpening: boolean;
}

export function SubscriptionHistory({ subscription_id, isOpening }: SubscriptionHistoryProps) {
  const t = useTranslations("subscription.history");
  const query = useQuery({
    ...historyQuery(useScope(), subscription_id),
    enabled: !isOpening,
  });
  const mayReadAll = usePermission("audit:read");
  if (!usePermission("history:read")) return null;
  return (
    <Card aria-labelledby="history-title" className="mt-4 p-4 sm:p-5">
      <div className="flex items-baseline justify-between gap-3">
        <CardTitle id="history-title">{t("title")}</CardTitle>
        {mayReadAll && (
          <ScopedLink
            href={`/settings/audit-log?${new URLSearchParams({ subscription: subscription_id })}`}
            className="rounded text-sm text-muted hover:text-ink"
          >
            {t("all")}
          </ScopedLink>
        )}
      </div>
      <div className="mt-3">
        {query.error && !query.data ? (
          <FailureLine failure={failureOf(query.error)} query={query} />
        ) : (
          <Timeline history={query.data} {...{ subscription_id, isOpening }} />
        )}
      </div>
    </Card>
  );
}

const SentMessageLine = lazy(async () => ({
  default: (await import("#components/values/message-words.tsx")).SentMessageLine,
}));

const CorrectionLine = lazy(async () => ({
  default: (await import("./correction-line.tsx")).CorrectionLine,
}));

const SHOWN = 5;
/** Acts of the team in collection and on reminders, which are shown among the messages. */
const OF_MESSAGES = /^(?:collection|reminder)\./;
const KINDS = ["payment", "service", "message", "delivery", "act"] as const;
type Kind = (typeof KINDS)[number];

interface Entry {
  kind: Kind;
  at: string;
  row: ReactNode;
}

interface TimelineProps extends SubscriptionHistoryProps {
  history: RecordHistory | undefined;
}

function Timeline({ history, subscription_id, isOpening }: TimelineProps) {
  const t = useTranslations("subscription.history");
  const scope = useScope();
  const mayReadDeliveries = usePermission("webhooks:read");
  const [isWhole, setWhole] = useState(false);
  const [kind, setKind] = useState<Kind | "all">("all");
  // This is the same query as the payment card's, so it sends no second request.
  const payments = useQuery({
    ...subscriptionPaymentsQuery(scope, subscription_id),
    enabled: !isOpening,
  });
  const isArriving = !history || payments.isLoading;
  // Read from the service only when it is needed; the first view of the record does not wait for
  // it.
  const deliveries = useQuery({
    ...historyDeliveriesQuery(scope, subscription_id),
    enabled: isWhole && mayReadDeliveries,
  });
  const sent = useQuery({ ...historyMessagesQuery(scope, subscription_id), enabled: isWhole });
  const corrections = useQuery({
    ...historyCorrectionsQuery(scope, subscription_id),
    enabled: isWhole,
  });
  const entries: Entry[] = [
    ...(history?.acts ?? []).map((act) => ({
      kind: OF_MESSAGES.test(act.action) ? ("message" as const) : ("act" as const),
      at: act.at,
      row: <HistoryEntry key={`act ${act.id}`} act={act} />,
    })),
    ...(history?.changes ?? []).map((change) => ({
      kind: "service" as const,
      at: change.at,
      row: <Changed key={`change ${change.id}`} change={change} />,
    })),
    ...(payments.data ? paymentEvents(payments.data) : []).map((happening, place) => ({
      kind: "payment" as const,
      at: happening.at,
      row: <Happened key={`payment ${place}`} happening={happening} />,
    })),
    ...(sent.data?.messages ?? []).map((message) => {
      const at = message.sent_at ?? message.queued_at;
      const row = (
        <HistoryRow key={`message ${message.id}`} at={at}>
          <SentMessageLine message={message} />
        </HistoryRow>
      );
      return { kind: "message" as const, at, row };
    }),
    ...ownActsOf(corrections.data).map(({ id, at, changes }) => ({
      kind: "service" as const,
      at,
      row: (
        <HistoryRow key={`correction ${id}`} at={at}>
          <CorrectionLine changes={changes} />
        </HistoryRow>
      ),
    })),
    ...(deliveries.data?.deliveries ?? []).map((delivery) => ({
      kind: "delivery" as const,
      at: delivery.created_at,
      row: <Delivered key={`delivery ${delivery.id}`} delivery={delivery} />,
    })),
  ].toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
  const kinds = KINDS.filter((one) => entries.some((entry) => entry.kind === one));
  const wanted = entries.filter((entry) => kind === "all" || entry.kind === kind);
  return (
    <>
      {isWhole && kinds.length > 1 && (
        <ChoiceBar
          label={t("filter")}
          choices={["all" as const, ...kinds].map((value) => ({
            value,
            label: t(`kind.${value}`),
          }))}
          chosen={kind}
          onChoose={setKind}
          className="mb-3"
        />
      )}
      {history && entries.length === 0 && <p className="text-muted">{t("empty")}</p>}
      <ol className="grid gap-3">
        {wanted.slice(0, isWhole ? wanted.length : SHOWN).map(({ row }) => row)}
      </ol>
      {(!history || deliveries.isLoading || sent.isLoading || corrections.isLoading) && (
        <span aria-busy className={cn("skeleton h-5 w-2/3", history && "mt-3")} />
      )}
      {[deliveries, sent, corrections].map(
        (query, place) =>
          query.error &&
          !query.data && (
            <div key={place} className="mt-3">
              <FailureLine failure={failureOf(query.error)} query={query} />
            </div>
          ),
      )}
      {!isWhole && (
        <Button
          look="quiet"
          className="-mx-3 mt-3 text-wrap"
          // Arriving rows move the button. It is disabled, because a press would be lost, and remounted,
          // because a moved element counts as a layout shift.
          key={String(isArriving)}
          disabled={isArriving}
          onClick={() => setWhole(true)}
        >
          {t(mayReadDeliveries ? "showWhole" : "showMessages")}
        </Button>
      )}
    </>
  );
}

function Happened({ happening: { at, what, payment } }: { happening: PaymentEvent }) {
  const t = useTranslations("subscription.history");
  const format = useFormat();
  const mayReadPayments = usePermission("payments:read");
  const paid = payment && paidAmount(payment);
  return (
    <HistoryRow at={at}>
      <p>
        {payment && mayReadPayments ? (
          <ScopedLink
            href={`/payments?${new URLSearchParams({ q: payment.reference ?? payment.id })}`}
            className="rounded font-medium underline decoration-line-strong underline-offset-2"
          >
            {t(what)}
          </ScopedLink>
        ) : (
          <span className="font-medium">{t(what)}</span>
        )}
        {paid && <span className="tabular-nums"> · {format.toPay(paid)}</span>}
        {payment?.received_delivery_id === null && (
          <span className="text-muted"> · {t("confirmed")}</span>
        )}
        {what === "cameBack" && <span className="text-muted"> · {t("provesNothing")}</span>}
      </p>
    </HistoryRow>
  );
}

function Changed({ change }: { change: SeenChange }) {
  const t = useTranslations("subscription.history");
  const statusLabel = useStatusLabel();
  const { date } = useFormat();
  const day = (at: string | null) => (at === null ? t("nothing") : date(at));
  const { old_status, new_status, old_next_billing, new_next_billing } = change;
  return (
    <HistoryRow at={change.at}>
      {old_status !== new_status && (
        <Difference
          label={t("status")}
          before={statusLabel(old_status)}
          after={statusLabel(new_status)}
        />
      )}
      {old_next_billing !== new_next_billing && (
        <Difference
          label={t("billingDate")}
          before={day(old_next_billing)}
          after={day(new_next_billing)}
        />
      )}
    </HistoryRow>
  );
}

function Delivered({ delivery }: { delivery: DeliveryRow }) {
  const t = useTranslations("subscription.history");
  const { id, event, state, attempts, last_response_code, endpoint_url, created_at } = delivery;
  return (
    <HistoryRow at={created_at}>
      <p>
        <ScopedLink
          href={`/settings/webhooks/deliveries/${id}`}
          className="rounded font-medium underline decoration-line-strong underline-offset-2"
        >
          {t("delivery", { event })}
        </ScopedLink>
        <span className="text-muted">
          {" "}
          ·{" "}
          {t("result", {
            state,
            attempts,
            code: last_response_code === null ? "" : String(last_response_code),
            hasCode: last_response_code === null ? "no" : "yes",
          })}
        </span>
      </p>
      <p className="text-sm break-all text-muted">{endpoint_url}</p>
    </HistoryRow>
  );
}

function HistoryRow({ at, children }: { at: string; children: ReactNode }) {
  const format = useFormat();
  return (
    <li className="grid gap-x-4 sm:grid-cols-[10.5rem_minmax(0,1fr)]">
      <time dateTime={at} className="text-sm text-muted tabular-nums">
        {format.dateTime(at)}
      </time>
      <div className="min-w-0">
        <Suspense fallback={<span aria-busy className="skeleton h-5 w-2/3" />}>
          {children}
        </Suspense>
      </div>
    </li>
  );
}

function HistoryEntry({ act: { at, user_name, what, reason, changes } }: { act: RecordAct }) {
  const t = useTranslations("subscription.history");
  return (
    <HistoryRow at={at}>
      <p>
        <span className="font-medium">{what}</span>
        <span className="text-muted"> · {user_name ?? t("nobody")}</span>
      </p>
      {reason && <p className="text-sm text-muted">{reason}</p>}
      {changes.map(({ label, before, after }) => (
        <Difference key={label} label={label} before={before ?? ""} after={after ?? ""} />
      ))}
    </HistoryRow>
  );
}
