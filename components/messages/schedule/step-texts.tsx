import { useTranslations } from "next-intl";
import { useState } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { TextArea, TextField } from "#components/ui/forms/fields.tsx";
import type { SellerLanguage } from "#lib/messages/reminders/rules.ts";
import type { ScheduleValues } from "#lib/messages/schedule/rules.ts";
import { useFieldProblem } from "./use-schedule-form.ts";

const PARTS = ["subject", "text", "sms"] as const;

interface StepTextsProps {
  index: number;
  languages: SellerLanguage[];
}

/** A step's text in each language, collapsed unless one has an error. */
export function StepTexts({ index, languages }: StepTextsProps) {
  const t = useTranslations("reminders.field");
  const { getValues } = useFormContext<ScheduleValues>();
  const texts = getValues(`steps.${index}.texts`);
  const shown = languages.filter(({ code }) => texts[code]);
  const problem = useFieldProblem();
  const [isOpen, setOpen] = useState(false);
  const isWrong = shown.some(({ code }) =>
    PARTS.some((part) => problem(`steps.${index}.texts.${code}.${part}`)),
  );
  return (
    <Disclosure
      title={t("texts")}
      className="font-medium max-md:min-h-11"
      isOpen={isOpen || isWrong}
      onToggle={setOpen}
    >
      <div className="mt-3 grid gap-x-6 gap-y-5 lg:grid-cols-2">
        {shown.map((language) => (
          <LanguageFields key={language.code} {...{ index, language }} />
        ))}
      </div>
    </Disclosure>
  );
}

interface LanguageFieldsProps {
  index: number;
  language: SellerLanguage;
}

function LanguageFields({ index, language: { code: language, name } }: LanguageFieldsProps) {
  const t = useTranslations("reminders.field");
  const { register } = useFormContext<ScheduleValues>();
  const usual = useWatch<ScheduleValues, "language">({ name: "language" });
  const problem = useFieldProblem();
  const at = `steps.${index}.texts.${language}` as const;
  return (
    <fieldset className="grid min-w-0 content-start gap-3">
      <legend lang={language} dir="auto" className="mb-2 text-sm font-medium">
        {name}
      </legend>
      <TextField
        id={`${at}.subject`}
        lang={language}
        dir="auto"
        label={t("subject")}
        error={problem(`${at}.subject`)}
        {...register(`${at}.subject`)}
      />
      <TextArea
        id={`${at}.text`}
        lang={language}
        dir="auto"
        label={t("text")}
        rows={5}
        hint={language === usual ? undefined : t("other")}
        error={problem(`${at}.text`)}
        {...register(`${at}.text`)}
      />
      <TextArea
        id={`${at}.sms`}
        lang={language}
        dir="auto"
        label={t("sms")}
        rows={2}
        className="min-h-16"
        hint={t("smsHint")}
        error={problem(`${at}.sms`)}
        {...register(`${at}.sms`)}
      />
    </fieldset>
  );
}
