"use client";

import { useQuery } from "@tanstack/react-query";
import { SkipForward } from "lucide-react";
import { useTranslations } from "next-intl";
import { useScope } from "#components/context/seller-context.tsx";
import { useFormat } from "#components/values/use-format.ts";
import { ExplainedButton } from "#components/ui/explained-button.tsx";
import type { Clock } from "#contract/sandbox.ts";
import { forecastQuery } from "#lib/sandbox/queries.ts";
import { describeReasons } from "#lib/sandbox/rules.ts";
import type { ClockMoveState } from "./use-clock-move.ts";
import { useRoleObstacle } from "./use-sandbox-action.ts";

interface NextJumpProps {
  clock: Clock;
  /** The service's, ISO */
  now: string;
  move: ClockMoveState;
}

/** The next change, and a button that moves the clock there. */
export function JumpToNext({ clock, now, move }: NextJumpProps) {
  const t = useTranslations("sandbox");
  const format = useFormat(now);
  const obstacle = useRoleObstacle("sandbox:write");
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
