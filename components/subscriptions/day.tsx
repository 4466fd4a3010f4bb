"use client";

import { useSeller } from "#components/layout/seller-context.tsx";
import { formatDate, formatDateTime, formatRelativeDay } from "#lib/format.ts";

/** A date in the seller's zone; the full moment and the zone are in its title. */
export function Day({ iso }: { iso: string }) {
  const { time_zone } = useSeller();
  return (
    <time
      dateTime={iso}
      title={`${formatDateTime(iso, time_zone)} (${time_zone})`}
      className="whitespace-nowrap tabular-nums"
    >
      {formatDate(iso, time_zone)}
    </time>
  );
}

export function RelativeDay({ iso }: { iso: string }) {
  const { time_zone, now } = useSeller();
  return <span className="whitespace-nowrap">{formatRelativeDay(iso, time_zone, now)}</span>;
}
