"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Day } from "#components/values/day.tsx";
import {
  FailureNotice,
  fieldText,
  unshownFailure,
  useActionForm,
} from "#components/forms/use-action.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { SubmitButton } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Checkbox, TextField } from "#components/ui/forms/fields.tsx";
import { SPECIFIED_EVENTS } from "#contract/names.ts";
import type { Webhook } from "#contract/webhooks.ts";
import { describeWriteFailure, EXAMPLE_ENDPOINT_URL } from "#lib/webhooks/rules.ts";
import { useWebhookWrites } from "./webhook-writes.tsx";

const FIELDS = new Set(["id", "event", "endpoint_url"]);

/** Changes a webhook by its id, where the service has no list, and shows the response. */
export function EditById() {
  const t = useTranslations();
  const { update } = useWebhookWrites();
  const [answer, setAnswer] = useState<Webhook | null>(null);
  const { form, isPending, failure, error } = useActionForm(update, {
    read: readChange,
    onDone: setAnswer,
  });

  return (
    <Card aria-labelledby="edit-by-id" className="max-w-2xl p-4 sm:p-5">
      <CardTitle id="edit-by-id">{t("webhooks.editById.title")}</CardTitle>
      <p className="mt-1 mb-4 text-muted">{t("webhooks.editById.intro")}</p>
      <form {...form} noValidate>
        <FailureNotice
          failure={unshownFailure(failure, FIELDS)}
          describe={(one) => describeWriteFailure(t, one, "update_by_id")}
        />
        <div className="grid gap-4">
          <TextField
            id="webhook-id"
            name="id"
            label={t("webhooks.editById.id")}
            inputMode="numeric"
            autoComplete="off"
            hint={t("webhooks.editById.idHint")}
            error={error("id")}
          />
          <TextField
            id="webhook-event"
            name="event"
            label={t("webhooks.editById.event")}
            autoComplete="off"
            spellCheck={false}
            list="event-kinds"
            error={error("event")}
          />
          <datalist id="event-kinds">
            {SPECIFIED_EVENTS.map((kind) => (
              <option key={kind} value={kind} />
            ))}
          </datalist>
          <TextField
            id="webhook-url"
            name="endpoint_url"
            label={t("webhooks.editById.address")}
            type="url"
            autoComplete="off"
            spellCheck={false}
            placeholder={EXAMPLE_ENDPOINT_URL}
            error={error("endpoint_url")}
          />
          <Checkbox defaultChecked name="is_active" label={t("webhooks.editById.isActive")} />
        </div>
        <div className="mt-5 flex justify-end">
          <SubmitButton isPending={isPending}>{t("webhooks.editById.submit")}</SubmitButton>
        </div>
      </form>
      {answer && !isPending && !failure && <Answer webhook={answer} />}
    </Card>
  );
}

function readChange(form: HTMLFormElement) {
  const id = fieldText(form, "id").trim();
  return {
    id: /^\d{1,15}$/.test(id) ? Number(id) : -1,
    event: fieldText(form, "event"),
    endpoint_url: fieldText(form, "endpoint_url"),
    is_active: fieldText(form, "is_active") === "on",
  };
}

function Answer({ webhook }: { webhook: Webhook }) {
  const t = useTranslations("webhooks.editById");
  const { id, event, endpoint_url, is_active, created_at } = webhook;
  return (
    <div role="status" className="mt-5 rounded border bg-canvas px-4 py-3 text-sm">
      <p className="mb-2 font-medium">{t("answer")}</p>
      <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[6rem_1fr] [&_dt]:text-muted">
        <dt>{t("id")}</dt>
        <dd>{id}</dd>
        <dt>{t("event")}</dt>
        <dd className="font-mono text-xs">{event || t("notTold")}</dd>
        <dt>{t("address")}</dt>
        <dd className="font-mono text-xs break-all">{endpoint_url || t("notTold")}</dd>
        <dt>{t("state")}</dt>
        <dd>
          <Badge className="border bg-transparent text-ink">
            {t(is_active ? "on" : "paused")}
          </Badge>
        </dd>
        {created_at && (
          <>
            <dt>{t("since")}</dt>
            <dd>
              <Day iso={created_at} />
            </dd>
          </>
        )}
      </dl>
    </div>
  );
}
