"use client";

import { useTranslations } from "next-intl";
import { useSeller } from "#components/layout/seller-context.tsx";
import { addDays } from "#lib/calendar.ts";
import { calendarDay } from "#lib/format.ts";
import { fillMessage, writerFor, type MessageKind } from "#lib/messages/rules.ts";

interface MessagePreviewProps {
  kind: MessageKind;
  /** Null while the text cannot be a message. */
  body: string | null;
}

/** The message as a buyer would get it, with facts that are nobody's. */
export function MessagePreview({ kind, body }: MessagePreviewProps) {
  const { name, time_zone, now, currency, amount_style } = useSeller();
  const t = useTranslations("messages.preview");
  const writer = writerFor(body ?? "");
  const today = calendarDay(now, time_zone) ?? now.slice(0, 10);
  const facts = {
    name: t("name"),
    product: t("product"),
    plan: t("plan"),
    amount: writer.money("3150.00", currency, amount_style),
    date: kind === "renewal" ? writer.date(addDays(today, 7)) : "",
    link: "https://pay.example/pay/7f3c2a",
    seller: name,
  };
  return (
    <figure className="rounded-md bg-sunken p-3 sm:p-4">
      <figcaption className="mb-2 text-xs text-muted">{t("label")}</figcaption>
      <p className="rounded-lg rounded-tl-sm bg-surface px-3 py-2 whitespace-pre-line shadow-card">
        {body === null ? (
          <span className="text-muted">{t("nothing")}</span>
        ) : (
          fillMessage(body, facts)
        )}
      </p>
    </figure>
  );
}
