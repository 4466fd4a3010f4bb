import { useTranslations } from "next-intl";
import { useFormState, type FieldPath } from "react-hook-form";
import { translateMessage } from "#lib/i18n/message.ts";
import type { ScheduleValues } from "#lib/messages/schedule/rules.ts";
import { problemAt } from "./use-schedule-form.ts";

/** @returns a function for the problem of a schedule's field, in words; undefined for none */
export function useFieldProblem(): (path: FieldPath<ScheduleValues>) => string | undefined {
  const t = useTranslations();
  const { errors } = useFormState<ScheduleValues>();
  return (path) => {
    const problem = problemAt(errors, path);
    return problem === undefined ? undefined : translateMessage(t, problem);
  };
}
