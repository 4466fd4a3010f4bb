import { addDays, addMonths, endOfMonth } from "#lib/format/calendar.ts";
import type { ReportSearch } from "#lib/reports/search.ts";

export const PRESETS = ["days30", "month", "lastMonth", "days90", "year"] as const;
export type Preset = (typeof PRESETS)[number];

type Asked = Pick<ReportSearch, "from" | "to">;

/** A preset's days as YYYY-MM-DD. The default has none, so that its URL keeps its meaning. */
export function askFor(preset: Preset, today: string): Asked {
  const first = `${today.slice(0, 8)}01`;
  switch (preset) {
    case "days30":
      return { from: null, to: null };
    case "month":
      return { from: first, to: today };
    case "lastMonth": {
      const from = addMonths(first, -1);
      return { from, to: endOfMonth(from) };
    }
    case "days90":
      return { from: addDays(today, -89), to: today };
    case "year":
      return { from: addDays(addMonths(today, -12), 1), to: today };
  }
}

/** The URL's preset; null for custom days. */
export function presetOf({ from, to }: Asked, today: string): Preset | null {
  return (
    PRESETS.find((preset) => {
      const asked = askFor(preset, today);
      return asked.from === from && (asked.to ?? today) === (to ?? today);
    }) ?? null
  );
}
