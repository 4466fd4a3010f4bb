"use client";

import { useSeller } from "#components/context/seller-context.tsx";
import { useFormat } from "./use-format.ts";

/** Date and time in the seller's zone. */
export function Moment({ iso }: { iso: string }) {
  const format = useFormat();
  const { time_zone } = useSeller();
  return (
    <time dateTime={iso} title={time_zone} className="whitespace-nowrap tabular-nums">
      {format.dateTime(iso)}
    </time>
  );
}
