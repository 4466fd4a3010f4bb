"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { usePermission, useScope, useSeller } from "#components/context/seller-context.tsx";
import { fieldText, useScopedAction, useSellerAction } from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { History, RotateCw } from "#components/ui/icons.tsx";
import { recoverDeliveriesAction, resendDeliveryAction } from "#lib/deliveries/actions.ts";
import { deliveriesKey } from "#lib/deliveries/queries.ts";
import {
  describeWriteFailure,
  groupByAddress,
  webhookSteps,
  webhooksOf,
} from "#lib/webhooks/rules.ts";
import { StepList, useSteps } from "#components/forms/step-list.tsx";
import { DialogButton } from "#components/ui/overlays/dialog.tsx";
import { SelectField, TextField } from "#components/ui/forms/fields.tsx";
import type { RecoveredDeliveries } from "#contract/deliveries.ts";
import { calendarDay, formatTime } from "#lib/format/format.ts";
import { webhooksQuery } from "#lib/webhooks/queries.ts";
import { recoverAll } from "./recover-all.ts";

/** A button that sends the same id and body again; receivers that store ids ignore the copy. */
export function ResendButton({ id }: { id: number }) {
  const t = useTranslations();
  const scope = useScope();
  const queryClient = useQueryClient();
  const { run, isPending, failure } = useSellerAction(resendDeliveryAction);
  const [isSent, setSent] = useState(false);
  const words = failure && describeWriteFailure(t, failure, "tool");
  if (!usePermission("webhooks:write")) return null;

  async function resend() {
    setSent(false);
    const done = await run({ id });
    setSent(done !== null);
    await queryClient.invalidateQueries({ queryKey: deliveriesKey(scope) });
  }

  return (
    <div className="flex flex-wrap items-center gap-2">
      <p role="status" className="text-sm text-muted empty:sr-only">
        {isSent && t("deliveries.resend.sent")}
        {words && `${words.title} ${words.advice}`}
      </p>
      <Button isPending={isPending} onClick={() => void resend()}>
        {!isPending && <RotateCw aria-hidden className="size-4" />}
        {t("deliveries.resend.resend")}
      </Button>
    </div>
  );
}

/** @param webhook the preselected webhook */
export function RecoverButton({ webhook }: { webhook: number | null }) {
  const t = useTranslations("deliveries.recover");
  const mayWrite = usePermission("webhooks:write");
  if (!mayWrite) return null;
  return (
    <DialogButton icon={History} label={t("recover")} title={t("title")}>
      {(close) => <RecoverForm webhook={webhook} onClose={close} />}
    </DialogButton>
  );
}

const HOUR_MS = 3_600_000;
const SPANS = [
  ["hour", HOUR_MS],
  ["day", 24 * HOUR_MS],
  ["week", 7 * 24 * HOUR_MS],
] as const;

function RecoverForm({ webhook, onClose }: { webhook: number | null; onClose: () => void }) {
  const t = useTranslations();
  const scope = useScope();
  const queryClient = useQueryClient();
  const { data } = useQuery(webhooksQuery(scope));
  const recover = useScopedAction(recoverDeliveriesAction);
  const { start, reports, isRunning, isDone } = useSteps<RecoveredDeliveries>(() =>
    queryClient.invalidateQueries({ queryKey: deliveriesKey(scope) }),
  );
  const { since, setSince, sinceBefore, time_zone } = useSince();
  const hasLeft = useHasLeft();
  const endpoints = groupByAddress(data?.webhooks ?? []);
  const chosen = endpoints.find((one) => webhooksOf(one).some(({ id }) => id === webhook));

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const url = fieldText(event.currentTarget, "endpoint_url");
    const endpoint = endpoints.find(({ endpoint_url }) => endpoint_url === url);
    start(
      webhookSteps(endpoint ? webhooksOf(endpoint) : [], ({ id }, tell) =>
        recoverAll(() => recover({ webhook_id: id, since }), tell, hasLeft),
      ),
    );
  }

  return (
    <form method="post" onSubmit={submit} className="grid gap-4">
      <p className="text-muted">{t("deliveries.recover.intro")}</p>
      <SelectField
        key={endpoints.length}
        id="recover-endpoint"
        name="endpoint_url"
        label={t("deliveries.recover.address")}
        defaultValue={chosen?.endpoint_url}
        hint={endpoints.length === 0 ? t("deliveries.recover.noAddress") : undefined}
      >
        {endpoints.map(({ endpoint_url }) => (
          <option key={endpoint_url}>{endpoint_url}</option>
        ))}
      </SelectField>
      <div>
        <TextField
          id="recover-since"
          label={t("deliveries.recover.since")}
          type="datetime-local"
          required
          value={since}
          onChange={(event) => setSince(event.target.value)}
          hint={t("deliveries.recover.zone", { zone: time_zone })}
        />
        <div className="mt-2 flex flex-wrap gap-2">
          {SPANS.map(([name, span]) => (
            <Button key={name} onClick={() => setSince(sinceBefore(span))}>
              {t(`deliveries.recover.ago.${name}`)}
            </Button>
          ))}
        </div>
      </div>
      {reports.length > 0 && (
        <StepList
          label={t("deliveries.recover.steps")}
          steps={reports}
          describe={(failure) => describeWriteFailure(t, failure, "tool")}
        >
          {({ recovered: count, left }, state) =>
            left === 0
              ? t("deliveries.recover.recovered", { count })
              : t(`deliveries.recover.${state === "running" ? "going" : "stopped"}`, {
                  count,
                  left,
                })
          }
        </StepList>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>
          {t(isDone ? "deliveries.recover.done" : "deliveries.recover.cancel")}
        </Button>
        <Button
          type="submit"
          look="primary"
          isPending={isRunning}
          disabled={endpoints.length === 0 || since === ""}
        >
          {t("deliveries.recover.submit")}
        </Button>
      </div>
    </form>
  );
}

/** Whether the user has closed the form, after which no webhook gets another call. */
function useHasLeft(): () => boolean {
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return () => !isOpen.current;
}

/**
 * The start of an outage: a local time in the seller's zone, as a datetime-local field writes it.
 */
function useSince() {
  const { now, time_zone } = useSeller();
  const sinceBefore = (span: number) => {
    const iso = new Date(Date.parse(now) - span).toISOString();
    return `${calendarDay(iso, time_zone)}T${formatTime(iso, time_zone)}`;
  };
  const [since, setSince] = useState(() => sinceBefore(24 * HOUR_MS));
  return { since, setSince, sinceBefore, time_zone };
}
