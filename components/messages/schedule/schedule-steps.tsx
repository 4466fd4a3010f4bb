import { useTranslations } from "next-intl";
import { useFieldArray } from "react-hook-form";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Plus } from "#components/ui/icons.tsx";
import { REMINDER_PLACEHOLDERS } from "#contract/names.ts";
import {
  MOST_STEPS,
  newStep,
  usualSteps,
  type ScheduleShown,
  type ScheduleValues,
} from "#lib/messages/schedule/rules.ts";
import { StepFields } from "./step-fields.tsx";
import type { ShownPreview } from "./use-schedule-form.ts";

interface ScheduleStepsProps {
  shown: ScheduleShown;
  preview: ShownPreview | null;
}

/** The stored steps in chronological order, then new ones; each with what it would send next. */
export function ScheduleSteps({ shown, preview }: ScheduleStepsProps) {
  const t = useTranslations("reminders.steps");
  const tOfAll = useTranslations("reminders");
  const { templates } = shown;
  const steps = useFieldArray<ScheduleValues, "steps">({ name: "steps" });
  const { fields } = steps;
  const all = REMINDER_PLACEHOLDERS.map((name) => `{${name}}`).join(" ");
  return (
    <section aria-labelledby="schedule-steps" className="grid min-w-0 gap-3">
      <h2 id="schedule-steps" className="font-semibold">
        {t("title")}
      </h2>
      {fields.length === 0 ? (
        <Card className="grid gap-3 p-4 sm:p-5">
          <p className="font-medium">{t("none")}</p>
          <p className="text-muted">{t("noneText")}</p>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => steps.append(usualSteps(templates), { shouldFocus: false })}>
              {t("usual")}
            </Button>
          </div>
        </Card>
      ) : (
        <p className="text-sm text-pretty text-muted">{tOfAll("placeholders", { all })}</p>
      )}
      {fields.map(({ id }, index) => (
        <StepFields
          key={id}
          {...{ index, shown }}
          preview={preview && preview.results.filter(({ step }) => step === index)}
          onRemove={() => steps.remove(index)}
        />
      ))}
      {fields.length < MOST_STEPS ? (
        <Button
          className="justify-self-start"
          onClick={() =>
            steps.append(newStep(templates), { focusName: `steps.${fields.length}.kind` })
          }
        >
          <Plus aria-hidden className="size-4" />
          {t("add")}
        </Button>
      ) : (
        <p className="text-sm text-muted">{t("most", { most: MOST_STEPS })}</p>
      )}
    </section>
  );
}
