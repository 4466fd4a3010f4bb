"use client";

import { useTranslations } from "next-intl";
import { useId, useState, type FormEvent } from "react";
import { useSeller } from "#components/context/seller-context.tsx";
import { fieldText } from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { calendarDay, formatTime } from "#lib/format/format.ts";
import { SPANS, type ClockTarget } from "#lib/sandbox/search.ts";
import type { ClockMoveState } from "./use-clock-move.ts";

/**
 * Choosing a target shows its forecast before anything moves.
 * @param now the service's, ISO
 */
export function ClockChoices({ now, move }: { now: string; move: ClockMoveState }) {
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
        {SPANS.map((by) => (
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
  const earliest = `${calendarDay(now, time_zone)}T${formatTime(now, time_zone)}`;
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
