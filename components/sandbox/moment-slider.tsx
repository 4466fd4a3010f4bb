import { useTranslations } from "next-intl";
import { useId } from "react";
import { useFormat } from "#components/values/use-format.ts";
import type { Forecast } from "#lib/sandbox/queries.ts";

interface MomentSliderProps {
  forecast: Forecast;
  /** Which of the moments, or their number for the whole span. */
  place: number;
  now: string;
  onChange: (place: number) => void;
}

/** How far along what comes: from one moment of change to the next, by arrow keys too. */
export function MomentSlider({ forecast, place, now, onChange }: MomentSliderProps) {
  const t = useTranslations("sandbox.timeline");
  const format = useFormat(now);
  const id = useId();
  const { moments, to } = forecast;
  if (moments.length < 2) return null;
  const at = moments[place]?.at ?? to;
  const count = countUntil(forecast, place);
  return (
    <div className="mt-4">
      <label htmlFor={id} className="text-sm font-medium">
        {t("howFar")}
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={moments.length}
        step={1}
        value={place}
        onChange={({ target }) => onChange(Number(target.value))}
        aria-valuetext={t("place", { time: format.dateTime(at), count })}
        className="my-1 block h-6 w-full accent-accent max-md:h-11"
      />
      <p className="flex flex-wrap justify-between gap-x-4 text-xs text-muted tabular-nums">
        <span>{format.dateTime(moments[0]?.at ?? to)}</span>
        <span>{t("stops", { count: moments.length })}</span>
        <span>{format.dateTime(to)}</span>
      </p>
    </div>
  );
}

/** How many changes there are up to there. */
export function countUntil({ moments, count }: Forecast, place: number): number {
  if (place >= moments.length) return count;
  return moments.slice(0, place + 1).reduce((sum, moment) => sum + moment.count, 0);
}
