"use client";

import { useTranslations } from "next-intl";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import {
  useFormat,
  usePermission,
  useScope,
  useSeller,
} from "#components/context/seller-context.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { FastForward, SkipForward } from "#components/ui/icons.tsx";
import type { Clock } from "#contract/sandbox.ts";
import { clockLead, describeReasons, serviceTimeAt } from "#lib/sandbox/rules.ts";
import { ActionButton } from "#components/forms/action-dialog.tsx";
import { setClockRightAction } from "#lib/sandbox/actions.ts";
import { ExplainedButton } from "#components/ui/explained-button.tsx";
import { forecastQuery } from "#lib/sandbox/queries.ts";
import { fieldText } from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { dayInZone, formatTime } from "#lib/format/format.ts";
import { type ClockTarget, CLOCK_SPANS } from "#lib/sandbox/search.ts";
import { ClockForecast } from "./clock-forecast.tsx";
import { type ClockMoveState, useClockMove } from "./use-clock-move.ts";
import {
  useRestore,
  useMissingPermissionText,
  useSandboxAction,
} from "./use-sandbox-action.tsx";

export function ClockCard({ clock }: { clock: Clock }) {
  const t = useTranslations("sandbox.clock");
  const format = useFormat();
  const { time_zone, now: today } = useSeller();
  const now = serviceTimeAt(clock, today);
  const lead = clockLead(clock);
  const move = useClockMove();
  return (
    <Card className="min-w-0 p-4 sm:p-5" aria-labelledby="clock">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <CardTitle id="clock">{t("title")}</CardTitle>
        {lead && <ResetClock realNow={clock.real_now} />}
      </div>
      <p className="mt-1 text-2xl font-semibold tracking-tight tabular-nums">
        <time dateTime={now}>{format.dateTime(now)}</time>
      </p>
      <div className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
        {lead ? (
          <Badge icon={FastForward} tone="warning">
            {t("ahead", lead)}
          </Badge>
        ) : (
          <span>{t("real")}</span>
        )}
        <span>{time_zone}</span>
        {lead && (
          <span className="max-sm:basis-full">
            {t("realAt", { time: format.dateTime(clock.real_now) })}
          </span>
        )}
      </div>
      <JumpToNext clock={clock} now={now} move={move} />
      <ClockChoices now={now} move={move} />
      <ClockForecast now={now} move={move} />
    </Card>
  );
}

/** Sets the clock to real time, after explaining the effects. @param realNow ISO */
function ResetClock({ realNow }: { realNow: string }) {
  const t = useTranslations("sandbox");
  const format = useFormat();
  const { showUndoToast } = useRestore();
  const { ask } = useSandboxAction(setClockRightAction);
  if (!usePermission("sandbox:write")) return null;
  return (
    <ActionButton
      title={t("setRight.title")}
      label={t("setRight.label")}
      action={ask}
      read={() => ({})}
      onDone={({ undo }, close) => {
        showUndoToast(t("states.setRight"), undo);
        close();
      }}
    >
      {() => (
        <>
          <p>
            {t.rich("setRight.then", {
              time: format.dateTime(realNow),
              moment: (words) => <span className="tabular-nums">{words}</span>,
            })}
          </p>
          <ul className="list-disc space-y-1 pl-5 text-muted">
            <li>{t("setRight.stay")}</li>
            <li>{t("setRight.dates")}</li>
            <li>{t("setRight.afresh")}</li>
          </ul>
        </>
      )}
    </ActionButton>
  );
}

function JumpToNext({ clock, now, move }: { clock: Clock; now: string; move: ClockMoveState }) {
  const t = useTranslations("sandbox");
  const format = useFormat(now);
  const obstacle = useMissingPermissionText("sandbox:write");
  const { next_transition_at: next } = clock;
  const isOverdue = next !== null && Date.parse(next) <= Date.parse(now);
  const { data } = useQuery({
    ...forecastQuery(useScope(), { to: next ?? "" }),
    enabled: next !== null && !isOverdue && !move.isPending,
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (next === null)
    return <p className="mt-4 text-sm text-muted">{t("clock.nothingAhead")}</p>;
  const reasons = isOverdue || !data ? [] : describeReasons(t, data.reasons);
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md bg-sunken px-3 py-2.5">
      <div id="next-event" className="min-w-0 text-sm">
        <p>
          {t.rich(isOverdue ? "clock.overdue" : "clock.next", {
            time: format.dateTime(next),
            relative: format.relativeDay(next),
            quiet: (words) => <span className="text-muted">{words}</span>,
            moment: (words) => <span className="font-medium tabular-nums">{words}</span>,
          })}
        </p>
        <p className="min-h-5 text-muted">{reasons.join(" · ")}</p>
      </div>
      <ExplainedButton
        reason={obstacle}
        isPending={move.isPending}
        aria-label={
          reasons.length > 0 ? `${t("clock.jump")}: ${reasons.join(", ")}` : undefined
        }
        onClick={() => void move.move(isOverdue ? null : next)}
      >
        <SkipForward aria-hidden className="size-4" />
        {t(isOverdue ? "clock.catchUp" : "clock.jump")}
      </ExplainedButton>
    </div>
  );
}

/**
 * The targets of a clock move; choosing one shows its forecast before the clock moves.
 * @param now ISO time of the service
 */
function ClockChoices({ now, move }: { now: string; move: ClockMoveState }) {
  const t = useTranslations("sandbox.clock");
  const [isDated, setDated] = useState(move.target !== null && "at" in move.target);
  const { target, isPending } = move;
  const choose = (wanted: ClockTarget) => {
    setDated(false);
    move.choose(wanted);
  };
  return (
    <>
      <div role="group" aria-label={t("move")} className="mt-4 flex flex-wrap gap-2">
        {CLOCK_SPANS.map((by) => (
          <Choice
            key={by}
            isChosen={target !== null && "by" in target && target.by === by}
            disabled={isPending}
            onClick={() => choose({ by })}
          >
            {t(`spans.${by}`)}
          </Choice>
        ))}
        <Choice
          isChosen={isDated}
          disabled={isPending}
          onClick={() => {
            move.choose(null);
            setDated(true);
          }}
        >
          {t("toDate")}
        </Choice>
      </div>
      {isDated && <DateForm now={now} target={target} onChoose={(at) => move.choose({ at })} />}
    </>
  );
}

interface ChoiceProps {
  isChosen: boolean;
  disabled: boolean;
  onClick: () => void;
  children: string;
}

function Choice({ isChosen, ...props }: ChoiceProps) {
  return (
    <Button
      aria-pressed={isChosen}
      className="aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
      {...props}
    />
  );
}

interface DateFormProps {
  now: string;
  target: ClockTarget | null;
  onChoose: (at: string) => void;
}

function DateForm({ now, target, onChoose }: DateFormProps) {
  const t = useTranslations("sandbox.clock");
  const id = useId();
  const { time_zone } = useSeller();
  const [problem, setProblem] = useState<string>();
  const earliest = `${dayInZone(now, time_zone)}T${formatTime(now, time_zone)}`;
  const given = target && "at" in target ? target.at : earliest;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const at = fieldText(event.currentTarget, "at").slice(0, 16);
    const isLater = at > earliest;
    setProblem(isLater ? undefined : t("onlyForward"));
    if (isLater) onChoose(at);
  }

  return (
    <form
      noValidate
      method="post"
      onSubmit={submit}
      className="mt-3 flex flex-wrap items-end gap-2"
    >
      <TextField
        id={id}
        name="at"
        type="datetime-local"
        label={t("dateAndTime")}
        hint={t("inZone", { zone: time_zone })}
        defaultValue={given}
        error={problem}
        className="w-64 max-w-full"
      />
      <Button type="submit" className="mb-5">
        {t("show")}
      </Button>
    </form>
  );
}
