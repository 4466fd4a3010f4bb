"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { usePermission } from "#components/context/seller-context.tsx";
import { StepList, useSteps } from "#components/forms/step-list.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { CirclePause, CirclePlay } from "#components/ui/icons.tsx";
import type { Webhook } from "#contract/webhooks.ts";
import type { WebhookList } from "#lib/webhooks/queries.ts";
import {
  countActiveEvents,
  describeWriteFailure,
  webhookSteps,
  webhooksOf,
  type Endpoint,
} from "#lib/webhooks/rules.ts";
import { EventRow } from "./event-row.tsx";
import type { ShownSecret } from "./shown-secrets.tsx";
import { useWebhookWrites } from "./webhook-writes.tsx";

interface EndpointCardProps {
  endpoint: Endpoint;
  list: WebhookList;
  onRegistered: (secret: ShownSecret) => void;
  /** Opens the dialog outside the card, since the card disappears with its URL. */
  onChange: (webhooks: Webhook[]) => void;
  onRemove: (webhooks: Webhook[]) => void;
}

export function EndpointCard({
  endpoint,
  list,
  onRegistered,
  onChange,
  onRemove,
}: EndpointCardProps) {
  const t = useTranslations();
  const { endpoint_url, events } = endpoint;
  const titleId = useId();
  const mayWrite = usePermission("webhooks:write");
  const switching = useSwitchAll(webhooksOf(endpoint));
  return (
    <Card aria-labelledby={titleId} className="overflow-hidden">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-b px-4 py-3 sm:px-5">
        <div className="min-w-0 flex-1 basis-64">
          <h2 id={titleId} className="font-mono text-sm font-medium break-all">
            {endpoint_url || t("webhooks.card.noAddress")}
          </h2>
          <StateBadge on={countActiveEvents(endpoint)} of={events.length} />
        </div>
        {mayWrite && (
          <div className="flex flex-wrap gap-2">
            <Button isPending={switching.isRunning} onClick={switching.start}>
              {t(switching.isPausing ? "webhooks.card.pauseAll" : "webhooks.card.switchAllOn")}
            </Button>
            <Button aria-haspopup="dialog" onClick={() => onChange(webhooksOf(endpoint))}>
              {t("webhooks.card.change")}
            </Button>
            <Button aria-haspopup="dialog" onClick={() => onRemove(webhooksOf(endpoint))}>
              {t("webhooks.card.remove")}
            </Button>
          </div>
        )}
      </div>
      {switching.reports.length > 0 && !switching.isDone && (
        <div className="border-b bg-canvas px-4 py-3 sm:px-5">
          <StepList
            label={t("webhooks.card.steps")}
            steps={switching.reports}
            describe={(failure) => describeWriteFailure(t, failure, "update")}
          />
        </div>
      )}
      <ul aria-label={t("webhooks.card.events")} className="divide-y">
        {events.map((row) => (
          <EventRow
            key={row.event}
            {...{ row, endpoint_url, onRegistered }}
            notices={list.notices}
          />
        ))}
      </ul>
    </Card>
  );
}

function StateBadge({ on, of: count }: { on: number; of: number }) {
  const t = useTranslations("webhooks.card");
  if (on === 0)
    return (
      <div className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge icon={CirclePause} tone="inactive">
          {t("paused")}
        </Badge>
        <span className="text-sm text-muted">{t("nothingSent")}</span>
      </div>
    );
  return (
    <Badge icon={CirclePlay} tone="active" className="mt-1">
      {t("on", { on, count })}
    </Badge>
  );
}

/** Switches webhooks by one call for each, and reports each result. */
function useSwitchAll(webhooks: Webhook[]) {
  const { update, refresh } = useWebhookWrites();
  const steps = useSteps<Webhook>(refresh);
  const isPausing = webhooks.some(({ is_active }) => is_active);
  const switched = webhooks.filter(({ is_active }) => is_active === isPausing);
  const start = () =>
    steps.start(
      webhookSteps(switched, (webhook) => update({ ...webhook, is_active: !isPausing })),
    );
  return { ...steps, start, isPausing };
}
