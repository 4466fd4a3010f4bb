import { useLocale, useTranslations } from "next-intl";
import { useFormContext, useWatch } from "react-hook-form";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { SelectField, TextField } from "#components/ui/forms/fields.tsx";
import { X } from "#components/ui/icons.tsx";
import { useChannelName } from "#components/values/message-words.tsx";
import { REMINDER_STEPS, SENDING_CHANNELS } from "#contract/names.ts";
import type { ReminderPreview } from "#contract/reminders.ts";
import { localizeDigits } from "#lib/format/format.ts";
import {
  hasCount,
  isTextOfKind,
  textsOf,
  type ScheduleShown,
  type ScheduleValues,
} from "#lib/messages/schedule/rules.ts";
import { asciiDigits } from "#lib/text/fold-text.ts";
import { StepPreview } from "./step-preview.tsx";
import { StepTexts } from "./step-texts.tsx";
import { useFieldProblem } from "./use-schedule-form.ts";

interface StepFieldsProps {
  index: number;
  shown: ScheduleShown;
  /** Null while there is no preview. */
  preview: ReminderPreview["results"] | null;
  onRemove: () => void;
}

/** One step: when it is sent, by which channel, and what it says. */
export function StepFields({ index, shown, preview, onRemove }: StepFieldsProps) {
  const t = useTranslations("reminders");
  const { register, getValues, setValue } = useFormContext<ScheduleValues>();
  const kind = useWatch<ScheduleValues, `steps.${number}.kind`>({
    name: `steps.${index}.kind`,
  });
  const title = useStepTitle(index);
  const problem = useFieldProblem();
  const channelName = useChannelName();
  const isLeft = kind === "checkout_left";
  const at = `steps.${index}` as const;
  const number = index + 1;
  const kindField = register(`${at}.kind`);

  /** Replaces texts that nobody has changed by the default texts of the newly chosen kind. */
  function follow() {
    const before = kind;
    const step = getValues(at);
    if (!isTextOfKind({ ...step, kind: before }, shown.templates)) return;
    setValue(`${at}.texts`, textsOf(shown.templates, step.kind), { shouldDirty: true });
  }

  return (
    <Card aria-labelledby={`${at}-title`} className="grid min-w-0 gap-4 p-4 sm:p-5">
      <div className="flex items-start justify-between gap-3">
        <h3 id={`${at}-title`} className="font-medium">
          {t("steps.one", { number, what: title })}
        </h3>
        <Button
          look="quiet"
          aria-label={t("steps.removeOf", { number })}
          title={t("steps.remove")}
          onClick={onRemove}
        >
          <X aria-hidden className="size-4" />
        </Button>
      </div>
      <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,2fr)_6rem_8rem_minmax(0,2fr)]">
        <SelectField
          id={`${at}.kind`}
          label={t("field.kind")}
          error={problem(`${at}.kind`)}
          {...kindField}
          onChange={(event) => void kindField.onChange(event).then(follow)}
          options={REMINDER_STEPS.map((name) => [name, t(`kind.${name}`)])}
        />
        {hasCount(kind) ? (
          <TextField
            id={`${at}.count`}
            label={t(isLeft ? "field.hours" : "field.days")}
            inputMode="numeric"
            error={problem(`${at}.count`)}
            {...register(`${at}.count`)}
          />
        ) : (
          <span className="max-sm:hidden" />
        )}
        {isLeft ? (
          <span className="max-sm:hidden" />
        ) : (
          <TextField
            id={`${at}.time`}
            label={t("field.time")}
            type="time"
            error={problem(`${at}.time`)}
            {...register(`${at}.time`)}
          />
        )}
        <SelectField
          id={`${at}.channel`}
          label={t("field.channel")}
          error={problem(`${at}.channel`)}
          {...register(`${at}.channel`)}
          options={SENDING_CHANNELS.map((channel) => [
            channel,
            shown.channels.includes(channel)
              ? channelName(channel)
              : t("field.notSetUp", { channel: channelName(channel) }),
          ])}
        >
          <option value="">{t("field.first")}</option>
        </SelectField>
      </div>
      <StepTexts index={index} languages={shown.languages} />
      {preview && <StepPreview of={at} results={preview} languages={shown.languages} />}
    </Card>
  );
}

/** Says when a step is sent, as it is typed: "3 days before the billing date, at 09:00". */
function useStepTitle(index: number): string {
  const t = useTranslations("reminders.step");
  const language = useLocale();
  const [kind, count, time] = useWatch<
    ScheduleValues,
    [`steps.${number}.kind`, `steps.${number}.count`, `steps.${number}.time`]
  >({ name: [`steps.${index}.kind`, `steps.${index}.count`, `steps.${index}.time`] });
  const typed = Number(asciiDigits(count));
  const amount = Number.isNaN(typed) ? 0 : typed;
  const what = t(kind, { days: amount, hours: amount });
  return kind === "checkout_left" || time === ""
    ? what
    : t("at", { what, time: localizeDigits(time, language) });
}
