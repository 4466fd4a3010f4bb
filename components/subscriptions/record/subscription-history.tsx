"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState, type ReactNode } from "react";
import { FailureLine } from "#components/forms/failure-panel.tsx";
import {
  ScopedLink,
  useFormat,
  usePermission,
  useScope,
} from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { historyQuery, type AuditEvent } from "#lib/audit-log/queries.ts";
import { auditChangesOf, describeAuditEvent, describeReason } from "#lib/audit-log/rules.ts";
import { failureOf } from "#lib/failure.ts";
import { subscriptionPaymentsQuery } from "#lib/payments/queries.ts";
import { paymentEvents, paidAmount, type PaymentEvent } from "#lib/payments/rules.ts";

export function SubscriptionHistory({ subscription_id }: { subscription_id: string }) {
  const t = useTranslations("subscription.history");
  const query = useQuery(historyQuery(useScope(), subscription_id));
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
          <Acts acts={query.data} subscription_id={subscription_id} />
        )}
      </div>
    </Card>
  );
}

const SHOWN = 5;

interface ActsProps {
  acts: AuditEvent[] | undefined;
  subscription_id: string;
}

function Acts({ acts, subscription_id }: ActsProps) {
  const t = useTranslations("subscription.history");
  const format = useFormat();
  const [isWhole, setWhole] = useState(false);
  // This is the same query as the payment card's, so it sends no second request.
  const { data } = useQuery(subscriptionPaymentsQuery(useScope(), subscription_id));
  if (acts === undefined) return <span aria-busy className="skeleton h-5 w-2/3" />;
  const all = [
    ...acts.map((act) => ({ at: act.at, row: <HistoryEntry key={act.id} act={act} /> })),
    ...(data ? paymentEvents(data) : []).map((happening, place) => ({
      at: happening.at,
      row: <Happened key={`h${place}`} happening={happening} />,
    })),
  ].toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
  if (all.length === 0) return <p className="text-muted">{t("empty")}</p>;
  return (
    <>
      <ol className="grid gap-3">
        {all.slice(0, isWhole ? all.length : SHOWN).map(({ row }) => row)}
      </ol>
      {!isWhole && all.length > SHOWN && (
        <Button look="quiet" className="mt-3 -ml-3" onClick={() => setWhole(true)}>
          {t("showAll", { count: format.count(all.length) })}
        </Button>
      )}
    </>
  );
}

function Happened({ happening: { at, what, payment } }: { happening: PaymentEvent }) {
  const t = useTranslations("subscription.history");
  const format = useFormat();
  const paid = payment && paidAmount(payment);
  return (
    <HistoryRow at={at}>
      <p>
        <span className="font-medium">{t(what)}</span>
        {paid && <span className="tabular-nums"> · {format.toPay(paid)}</span>}
        {payment?.received_delivery_id === null && (
          <span className="text-muted"> · {t("confirmed")}</span>
        )}
        {what === "cameBack" && <span className="text-muted"> · {t("provesNothing")}</span>}
      </p>
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
      <div className="min-w-0">{children}</div>
    </li>
  );
}

function HistoryEntry({ act }: { act: AuditEvent }) {
  const t = useTranslations("subscription.history");
  const tOfActs = useTranslations("audit");
  const reason = describeReason(tOfActs, act);
  const { date } = useFormat();
  const changes = auditChangesOf(tOfActs, act.detail, date).filter(
    ({ before }) => before !== undefined,
  );
  return (
    <HistoryRow at={act.at}>
      <p>
        <span className="font-medium">{describeAuditEvent(tOfActs, act)}</span>
        <span className="text-muted"> · {act.user_name ?? t("nobody")}</span>
      </p>
      {reason && <p className="text-sm text-muted">{reason}</p>}
      {changes.map(({ label, before, after }) => (
        <p key={label} className="text-sm text-muted">
          {t.rich("change", {
            label,
            before: before || t("nothing"),
            after: after || t("nothing"),
            del: (words) => <del>{words}</del>,
            arrow: () => <span aria-hidden>→</span>,
            ins: (words) => <ins className="text-ink no-underline">{words}</ins>,
          })}
        </p>
      ))}
    </HistoryRow>
  );
}
