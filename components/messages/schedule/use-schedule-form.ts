import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useState } from "react";
import {
  get,
  set,
  useForm,
  useFormState,
  type FieldErrors,
  type FieldPath,
} from "react-hook-form";
import {
  type ActionResult,
  UNANSWERED_RESULT,
  useScopedAction,
} from "#components/forms/use-action.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import type { ReminderPreview } from "#contract/reminders.ts";
import type { Failure } from "#lib/failure.ts";
import { translateMessage } from "#lib/i18n/message.ts";
import { previewScheduleAction } from "#lib/reminders/actions.ts";
import { saveScheduleAction } from "#lib/messages/schedule/actions.ts";
import {
  readDraft,
  readSchedule,
  refusedFields,
  scheduleProblems,
  scheduleValues,
  type ScheduleShown,
  type ScheduleValues,
} from "#lib/messages/schedule/rules.ts";

/** The next messages of the steps, for the fields as they were typed when the preview was requested. */
export interface ShownPreview {
  results: ReminderPreview["results"];
  /** Whether something was typed since. */
  isStale: boolean;
}

/** The form of the schedule: its fields, how it is saved and how it is previewed. */
export function useScheduleForm({ schedule, languages }: ScheduleShown) {
  const t = useTranslations("reminders");
  const router = useRouter();
  const form = useForm<ScheduleValues>({
    defaultValues: scheduleValues(schedule, languages),
    // The page moves the focus itself, after it has opened the part with the problem.
    shouldFocusError: false,
    resolver: (values) => {
      const errors: FieldErrors<ScheduleValues> = {};
      const problems = Object.entries(scheduleProblems(values));
      for (const [path, text] of problems) set(errors, path, { type: "typed", message: text });
      return problems.length > 0 ? { values: {}, errors } : { values, errors: {} };
    },
  });
  // The version on which the next save is based; the fields keep the typed values.
  const [saved, setSaved] = useState(schedule);
  const [read, setRead] = useState(schedule);
  if (read !== schedule) {
    setRead(schedule);
    setSaved(schedule);
  }
  const save = useScopedAction(saveScheduleAction);
  const preview = useScopedAction(previewScheduleAction);
  const [pending, setPending] = useState<"save" | "preview" | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  /** Number of refusals, each of which may name a field. */
  const [refusals, setRefusals] = useState(0);
  const [shown, setShown] = useState<ShownPreview | null>(null);
  const isConflict = failure?.kind === "conflict" && failure.status === 409;
  useEffect(() => {
    if (isConflict) router.refresh();
  }, [isConflict, router]);
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: () =>
          setShown((before) =>
            before && !before.isStale ? { ...before, isStale: true } : before,
          ),
      }),
    [form],
  );

  async function ask<Value>(
    what: "save" | "preview",
    call: () => Promise<ActionResult<Value>>,
    onDone: (value: Value) => void,
  ) {
    if (pending !== null) return;
    setPending(what);
    setFailure(null);
    const result = await call().catch(() => UNANSWERED_RESULT);
    setPending(null);
    if (result.ok) return onDone(result.value);
    setFailure(result.failure);
    setRefusals((count) => count + 1);
    for (const [path, text] of Object.entries(refusedFields(result.failure, form.getValues())))
      form.setError(path as FieldPath<ScheduleValues>, { type: "server", message: text });
  }

  const store = (values: ScheduleValues) =>
    ask(
      "save",
      () => save({ ...readSchedule(values), version: saved.version }),
      (stored) => {
        setSaved(stored);
        form.reset(scheduleValues(stored, languages));
        setShown(null);
        showToast({ text: t(stored.is_on ? "save.savedOn" : "save.saved") });
        router.refresh();
      },
    );

  const look = (values: ScheduleValues) =>
    ask(
      "preview",
      () => preview(readDraft(values)),
      ({ results }) => setShown({ results, isStale: false }),
    );

  return {
    form,
    saved,
    shown,
    failure,
    /** Changes with each try to save or preview, and each refusal. */
    attempts: form.formState.submitCount + refusals,
    isSaving: pending === "save",
    isPreviewing: pending === "preview",
    submit: (event: FormEvent) => void form.handleSubmit(store)(event),
    preview: () => void form.handleSubmit(look)(),
  };
}

/** The message of a field's problem, untranslated; undefined if it has none. */
const problemAt = (errors: FieldErrors<ScheduleValues>, path: string) =>
  (get(errors, path) as { message?: string } | undefined)?.message;

/** @returns a function for the problem of a schedule's field, in words; undefined for none */
export function useFieldProblem(): (path: FieldPath<ScheduleValues>) => string | undefined {
  const t = useTranslations();
  const { errors } = useFormState<ScheduleValues>();
  return (path) => {
    const problem = problemAt(errors, path);
    return problem === undefined ? undefined : translateMessage(t, problem);
  };
}
