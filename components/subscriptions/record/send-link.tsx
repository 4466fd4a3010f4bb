"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FailureLine } from "#components/forms/failure-panel.tsx";
import {
  ScopedLink,
  useFormat,
  usePermission,
  useScope,
  useSeller,
} from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { ExternalLink } from "#components/ui/icons.tsx";
import { ShareButton } from "#components/ui/share-button.tsx";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import { ChoiceBar } from "#components/ui/forms/switch.tsx";
import { TextArea } from "#components/ui/forms/fields.tsx";
import type { Subscription } from "#contract/subscriptions.ts";
import { failureOf } from "#lib/failure.ts";
import { internationalDigits } from "#contract/phone-number.ts";
import { channelsFor, messageFacts } from "#lib/messages/channels.ts";
import { textsForBuyerQuery, type TextsForBuyer } from "#lib/messages/reminders/queries.ts";
import {
  languageFor,
  OUR_LANGUAGES,
  reminderFor,
  reminderKind,
  remindersOf,
  writtenLanguage,
} from "#lib/messages/reminders/rules.ts";
import { fillMessage, messageWriterFor } from "#lib/messages/rules.ts";
import { smsLength } from "#contract/message-text.ts";
import { amountToPay } from "#lib/money/price.ts";
import type { ToPay } from "#lib/format/format.ts";
import { amountsQuery } from "#lib/products/queries.ts";
import { billingDay } from "#lib/subscriptions/rules.ts";

interface SendLinkProps {
  subscription: Subscription;
  link: string;
}

/** An editable message, and links that open it in apps, in which the member sends it. */
export function SendLink(props: SendLinkProps) {
  const { subscription_id } = props.subscription;
  const query = useQuery({ ...textsForBuyerQuery(useScope(), subscription_id), retry: false });
  const amounts = useQuery(amountsQuery(useScope()));
  // The message waits for the amounts, because it must not state a wrong one.
  if (!amounts.data && amounts.error)
    return <FailureLine failure={failureOf(amounts.error)} query={amounts} />;
  if (query.isPending || !amounts.data) return <span className="skeleton h-80" />;
  const to_pay = amountToPay(amounts.data, props.subscription.product);
  return <LinkMessage {...props} to_pay={to_pay} texts={query.data ?? null} />;
}

interface LinkMessageProps extends SendLinkProps {
  to_pay: ToPay;
  /** The seller's texts; null if they could not be read. */
  texts: TextsForBuyer | null;
}

function LinkMessage({ subscription, link, to_pay, texts }: LinkMessageProps) {
  const t = useTranslations("subscription.send");
  const { time_zone } = useSeller();
  const mayEdit = usePermission("seller:write");
  const { client } = subscription;
  const message = useMessage({ subscription, link, to_pay, texts });
  const { text } = message;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap gap-2">
        <ChoiceBar
          label={t("language")}
          choices={(texts?.languages ?? OUR_LANGUAGES).map(({ code, name }) => ({
            value: code,
            lang: code,
            label: name,
          }))}
          chosen={message.language}
          onChoose={message.setLanguage}
        />
        <ChoiceBar
          label={t("form")}
          choices={FORMS.map((value) => ({
            value,
            label: t(value === "sms" ? "short" : "long"),
          }))}
          chosen={message.form}
          onChoose={message.setForm}
        />
      </div>
      <TextArea
        ref={initialFocus}
        id="link-message"
        label={t("label")}
        hint={t(to_pay.is_list_price ? "hintListPrice" : "hint")}
        error={text.includes(link) ? undefined : t("noLink")}
        lang={message.written}
        dir="auto"
        value={text}
        onChange={(event) => message.setText(event.target.value)}
      />
      <MessageLength text={text} />
      {message.written !== message.language && (
        <p className="text-xs text-warning">{t("noText")}</p>
      )}
      {texts === null && <p className="text-xs text-muted">{t("ours")}</p>}
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {channelsFor(text, { ...client, time_zone }, message.subject).map(({ app, href }) => (
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

function MessageLength({ text }: { text: string }) {
  const t = useTranslations("subscription.send");
  const format = useFormat();
  const { characters, parts } = smsLength(text);
  return (
    <p className="-mt-2 text-xs text-muted tabular-nums">
      {t("length", { characters: format.count(characters), parts })}
    </p>
  );
}

const FORMS = ["any", "sms"] as const;
type Form = (typeof FORMS)[number];

/** Choosing another language or length replaces the typed text. */
function useMessage({ subscription, link, to_pay, texts }: LinkMessageProps) {
  const seller = useSeller();
  const reminders = texts?.reminders ?? remindersOf([]);
  const kind = reminderKind(subscription);
  const day = billingDay(subscription, seller.time_zone);
  const [language, setLanguage] = useState(() =>
    languageFor(reminders, kind, {
      name: subscription.client.full_name,
      remembered: texts?.language ?? null,
    }),
  );
  const [form, setForm] = useState<Form>("any");
  const fill = (asked: string, part: Form | "subject") => {
    const of = writtenLanguage(reminders, kind, asked);
    const facts = messageFacts(messageWriterFor(of), subscription, {
      seller,
      link,
      to_pay,
      day,
    });
    return fillMessage(reminderFor(reminders, kind, of, part), facts);
  };
  const [text, setText] = useState(() => fill(language, "any"));

  function begin(of: string, part: Form) {
    setLanguage(of);
    setForm(part);
    setText(fill(of, part));
  }

  return {
    text,
    setText,
    language,
    written: writtenLanguage(reminders, kind, language),
    form,
    subject: fill(language, "subject"),
    setLanguage: (of: string) => begin(of, form),
    setForm: (part: Form) => begin(language, part),
  };
}
