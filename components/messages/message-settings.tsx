"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ChoiceBar } from "#components/ui/forms/choice-bar.tsx";
import { REMINDER_KINDS, type Reminders } from "#lib/messages/reminders/rules.ts";
import { MessageForm } from "./message-form.tsx";
import { PREVIEW_NAMES, type PreviewName } from "./message-preview.tsx";

/** The seller's own message texts; each message can still be edited before it is sent. */
export function MessageSettings({ reminders }: { reminders: Reminders }) {
  const t = useTranslations("messages");
  const [name, setName] = useState<PreviewName>("usual");
  return (
    <div className="grid max-w-6xl gap-4">
      <p className="max-w-2xl text-muted">{t("intro")}</p>
      <div className="flex flex-wrap items-center gap-2 text-sm text-muted">
        <span aria-hidden>{t("preview.with")}</span>
        <ChoiceBar
          label={t("preview.with")}
          choices={PREVIEW_NAMES.map((value) => ({ value, label: t(`preview.${value}`) }))}
          chosen={name}
          onChoose={setName}
        />
      </div>
      {REMINDER_KINDS.map((kind) => (
        <MessageForm key={kind} kind={kind} saved={reminders[kind]} previewName={name} />
      ))}
    </div>
  );
}
