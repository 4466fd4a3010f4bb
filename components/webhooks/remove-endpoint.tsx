"use client";

import { useTranslations } from "next-intl";
import { StepList } from "#components/forms/step-list.tsx";
import { useScopedAction } from "#components/forms/use-action.ts";
import { useSteps } from "#components/forms/use-steps.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog, useDialogHold } from "#components/ui/overlays/dialog.tsx";
import type { Webhook } from "#contract/webhooks.ts";
import { removeWebhookAction } from "#lib/webhooks/actions.ts";
import { describeWriteFailure } from "#lib/webhooks/rules.ts";
import { useWebhookWrites } from "./use-webhook-writes.ts";

interface RemoveEndpointProps {
  /** Null while none is being removed. */
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

interface RemoveStepsProps extends RemoveEndpointProps {
  webhooks: Webhook[];
}

/** One call for each webhook, with its own result. */
function RemoveSteps({ webhooks, onClose }: RemoveStepsProps) {
  const t = useTranslations();
  const remove = useScopedAction(removeWebhookAction);
  const { refresh } = useWebhookWrites();
  const { start, reports, isRunning, isDone, hasBegun } = useSteps<null>(refresh);
  useDialogHold(isRunning);
  const begin = () =>
    start(
      webhooks.map(({ id, event, endpoint_url }) => ({
        key: String(id),
        label: `${event} (${id})`,
        run: () => remove({ id, event, endpoint_url }),
      })),
    );
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
          <Button look="danger" isPending={isRunning} onClick={begin}>
            {t("webhooks.remove.submit")}
          </Button>
        )}
      </div>
    </div>
  );
}
