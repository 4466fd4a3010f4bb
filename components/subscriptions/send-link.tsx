"use client";

import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ScopedLink } from "#components/layout/scoped-link.tsx";
import { usePermission, useScope, useSeller } from "#components/layout/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { initialFocus } from "#components/ui/dialog.tsx";
import { ShareButton } from "#components/ui/share-button.tsx";
import { TextArea } from "#components/ui/text-area.tsx";
import type { Subscription } from "#contract/subscriptions.ts";
import { internationalDigits } from "#lib/phone.ts";
import { messagesQuery } from "#lib/messages/queries.ts";
import { fillMessage, OUR_MESSAGES, writerFor, type Messages } from "#lib/messages/rules.ts";
import { billingDay } from "#lib/subscriptions/rules.ts";
import { channelsFor, messageFacts, messageKind } from "#lib/messages/channels/rules.ts";

interface SendLinkProps {
  subscription: Subscription;
  link: string;
}

/** A message to look over, and the apps that can carry it. Duebook itself sends nothing. */
export function SendLink(props: SendLinkProps) {
  const query = useQuery({ ...messagesQuery(useScope()), retry: false });
  if (query.isPending) return <span className="skeleton h-80" />;
  return <LinkMessage {...props} messages={query.data ?? null} />;
}

interface LinkMessageProps extends SendLinkProps {
  /** Null when the seller's own could not be read. */
  messages: Messages | null;
}

function LinkMessage({ subscription, link, messages }: LinkMessageProps) {
  const t = useTranslations("record.send");
  const { name: seller, time_zone } = useSeller();
  const mayEdit = usePermission("seller:write");
  const { client, product } = subscription;
  const kind = messageKind(subscription);
  const body = (messages ?? OUR_MESSAGES)[kind];
  const facts = useMessageFacts(subscription, { link, body });
  const [text, setText] = useState(() => fillMessage(body, facts));
  return (
    <div className="grid gap-4">
      <TextArea
        ref={initialFocus}
        id="link-message"
        label={t("label")}
        hint={t("hint")}
        error={text.includes(link) ? undefined : t("noLink")}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {messages === null && <p className="text-xs text-muted">{t("ours")}</p>}
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {channelsFor(
          text,
          { ...client, time_zone },
          writerFor(text).subject(product.name || seller),
        ).map(({ app, href }) => (
          <a
            key={app}
            href={href}
            target="_blank"
            rel="noreferrer"
            className={buttonClass("secondary", "h-9 gap-1! px-1.5!")}
          >
            {t(`app.${app}`)}
            <ExternalLink aria-hidden className="size-3.5 shrink-0 text-muted" />
          </a>
        ))}
      </div>
      <p className="text-xs text-muted">
        {internationalDigits(client.phone, time_zone) === null ? t("appsNoCountry") : t("apps")}
      </p>
      <div className="flex flex-wrap items-center justify-end gap-2">
        {mayEdit && (
          <ScopedLink
            href="/settings/messages"
            className="mr-auto py-1 text-sm text-muted underline underline-offset-2 hover:text-ink"
          >
            {t("changeForAll")}
          </ScopedLink>
        )}
        <ShareButton text={text} />
        <CopyButton text={text} label={t("copy")} look="primary" />
      </div>
    </div>
  );
}

function useMessageFacts(
  subscription: Subscription,
  { link, body }: { link: string; body: string },
) {
  const { name: seller, time_zone, currency: usual, amount_style } = useSeller();
  const { price, currency } = subscription.product;
  const writer = writerFor(body);
  const day = billingDay(subscription, time_zone);
  return messageFacts(writer, subscription, {
    seller,
    link,
    amount: price && writer.money(price, currency || usual, amount_style),
    date: day === null ? "" : writer.date(day),
  });
}
