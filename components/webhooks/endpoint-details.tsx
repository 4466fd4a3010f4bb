"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { KeyRound, ListChecks, Send } from "#components/ui/icons.tsx";
import { Day } from "#components/values/day.tsx";
import { ScopedLink, usePermission } from "#components/context/seller-context.tsx";
import { FailureNotice, useSellerAction } from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import type { Webhook } from "#contract/webhooks.ts";
import { EVENT_KINDS } from "#contract/names.ts";
import { sendExampleAction } from "#lib/deliveries/actions.ts";
import { describeWriteFailure } from "#lib/webhooks/rules.ts";
import { Dialog, useDialogHold } from "#components/ui/overlays/dialog.tsx";
import { rotateSecretAction } from "#lib/webhooks/actions.ts";
import { ShownSecrets } from "./shown-secrets.tsx";

interface EndpointDetailsProps {
  webhook: Webhook;
  /** Whether the service can send examples, rotate secrets and list deliveries. */
  hasTools: boolean;
}

export function EndpointDetails({ webhook, hasTools }: EndpointDetailsProps) {
  const t = useTranslations("webhooks");
  const { id, event, created_at } = webhook;
  const mayWrite = usePermission("webhooks:write");
  const [isRotating, setRotating] = useState(false);
  const isKnown = (EVENT_KINDS as readonly string[]).includes(event);
  return (
    <div className="grid gap-3 py-2 pl-6">
      <p className="text-sm text-muted">
        {created_at
          ? t.rich("row.registrationSince", {
              id: String(id),
              day: () => <Day iso={created_at} />,
            })
          : t("row.registration", { id: String(id) })}
      </p>
      {hasTools && (
        <div className="flex flex-wrap items-center gap-2">
          {mayWrite && isKnown && <SendExample webhook={webhook} />}
          {mayWrite && (
            <Button aria-haspopup="dialog" onClick={() => setRotating(true)}>
              <KeyRound aria-hidden className="size-4" />
              {t("row.rotate")}
            </Button>
          )}
          <ScopedLink
            href={`/settings/webhooks/deliveries?webhook=${id}`}
            className={buttonClass()}
          >
            <ListChecks aria-hidden className="size-4" />
            {t("deliveries")}
          </ScopedLink>
        </div>
      )}
      <Dialog title={t("rotate.title")} isOpen={isRotating} onClose={() => setRotating(false)}>
        <RotateSteps webhook={webhook} onClose={() => setRotating(false)} />
      </Dialog>
    </div>
  );
}

/** Sends a real delivery with made-up content, and links to it. */
function SendExample({ webhook }: { webhook: Webhook }) {
  const t = useTranslations();
  const { run, isPending, failure } = useSellerAction(sendExampleAction);
  const [sent, setSent] = useState<number | null>(null);
  const words = failure && describeWriteFailure(t, failure, "tool");

  async function send() {
    setSent(null);
    const done = await run({ webhook_id: webhook.id, event: webhook.event });
    if (done) setSent(done.value.delivery_id);
  }

  return (
    <>
      <Button isPending={isPending} onClick={() => void send()}>
        {!isPending && <Send aria-hidden className="size-4" />}
        {t("webhooks.row.example")}
      </Button>
      <p role="status" className="text-sm text-muted empty:sr-only max-sm:order-last">
        {sent !== null &&
          t.rich("webhooks.row.sent", {
            link: (chunks) => (
              <ScopedLink
                href={`/settings/webhooks/deliveries/${sent}`}
                className="rounded font-medium text-accent underline underline-offset-2"
              >
                {chunks}
              </ScopedLink>
            ),
          })}
        {words && `${words.title} ${words.advice}`}
      </p>
    </>
  );
}

function RotateSteps({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
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
    <>
      <FailureNotice
        failure={failure}
        describe={(one) => describeWriteFailure(t, one, "rotate")}
      />
      <div className="grid gap-4">
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
    </>
  );
}
