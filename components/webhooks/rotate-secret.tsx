"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useSellerAction } from "#components/forms/use-action.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog, useDialogHold } from "#components/ui/overlays/dialog.tsx";
import type { Webhook } from "#contract/webhooks.ts";
import { rotateSecretAction } from "#lib/webhooks/actions.ts";
import { describeWriteFailure } from "#lib/webhooks/rules.ts";
import { ShownSecrets } from "./shown-secrets.tsx";
import { WriteFailure } from "./write-failure.tsx";

interface RotateSecretProps {
  webhook: Webhook;
  isOpen: boolean;
  onClose: () => void;
}

export function RotateSecret({ webhook, isOpen, onClose }: RotateSecretProps) {
  const t = useTranslations("webhooks");
  return (
    <Dialog title={t("rotate.title")} isOpen={isOpen} onClose={onClose}>
      <RotateSteps webhook={webhook} onClose={onClose} />
    </Dialog>
  );
}

function RotateSteps({ webhook, onClose }: Omit<RotateSecretProps, "isOpen">) {
  const t = useTranslations();
  const { run, isPending, failure } = useSellerAction(rotateSecretAction);
  useDialogHold(isPending);
  const [secret, setSecret] = useState<{ value: string | null } | null>(null);

  async function rotate() {
    const done = await run({ id: webhook.id });
    if (done) setSecret({ value: done.value.secret });
  }

  if (secret)
    return (
      <ShownSecrets
        secrets={[{ event: webhook.event, secret: secret.value }]}
        lostAdvice={t("webhooks.lost.again")}
        onDone={onClose}
      />
    );
  return (
    <div className="grid gap-4">
      {failure && <WriteFailure {...describeWriteFailure(t, failure, "rotate")} />}
      <p>
        {t.rich("webhooks.rotate.intro", {
          event: webhook.event,
          address: webhook.endpoint_url,
          code: (chunks) => <span className="font-mono text-sm wrap-anywhere">{chunks}</span>,
        })}
      </p>
      <ul className="list-disc space-y-1 pl-5 text-muted">
        <li>{t("webhooks.rotate.both")}</li>
        <li>{t("webhooks.rotate.then")}</li>
        <li>{t("webhooks.rotate.twice")}</li>
      </ul>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t("webhooks.rotate.keep")}</Button>
        <Button look="primary" isPending={isPending} onClick={() => void rotate()}>
          {t("webhooks.rotate.submit")}
        </Button>
      </div>
    </div>
  );
}
