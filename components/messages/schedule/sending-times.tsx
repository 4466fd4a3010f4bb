import { useTranslations } from "next-intl";
import { useFormContext, useWatch } from "react-hook-form";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Checkbox, FieldError, SelectField, TextField } from "#components/ui/forms/fields.tsx";
import { MESSAGE_LANGUAGES } from "#contract/names.ts";
import { LANGUAGE_NAMES } from "#lib/i18n/languages.ts";
import { WEEKDAYS, type ScheduleValues } from "#lib/messages/schedule/rules.ts";
import { useFieldProblem } from "./use-schedule-form.ts";

/** When messages may be sent, how many a buyer gets, and in which language. */
export function SendingTimes({ timeZone }: { timeZone: string }) {
  const t = useTranslations("reminders.when");
  const { register } = useFormContext<ScheduleValues>();
  const isQuiet = useWatch<ScheduleValues, "has_quiet_hours">({ name: "has_quiet_hours" });
  const problem = useFieldProblem();
  return (
    <Card aria-labelledby="schedule-when" className="grid gap-4 p-4 sm:p-5">
      <div>
        <CardTitle id="schedule-when">{t("title")}</CardTitle>
        <p className="text-sm text-muted">{t("zone", { zone: timeZone })}</p>
      </div>
      <div className="grid gap-3">
        <Checkbox label={t("quiet")} {...register("has_quiet_hours")} />
        {isQuiet && (
          <div className="grid max-w-xs grid-cols-2 gap-3">
            {(["quiet_from", "quiet_to"] as const).map((name) => (
              <TextField
                key={name}
                id={name}
                type="time"
                label={t(name === "quiet_from" ? "quietFrom" : "quietTo")}
                error={problem(name)}
                {...register(name)}
              />
            ))}
          </div>
        )}
      </div>
      <Weekdays />
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <TextField
          id="most_a_week"
          label={t("most")}
          hint={t("mostHint")}
          inputMode="numeric"
          error={problem("most_a_week")}
          {...register("most_a_week")}
        />
        <SelectField
          id="language"
          label={t("language")}
          hint={t("languageHint")}
          error={problem("language")}
          {...register("language")}
        >
          {MESSAGE_LANGUAGES.map((language) => (
            <option key={language} value={language} lang={language}>
              {LANGUAGE_NAMES[language]}
            </option>
          ))}
        </SelectField>
      </div>
    </Card>
  );
}

function Weekdays() {
  const t = useTranslations("reminders.when");
  const { register } = useFormContext<ScheduleValues>();
  const problem = useFieldProblem()("weekdays");
  return (
    <fieldset aria-describedby={problem ? "weekdays-error" : undefined}>
      <legend className="field-label">{t("weekdays")}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {WEEKDAYS.map((day) => (
          <Checkbox
            key={day}
            value={day}
            aria-invalid={problem ? true : undefined}
            label={t(`weekday.${day}`)}
            {...register("weekdays")}
          />
        ))}
      </div>
      {problem && <FieldError id="weekdays-error">{problem}</FieldError>}
    </fieldset>
  );
}
