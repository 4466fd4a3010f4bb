"use client";

import { useTranslations } from "next-intl";
import { usePermission } from "#components/context/seller-context.tsx";
import { ChevronRight, CircleAlert, TriangleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { EndpointNotice } from "#contract/deliveries.ts";
import type { Webhook } from "#contract/webhooks.ts";
import {
  describeEvent,
  describeWriteFailure,
  noticeFor,
  type WebhookEventRow,
  type WebhookWrite,
} from "#lib/webhooks/rules.ts";
import { type ActionResult, useAction } from "#components/forms/use-action.tsx";
import { Switch } from "#components/ui/forms/switch.tsx";
import { EndpointDetails } from "./endpoint-details.tsx";
import type { ShownSecret } from "./shown-secrets.tsx";
import { useWebhookWrites } from "./webhook-writes.tsx";

interface EventRowProps {
  row: WebhookEventRow;
  endpoint_url: string;
  /** The service's notices about endpoints; null if it does not offer any. */
  notices: EndpointNotice[] | null;
  onRegistered: (secret: ShownSecret) => void;
}

export function EventRow({ row, endpoint_url, notices, onRegistered }: EventRowProps) {
  const t = useTranslations("webhooks");
  const { event, webhooks } = row;
  return (
    <li className="px-4 py-2 sm:px-5">
      {webhooks.length > 1 && (
        <Notice look="warning" icon={TriangleAlert} className="my-2">
          {t("row.doubled", { event, count: webhooks.length })}
        </Notice>
      )}
      {webhooks.length === 0 ? (
        <MissingEndpoint {...{ event, endpoint_url, onRegistered }} />
      ) : (
        webhooks.map((webhook) => (
          <RegisteredEndpoint
            key={webhook.id}
            webhook={webhook}
            isDouble={webhooks.length > 1}
            notices={notices}
          />
        ))
      )}
    </li>
  );
}

function MissingEndpoint({
  event,
  endpoint_url,
  onRegistered,
}: Pick<EventRowProps, "endpoint_url" | "onRegistered"> & { event: string }) {
  const { create, settled } = useWebhookWrites();
  const isAllowed = usePermission("webhooks:write");

  async function register() {
    const result = await settled(create({ event, endpoint_url }));
    if (result.ok && result.value.is_new) onRegistered({ event, secret: result.value.secret });
    return result;
  }

  return (
    <div className="flex flex-wrap items-start gap-x-3">
      <div className="min-w-0 flex-1 py-1 pl-6">
        <EventName event={event} />
      </div>
      <EventSwitch
        label={event}
        isOn={false}
        write="create"
        isAllowed={isAllowed}
        onSwitch={register}
      />
    </div>
  );
}

interface RegisteredEndpointProps {
  webhook: Webhook;
  isDouble: boolean;
  notices: EndpointNotice[] | null;
}

function RegisteredEndpoint({ webhook, isDouble, notices }: RegisteredEndpointProps) {
  const t = useTranslations("webhooks");
  const { update, settled } = useWebhookWrites();
  const isAllowed = usePermission("webhooks:write");
  const { id, event, is_active } = webhook;
  const notice = noticeFor(webhook, notices);
  return (
    <div className="flex flex-wrap items-start gap-x-3">
      <details className="group min-w-0 flex-1">
        <summary className="flex cursor-pointer list-none items-start gap-2 rounded py-1 [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden
            className="mt-0.5 size-4 shrink-0 text-muted transition-transform group-open:rotate-90"
          />
          <EventName event={event} number={isDouble ? id : undefined} />
        </summary>
        <EndpointDetails webhook={webhook} hasTools={notices !== null} />
      </details>
      <EventSwitch
        label={isDouble ? t("row.oneOf", { event, id: String(id) }) : event}
        isOn={is_active}
        write="update"
        isAllowed={isAllowed}
        onSwitch={(on) => settled(update({ ...webhook, is_active: on }))}
      />
      {notice && (
        <Notice look="warning" icon={TriangleAlert} className="mb-2 basis-full">
          {notice.message}
        </Notice>
      )}
    </div>
  );
}

function EventName({ event, number }: { event: string; number?: number | undefined }) {
  const t = useTranslations("webhooks");
  return (
    <span className="block min-w-0">
      <span className="block font-mono text-sm font-medium break-words">
        {event || t("row.noEvent")}
        {number !== undefined && <span className="font-normal text-muted"> · {number}</span>}
      </span>
      <span className="block text-sm text-muted">{describeEvent(t, event)}</span>
    </span>
  );
}

interface EventSwitchProps {
  label: string;
  isOn: boolean;
  write: WebhookWrite;
  isAllowed: boolean;
  /**
   * Switches the event. Resolves after the list was read again, so that the switch shows the saved
   * state.
   */
  onSwitch: (isOn: boolean) => Promise<ActionResult<unknown>>;
}

/** The switch of an event; a failure is shown below it until the next attempt. */
function EventSwitch({ label, isOn, write, isAllowed, onSwitch }: EventSwitchProps) {
  const t = useTranslations();
  const { run, isPending, failure } = useAction(onSwitch);
  const words = failure && describeWriteFailure(t, failure, write);
  return (
    <>
      <Switch
        label={label}
        isOn={isOn}
        isPending={isPending}
        disabled={!isAllowed}
        onSwitch={(on) => void run(on)}
      />
      {words && (
        <p
          role="alert"
          className="flex basis-full items-start gap-1.5 pb-2 text-sm text-danger"
        >
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>
            {words.title} {words.advice}{" "}
            <button
              type="button"
              disabled={isPending}
              onClick={() => void run(!isOn)}
              className="rounded font-medium underline"
            >
              {t("webhooks.row.tryAgain")}
            </button>
          </span>
        </p>
      )}
    </>
  );
}
