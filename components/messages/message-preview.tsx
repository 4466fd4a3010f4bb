"use client";

import { useTranslations } from "next-intl";
import { useFormat, useSeller } from "#components/context/seller-context.tsx";
import { addDays } from "#lib/format/calendar.ts";
import { dayInZone } from "#lib/format/format.ts";
import { useMessageWriter } from "#components/values/use-message-writer.ts";
import { isLanguage } from "#lib/i18n/languages.ts";
import {
  EXAMPLE_NAMES,
  LONG_NAME,
  type ReminderForm,
  type ReminderKind,
} from "#lib/messages/reminders/rules.ts";
import { fillMessage } from "#lib/messages/rules.ts";
import { smsLength } from "#contract/message-text.ts";

export const PREVIEW_NAMES = ["usual", "long"] as const;
export type PreviewName = (typeof PREVIEW_NAMES)[number];

/** Days until the due date, and days left, in each kind's example. */
const EXAMPLES: Record<ReminderKind, { ahead: number | null; left: number | null }> = {
  waiting: { ahead: null, left: null },
  soon: { ahead: 7, left: 7 },
  due: { ahead: -3, left: 4 },
  grace: { ahead: -5, left: 2 },
  failed: { ahead: 0, left: null },
};

interface MessagePreviewProps {
  kind: ReminderKind;
  language: string;
  form: ReminderForm;
  name: PreviewName;
  /** The message text; null while it is invalid. */
  body: string | null;
}

/** The message as a buyer would see it, with example values. */
export function MessagePreview({ kind, language, form, name, body }: MessagePreviewProps) {
  const t = useTranslations("messages.preview");
  const facts = useExample(kind, language, name);
  const text = body === null ? null : fillMessage(body, facts);
  return (
    <figure className="rounded-md bg-sunken p-3">
      <figcaption className="mb-2 text-xs text-muted">{t("label")}</figcaption>
      <div
        lang={language}
        dir="auto"
        className="rounded-lg rounded-tl-sm bg-surface px-3 py-2 whitespace-pre-line shadow-card"
      >
        {text === null ? <span className="text-muted">{t("nothing")}</span> : text}
      </div>
      {form === "sms" && text !== null && <SmsLength text={text} />}
    </figure>
  );
}

function SmsLength({ text }: { text: string }) {
  const t = useTranslations("messages");
  const format = useFormat();
  const { characters, parts, encoding } = smsLength(text);
  return (
    <p className="mt-2 text-xs text-muted tabular-nums">
      {t("length", { characters: format.count(characters), parts })}
      <span className="block">{t(`lengthHint.${encoding}`)}</span>
    </p>
  );
}

function useExample(kind: ReminderKind, language: string, name: PreviewName) {
  const { name: seller, time_zone, now, currency, amount_style } = useSeller();
  const writer = useMessageWriter(language);
  const today = dayInZone(now, time_zone);
  const { ahead, left } = EXAMPLES[kind];
  return {
    ...EXAMPLE_NAMES[isLanguage(language) ? language : "ne"],
    ...(name === "long" && { name: LONG_NAME }),
    amount: writer.money("3150.00", currency, amount_style),
    date: ahead === null ? "" : writer.date(addDays(today, ahead)),
    days: left === null ? "" : writer.days(left),
    link: "https://pay.example/pay/7f3c2a",
    seller,
  };
}
