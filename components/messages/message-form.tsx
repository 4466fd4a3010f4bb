"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { FailureNotice } from "#components/forms/use-action.tsx";
import { LeaveGuard } from "#components/forms/leave-guard.tsx";
import { Button, SubmitButton, useHydrated } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { ChoiceBar } from "#components/ui/forms/switch.tsx";
import { TextArea } from "#components/ui/forms/fields.tsx";
import { Check, RotateCcw } from "#components/ui/icons.tsx";
import { isLanguage, type Language, LANGUAGES } from "#lib/i18n/languages.ts";
import { translateMessage } from "#lib/i18n/message.ts";
import {
  DEFAULT_REMINDERS,
  REMINDER_FORMS,
  REMINDER_KINDS,
  type ReminderKind,
  type SellerLanguage,
  type SellerTexts,
} from "#lib/messages/reminders/rules.ts";
import { PLACEHOLDERS, readMessage } from "#lib/messages/rules.ts";
import { MessageLanguages } from "./message-languages.tsx";
import { MessagePreview, PREVIEW_NAMES, type PreviewName } from "./message-preview.tsx";
import { type Texts, useMessageTexts } from "./use-message-texts.ts";

interface MessageFormProps {
  kind: ReminderKind;
  saved: Texts;
  languages: SellerLanguage[];
  previewName: PreviewName;
}

/** A form for the texts of one kind of reminder, two languages side by side. */
function MessageForm({ kind, saved, languages, previewName }: MessageFormProps) {
  const t = useTranslations("messages");
  const texts = useMessageTexts(kind, saved, languages);
  const { form, isSaved, isPending, failure, refusals } = texts;
  const fields = useRef<HTMLFormElement>(null);
  // Moves the focus to the invalid field, so that its error is read out.
  useEffect(() => {
    if (refusals > 0 || failure?.kind === "validation")
      fields.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [refusals, failure]);
  // The placeholder is inserted into the text that was edited last.
  const last = useRef("en");
  const areas = useRef<Record<string, HTMLTextAreaElement | null>>({});

  function insert(text: string) {
    const field = areas.current[last.current];
    if (!field) return;
    field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
    texts.setBody(last.current, field.value);
    field.focus();
  }

  return (
    <Card className="p-4 sm:p-5">
      <LeaveGuard isDirty={texts.isDirty} />
      <form
        ref={fields}
        method="post"
        noValidate
        aria-labelledby={`${kind}-title`}
        onSubmit={texts.submit}
        className="grid gap-4"
      >
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0">
            <CardTitle id={`${kind}-title`}>{t(`kind.${kind}.title`)}</CardTitle>
            <p className="text-sm text-muted">{t(`kind.${kind}.note`)}</p>
          </div>
          <ChoiceBar
            label={t("form.label")}
            choices={REMINDER_FORMS.map((value) => ({ value, label: t(`form.${value}`) }))}
            chosen={form}
            onChoose={texts.setForm}
          />
        </div>
        {failure && <FailureNotice failure={failure} />}
        <p className="text-xs text-muted">{t(`formNote.${form}`)}</p>
        <div className="grid gap-x-6 gap-y-5 lg:grid-cols-2">
          {languages.map((language) => (
            <LanguageText
              key={language.code}
              {...{ kind, language, texts, previewName }}
              hold={(area) => {
                areas.current[language.code] = area;
              }}
              onFocus={() => {
                last.current = language.code;
              }}
            />
          ))}
        </div>
        <Placeholders onInsert={insert} />
        <div className="flex flex-wrap items-center gap-2">
          <SubmitButton isPending={isPending}>{t("save")}</SubmitButton>
          <OurTexts {...{ kind, texts }} />
          <span role="status" className="flex items-center gap-1 text-sm text-active">
            {isSaved && (
              <>
                <Check aria-hidden className="size-4" /> {t("saved")}
              </>
            )}
          </span>
        </div>
      </form>
    </Card>
  );
}

interface LanguageTextProps extends Omit<MessageFormProps, "saved" | "languages"> {
  language: SellerLanguage;
  texts: ReturnType<typeof useMessageTexts>;
  hold: (area: HTMLTextAreaElement | null) => void;
  onFocus: () => void;
}

function LanguageText(props: LanguageTextProps) {
  const { kind, texts, previewName, hold, onFocus } = props;
  const { code: language, name } = props.language;
  const t = useTranslations("messages");
  const inAll = useTranslations();
  const isReady = useHydrated();
  const body = texts.bodyOf(language);
  const problem = texts.problemOf(language);
  return (
    <div className="grid min-w-0 content-start gap-3">
      <TextArea
        ref={hold}
        id={`${kind}-${language}`}
        lang={language}
        dir="auto"
        label={
          isLanguage(language) ? t(`textIn.${language}`) : t("textIn.other", { language: name })
        }
        hint={isLanguage(language) ? undefined : t(`emptyHint.${texts.form}`)}
        value={body}
        readOnly={!isReady}
        rows={texts.form === "any" ? 6 : 2}
        className={texts.form === "any" ? "min-h-36" : "min-h-16"}
        onFocus={onFocus}
        onChange={(event) => texts.setBody(language, event.target.value)}
        error={problem === null ? undefined : translateMessage(inAll, problem)}
      />
      {(problem !== null || body.trim() !== "") && (
        <MessagePreview
          {...{ kind, language }}
          form={texts.form}
          name={previewName}
          body={problem === null ? readMessage(body) : null}
        />
      )}
    </div>
  );
}

function OurTexts({ kind, texts }: Pick<LanguageTextProps, "kind" | "texts">) {
  const t = useTranslations("messages");
  const ours = (language: Language) => DEFAULT_REMINDERS[kind][language][texts.form];
  return LANGUAGES.filter(
    (language) => readMessage(texts.bodyOf(language)) !== ours(language),
  ).map((language) => (
    <Button key={language} look="quiet" onClick={() => texts.setBody(language, ours(language))}>
      <RotateCcw aria-hidden className="size-4" />
      {t(`ours.${language}`)}
    </Button>
  ));
}

function Placeholders({ onInsert }: { onInsert: (text: string) => void }) {
  const t = useTranslations("messages");
  return (
    <ul aria-label={t("placeholders")} className="flex flex-wrap gap-1.5">
      {PLACEHOLDERS.map((name) => (
        <li key={name}>
          <Button
            title={t(`placeholder.${name}`)}
            className="font-mono text-xs"
            onClick={() => onInsert(`{${name}}`)}
          >
            <span>
              {t.rich("insert", {
                mark: `{${name}}`,
                words: t(`placeholder.${name}`),
                hidden: (words) => <span className="sr-only">{words}</span>,
              })}
            </span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** The seller's own message texts; each message can still be edited before it is sent. */
export function MessageSettings({ reminders, languages }: SellerTexts) {
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
      <MessageLanguages languages={languages} />
      {REMINDER_KINDS.map((kind) => (
        <MessageForm
          key={kind}
          {...{ kind, languages }}
          saved={reminders[kind]}
          previewName={name}
        />
      ))}
    </div>
  );
}
