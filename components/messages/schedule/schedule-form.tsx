"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { FormProvider, useFormContext, useWatch } from "react-hook-form";
import { ScopedLink, useFormat, usePermission } from "#components/context/seller-context.tsx";
import { LeaveGuard } from "#components/forms/leave-guard.tsx";
import { RefreshFailure } from "#components/forms/refresh-failure.tsx";
import { FailureNotice, unshownFailure } from "#components/forms/use-action.tsx";
import { SendingAbsencePanel } from "#components/messages/sending/sending-absence.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button, SubmitButton } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Checkbox, FieldError } from "#components/ui/forms/fields.tsx";
import { CircleCheck, CircleOff, Eye, TriangleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { ReminderSchedule } from "#contract/reminders.ts";
import { describeFailure, type Failure } from "#lib/failure.ts";
import {
  refusedFields,
  type ScheduleResult,
  type ScheduleShown,
  type ScheduleValues,
} from "#lib/messages/schedule/rules.ts";
import { CHANNELS_PAGE } from "#lib/messages/sending/search.ts";
import { SendingTimes } from "./sending-times.tsx";
import { ScheduleSteps } from "./schedule-steps.tsx";
import { useFieldProblem, useScheduleForm, type ShownPreview } from "./use-schedule-form.ts";

/** The schedule by which the service reminds buyers, or why there is none. */
export function ScheduleSettings({ result }: { result: ScheduleResult }) {
  if ("failure" in result) return <RefreshFailure failure={result.failure} />;
  if ("absence" in result) return <SendingAbsencePanel absence={result.absence} />;
  return <ScheduleForm shown={result} />;
}

/** The form in which the seller composes the schedule, with what it would send. */
function ScheduleForm({ shown }: { shown: ScheduleShown }) {
  const t = useTranslations("reminders");
  const mayWrite = usePermission("connection:write");
  const schedule = useScheduleForm(shown);
  const { form, saved, failure, isPreviewing, attempts } = schedule;
  const fields = useRef<HTMLFormElement>(null);
  // In an effect, because the folded texts with a problem open first.
  useEffect(() => {
    if (attempts > 0)
      fields.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [attempts]);
  const describe = useConflictWords();
  const isInFields =
    failure !== null && Object.keys(refusedFields(failure, form.getValues())).length > 0;
  return (
    <FormProvider {...form}>
      <LeaveGuard isDirty={form.formState.isDirty} />
      <form
        ref={fields}
        method="post"
        noValidate
        autoComplete="off"
        onSubmit={schedule.submit}
        className="grid max-w-3xl gap-4"
      >
        <p className="max-w-2xl text-pretty text-muted">{t("intro")}</p>
        {shown.channels.length === 0 && <NoChannel />}
        <fieldset disabled={!mayWrite} className="grid min-w-0 gap-4">
          <OnOff saved={saved} />
          <ScheduleSteps shown={shown} preview={schedule.shown} />
          <SendingTimes timeZone={saved.time_zone} />
        </fieldset>
        {mayWrite && (
          <div className="grid gap-3">
            <FailureNotice
              failure={unshownFailure(failure, new Set(isInFields ? ["steps"] : []))}
              describe={describe}
            />
            <div className="flex flex-wrap items-center gap-2">
              <SaveButton saved={saved} isPending={schedule.isSaving} />
              <Button isPending={isPreviewing} onClick={schedule.preview}>
                {!isPreviewing && <Eye aria-hidden className="size-4" />}
                {t("preview.label")}
              </Button>
              <p role="status" className="text-sm text-muted empty:sr-only">
                <PreviewState preview={schedule.shown} isBusy={isPreviewing} />
              </p>
            </div>
            <p className="text-sm text-muted">{t("preview.intro")}</p>
          </div>
        )}
      </form>
    </FormProvider>
  );
}

function NoChannel() {
  const t = useTranslations("reminders.noChannel");
  return (
    <Notice look="warning" icon={TriangleAlert}>
      <p className="font-medium">{t("title")}</p>
      <p>{t("text")}</p>
      <ScopedLink href={CHANNELS_PAGE} className="link mt-1 inline-block">
        {t("action")}
      </ScopedLink>
    </Notice>
  );
}

function OnOff({ saved }: { saved: ReminderSchedule }) {
  const t = useTranslations("reminders.state");
  const format = useFormat();
  const { register } = useFormContext<ScheduleValues>();
  const isOn = useWatch<ScheduleValues, "is_on">({ name: "is_on" });
  const problem = useFieldProblem()("is_on");
  const since = saved.on_since === null ? "" : format.dateTime(saved.on_since);
  const stored = saved.is_on ? t("onText", { at: since }) : t("offText");
  const words = isOn === saved.is_on ? stored : t(isOn ? "willStart" : "willEnd");
  return (
    <Card aria-labelledby="schedule-state" className="grid gap-2 p-4 sm:p-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <CardTitle id="schedule-state">{t("label")}</CardTitle>
        <Badge
          icon={saved.is_on ? CircleCheck : CircleOff}
          tone={saved.is_on ? "active" : "inactive"}
        >
          {t(saved.is_on ? "on" : "off")}
        </Badge>
      </div>
      <p role="status">{words}</p>
      <Checkbox
        label={t("switch")}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? "schedule-on-error" : undefined}
        {...register("is_on")}
      />
      {problem && <FieldError id="schedule-on-error">{problem}</FieldError>}
    </Card>
  );
}

function SaveButton({ saved, isPending }: { saved: ReminderSchedule; isPending: boolean }) {
  const t = useTranslations("reminders.save");
  const isOn = useWatch<ScheduleValues, "is_on">({ name: "is_on" });
  return (
    <SubmitButton isPending={isPending}>
      {t(isOn === saved.is_on ? "label" : isOn ? "on" : "off")}
    </SubmitButton>
  );
}

function PreviewState({ preview, isBusy }: { preview: ShownPreview | null; isBusy: boolean }) {
  const t = useTranslations("reminders.preview");
  if (isBusy) return t("busy");
  if (!preview) return null;
  return preview.isStale ? t("stale") : t("done", { count: preview.results.length });
}

/**
 * @returns a function that describes a failure; a conflict with somebody else's change gets its own
 *   text, which says that the typed values stay
 */
function useConflictWords() {
  const t = useTranslations();
  return (failure: Failure) =>
    failure.kind === "conflict" && failure.status === 409
      ? { title: t("reminders.save.conflict"), advice: t("reminders.save.conflictAdvice") }
      : describeFailure(t, failure, "write");
}
