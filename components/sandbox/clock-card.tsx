"use client";

import { FastForward } from "lucide-react";
import { useTranslations } from "next-intl";
import { useSeller } from "#components/context/seller-context.tsx";
import { useFormat } from "#components/values/use-format.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import type { Clock } from "#contract/sandbox.ts";
import { serviceTimeAt, clockLead } from "#lib/sandbox/rules.ts";
import { ClockChoices } from "./clock-choices.tsx";
import { ClockForecast } from "./clock-forecast.tsx";
import { JumpToNext } from "./jump-to-next.tsx";
import { ResetClock } from "./reset-clock.tsx";
import { useClockMove } from "./use-clock-move.ts";

/** The service's clock, the next change, and the ways to move the clock. */
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
          <Badge icon={FastForward} className="bg-warning-soft text-warning">
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
