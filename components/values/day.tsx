"use client";

import { lazy, Suspense } from "react";
import { useFormat, useSeller } from "#components/context/seller-context.tsx";
import { calendarDay } from "#lib/format/format.ts";

// The calendar's tables are loaded only for people who chose it.
const BikramSambat = lazy(async () => ({
  default: (await import("./bikram-sambat.tsx")).BikramSambat,
}));

/** A date in the seller's zone; the full moment and the zone are in its title. */
export function Day({ iso }: { iso: string }) {
  const format = useFormat();
  const { time_zone } = useSeller();
  return (
    <time dateTime={iso} title={`${format.dateTime(iso)} (${time_zone})`}>
      {format.date(iso)}
      <SecondDay iso={iso} />
    </time>
  );
}

/** The same day in the person's second calendar, if any. */
function SecondDay({ iso }: { iso: string }) {
  const { time_zone, second_calendar } = useSeller();
  const day = second_calendar === "bikram_sambat" ? calendarDay(iso, time_zone) : null;
  return (
    day && (
      <Suspense fallback={null}>
        <BikramSambat day={day} />
      </Suspense>
    )
  );
}

export function RelativeDay({ iso }: { iso: string }) {
  const format = useFormat();
  return <span className="whitespace-nowrap">{format.relativeDay(iso)}</span>;
}

/** Date and time in the seller's zone. */
export function Moment({ iso }: { iso: string }) {
  const format = useFormat();
  const { time_zone } = useSeller();
  return (
    <time dateTime={iso} title={time_zone}>
      {format.dateTime(iso)}
    </time>
  );
}
