import { addDays, daysBetween } from "#lib/calendar.ts";

/** Days of the seller's zone, both in it; YYYY-MM-DD. */
export interface Period {
  from: string;
  to: string;
}

const USUAL_DAYS = 30;
/** Three years by day are as much as a graph can show. */
const MOST_DAYS = 1_096;

/** The last 30 days where nothing else is asked; the ends in either order, today at the latest. */
export function periodOf(
  asked: { from: string | null; to: string | null },
  today: string,
): Period {
  const clamp = (day: string) => (day > today ? today : day);
  const end = clamp(asked.to ?? today);
  const begin = clamp(asked.from ?? addDays(end, 1 - USUAL_DAYS));
  const [from, to] = begin > end ? [end, begin] : [begin, end];
  const earliest = addDays(to, 1 - MOST_DAYS);
  return { from: from < earliest ? earliest : from, to };
}

/** As many days, right before. */
export function periodBefore({ from, to }: Period): Period {
  const days = daysBetween(from, to) + 1;
  return { from: addDays(from, -days), to: addDays(from, -1) };
}
