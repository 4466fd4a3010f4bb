"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useParams } from "next/navigation";
import { StaleNotice, useVisibleFailure } from "#components/list/query-state.tsx";
import { RawJsonButton } from "#components/list/raw-json.tsx";
import { BackLink } from "#components/list/links.tsx";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { CircleAlert, Info, ShieldQuestionMark, TriangleAlert } from "#components/ui/icons.tsx";
import { Moment } from "#components/values/day.tsx";
import { ScopedLink, useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { DetailRow } from "#components/ui/detail-row.tsx";
import { Notice, StatePanel } from "#components/ui/notice.tsx";
import type { Delivery } from "#contract/deliveries.ts";
import type { Failure } from "#lib/failure.ts";
import { examinePath } from "#lib/deliveries/search.ts";
import { deliveryQuery } from "#lib/deliveries/queries.ts";
import {
  diagnoseDelivery,
  isExample,
  isDeliveryUnderWay,
  prettyBody,
} from "#lib/deliveries/rules.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { DeliveryAttempt } from "./delivery-attempt.tsx";
import { DeliveryStateBadge } from "./delivery-state-badge.tsx";
import { ResendButton } from "./resend.tsx";

const SOON_MS = 2_000;
const LATER_MS = 15_000;
const ID_HEADER = "webhook-id";

/** @param failure why the server could not read the delivery */
export function DeliveryRecord({ failure }: { failure: Failure | null }) {
  const t = useTranslations("deliveries");
  const { id } = useParams<{ id: string }>();
  const query = useQuery({
    ...deliveryQuery(useScope(), id),
    refetchInterval: (asked) => refetchEvery(pauseFor(asked.state.data))(asked),
  });
  const visibleFailure = useVisibleFailure(query, failure);
  return (
    <>
      <BackLink href="/settings/webhooks/deliveries">{t("title")}</BackLink>
      <StaleNotice query={query} />
      {visibleFailure?.kind === "not_found" && <Missing />}
      {visibleFailure && visibleFailure.kind !== "not_found" && (
        <FailurePanel failure={visibleFailure} query={query} />
      )}
      {!visibleFailure && <RecordView delivery={query.data} />}
    </>
  );
}

function pauseFor(delivery: Delivery | undefined): number | false {
  if (delivery?.state !== "pending") return false;
  return isDeliveryUnderWay(delivery) ? SOON_MS : LATER_MS;
}

/** The record during server rendering: what the cache holds, or its outline. */
export function DeliveryRecordSkeleton() {
  const t = useTranslations("deliveries");
  const { id } = useParams<{ id: string }>();
  const delivery = useQueryClient().getQueryData(deliveryQuery(useScope(), id).queryKey);
  return (
    <>
      <BackLink href="/settings/webhooks/deliveries">{t("title")}</BackLink>
      {/* The page replaces this render, so the result of a click would be lost. */}
      <div inert>
        <RecordView delivery={delivery} />
      </div>
    </>
  );
}

function RecordView({ delivery }: { delivery: Delivery | undefined }) {
  const t = useTranslations("deliveries");
  if (!delivery)
    return (
      <div aria-busy className="grid gap-4">
        <span className="skeleton h-8 w-72" />
        <span className="skeleton h-14" />
        <span className="skeleton h-64 rounded-md" />
      </div>
    );
  const { id, event, state, body, attempt_list } = delivery;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="font-mono text-lg font-semibold">{event}</h2>
          <DeliveryStateBadge state={state} />
        </div>
        <div className="flex flex-wrap items-start gap-2">
          {attempt_list.length > 0 && (
            <ScopedLink href={examinePath({ delivery: String(id) })} className={buttonClass()}>
              <ShieldQuestionMark aria-hidden className="size-4" />
              {t("record.examine")}
            </ScopedLink>
          )}
          <ResendButton id={id} />
          <RawJsonButton kind="delivery" id={id} />
        </div>
      </div>
      <DiagnosisNotice delivery={delivery} />
      <Facts delivery={delivery} />
      <Card aria-labelledby="attempts" className="overflow-hidden">
        <div className="border-b px-4 py-3">
          <CardTitle id="attempts">{t("record.attempts")}</CardTitle>
        </div>
        {attempt_list.length === 0 ? (
          <p className="px-4 py-3 text-muted">{t("record.noAttempts")}</p>
        ) : (
          <ol aria-label={t("record.attempts")} className="divide-y">
            {attempt_list.toReversed().map((attempt, at) => (
              <DeliveryAttempt
                key={attempt_list.length - at}
                delivery={id}
                attempt={attempt}
                number={attempt_list.length - at}
                isOpen={at === 0}
              />
            ))}
          </ol>
        )}
      </Card>
      <Card aria-labelledby="body" className="grid min-w-0 gap-3 p-4">
        <CardTitle id="body">{t("record.body")}</CardTitle>
        <CodeBlock text={prettyBody(body)} copyLabel={t("record.copyBody")} />
      </Card>
    </div>
  );
}

const ICONS = { info: Info, warning: TriangleAlert, danger: CircleAlert };

function DiagnosisNotice({ delivery }: { delivery: Delivery }) {
  const t = useTranslations("deliveries");
  const { look, title, advice } = diagnoseDelivery(t, delivery);
  const { state, next_attempt_at } = delivery;
  return (
    <Notice look={look} icon={ICONS[look]} role="status" aria-label={t("record.whatHappened")}>
      <p className="font-medium">{title}</p>
      <p>{advice}</p>
      {state === "pending" && next_attempt_at && (
        <p>{t.rich("record.next", { moment: () => <Moment iso={next_attempt_at} /> })}</p>
      )}
    </Notice>
  );
}

function Facts({ delivery }: { delivery: Delivery }) {
  const t = useTranslations("deliveries");
  const { event_id, webhook_id, endpoint_url, subscription_id, created_at, body } = delivery;
  return (
    <Card className="p-4">
      <dl className="grid gap-2">
        <DetailRow label={t("record.address")}>
          <span className="font-mono text-sm break-all">{endpoint_url}</span>
        </DetailRow>
        <DetailRow label={t("record.registration")}>{webhook_id}</DetailRow>
        <DetailRow label={t("record.happened")}>
          <Moment iso={created_at} />
        </DetailRow>
        <DetailRow label={t("record.subscription")}>
          {isExample(body) ? (
            <span className="text-muted">{t("record.example")}</span>
          ) : (
            <ScopedLink
              href={`/subscriptions/${encodeURIComponent(subscription_id)}`}
              className="font-mono text-sm break-all text-accent underline underline-offset-2"
            >
              {subscription_id}
            </ScopedLink>
          )}
        </DetailRow>
        <DetailRow label={ID_HEADER}>
          <span className="font-mono text-sm break-all">{event_id}</span>
          <span className="block text-xs text-muted">{t("record.sameId")}</span>
        </DetailRow>
      </dl>
    </Card>
  );
}

function Missing() {
  const t = useTranslations("deliveries");
  return (
    <StatePanel
      role="alert"
      icon={Info}
      title={t("missing.title")}
      text={t("missing.text")}
      action={
        <ScopedLink href="/settings/webhooks/deliveries" className={buttonClass()}>
          {t("seeAll")}
        </ScopedLink>
      }
    />
  );
}
