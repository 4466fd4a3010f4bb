"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { StepList, useSteps } from "#components/forms/step-list.tsx";
import { Button } from "#components/ui/button.tsx";
import { TriangleAlert } from "#components/ui/icons.tsx";
import { Dialog, initialFocus, useDialogHold } from "#components/ui/overlays/dialog.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import type { Webhook } from "#contract/webhooks.ts";
import {
  type AddressProblem,
  describeWriteFailure,
  findDuplicateEvents,
  isAddressRefused,
  addressProblemOf,
  webhookSteps,
} from "#lib/webhooks/rules.ts";
import { useScopedAction } from "#components/forms/use-action.tsx";
import { removeWebhookAction } from "#lib/webhooks/actions.ts";
import { useWebhookWrites } from "./webhook-writes.tsx";

interface EditEndpointProps {
  /** The webhooks to change; null while the dialog is closed. */
  webhooks: Webhook[] | null;
  all: Webhook[];
  onClose: () => void;
}

export function EditEndpoint({ webhooks, all, onClose }: EditEndpointProps) {
  const t = useTranslations("webhooks.edit");
  return (
    <Dialog keepsWords title={t("title")} isOpen={webhooks !== null} onClose={onClose}>
      {webhooks && <EditSteps {...{ webhooks, all, onClose }} />}
    </Dialog>
  );
}

/** Changes the webhooks of a URL one by one, because each stores the URL itself. */
function EditSteps({
  webhooks: moved,
  all,
  onClose,
}: EditEndpointProps & { webhooks: Webhook[] }) {
  const t = useTranslations();
  const { update, refresh } = useWebhookWrites();
  const [address, setAddress] = useState(moved[0]?.endpoint_url ?? "");
  const { start, reports, isRunning, isDone } = useSteps<Webhook>(refresh, isAddressRefused);
  const [problem, setProblem] = useState<AddressProblem | null>(null);
  const doubled = findDuplicateEvents(address.trim(), moved, all);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const endpoint_url = address.trim();
    const found = addressProblemOf(endpoint_url);
    setProblem(found);
    if (found) return;
    start(webhookSteps(moved, (webhook) => update({ ...webhook, endpoint_url })));
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-4">
      <TextField
        id="new-endpoint-url"
        ref={initialFocus}
        label={t("webhooks.edit.address")}
        type="url"
        autoComplete="off"
        spellCheck={false}
        value={address}
        onChange={(event) => setAddress(event.target.value)}
        error={problem ? t(`webhooks.problem.${problem}`) : undefined}
        hint={t("webhooks.edit.hint", { count: moved.length })}
      />
      {doubled.length > 0 && reports.length === 0 && (
        <Notice look="warning" icon={TriangleAlert}>
          {t("webhooks.edit.doubled", { events: doubled.join(", ") })}
        </Notice>
      )}
      {reports.length > 0 && (
        <StepList
          label={t("webhooks.add.steps")}
          steps={reports}
          describe={(failure) => describeWriteFailure(t, failure, "update")}
        >
          {({ endpoint_url }) =>
            t.rich("webhooks.edit.now", {
              address: endpoint_url,
              code: (chunks) => <span className="font-mono text-xs break-all">{chunks}</span>,
            })
          }
        </StepList>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>
          {t(reports.length > 0 ? "webhooks.add.close" : "webhooks.add.cancel")}
        </Button>
        {!isDone && (
          <Button
            type="submit"
            look="primary"
            isPending={isRunning}
            disabled={address.trim() === "" || address.trim() === moved[0]?.endpoint_url}
          >
            {t("webhooks.edit.submit")}
          </Button>
        )}
      </div>
    </form>
  );
}

interface RemoveEndpointProps {
  /** The webhooks to remove; null while the dialog is closed. */
  webhooks: Webhook[] | null;
  onClose: () => void;
}

export function RemoveEndpoint({ webhooks, onClose }: RemoveEndpointProps) {
  const t = useTranslations("webhooks.remove");
  return (
    <Dialog title={t("title")} isOpen={webhooks !== null} onClose={onClose}>
      {webhooks && <RemoveSteps {...{ webhooks, onClose }} />}
    </Dialog>
  );
}

/** Removes webhooks by one call for each, and shows each result. */
function RemoveSteps({ webhooks, onClose }: RemoveEndpointProps & { webhooks: Webhook[] }) {
  const t = useTranslations();
  const remove = useScopedAction(removeWebhookAction);
  const { refresh } = useWebhookWrites();
  const { start, reports, isRunning, isDone, hasBegun } = useSteps<null>(refresh);
  useDialogHold(isRunning);
  return (
    <div className="grid gap-4">
      <p className="font-mono text-sm wrap-anywhere">{webhooks[0]?.endpoint_url}</p>
      <p className="text-muted">{t("webhooks.remove.text", { count: webhooks.length })}</p>
      {hasBegun && (
        <StepList
          label={t("webhooks.card.steps")}
          steps={reports}
          describe={(failure) => describeWriteFailure(t, failure, "update")}
        />
      )}
      <div className="flex justify-end gap-2">
        <Button disabled={isRunning} onClick={onClose}>
          {t(hasBegun ? "webhooks.add.close" : "webhooks.remove.keep")}
        </Button>
        {!isDone && (
          <Button
            look="danger"
            isPending={isRunning}
            onClick={() => start(webhookSteps(webhooks, remove))}
          >
            {t("webhooks.remove.submit")}
          </Button>
        )}
      </div>
    </div>
  );
}
