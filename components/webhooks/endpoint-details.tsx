"use client";

import { KeyRound, ListChecks, Send } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Day } from "#components/values/day.tsx";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { usePermission } from "#components/context/seller-context.tsx";
import { useSellerAction } from "#components/forms/use-action.ts";
import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import type { Webhook } from "#contract/webhooks.ts";
import { EVENT_KINDS } from "#contract/events.ts";
import { sendExampleAction } from "#lib/deliveries/actions.ts";
import { describeWriteFailure } from "#lib/webhooks/rules.ts";
import { RotateSecret } from "./rotate-secret.tsx";

interface EndpointDetailsProps {
  webhook: Webhook;
  /** The service can send examples, rotate secrets and list deliveries. */
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
      <RotateSecret webhook={webhook} isOpen={isRotating} onClose={() => setRotating(false)} />
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
