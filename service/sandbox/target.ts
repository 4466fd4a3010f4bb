import type { MoveClock } from "#contract/sandbox.ts";
import { ApiError } from "../http/errors.ts";
import type { Seller } from "../sellers/store.ts";

const DAY = 24 * 60 * 60 * 1_000;
const FARTHEST = 5 * 366 * DAY;

/**
 * The moment that is meant, seen from the seller's now.
 * @throws 400 for one that does not lie ahead, or lies more than five years ahead of real time
 */
export function targetOf(
  { to, by }: MoveClock,
  { time_zone }: Seller,
  { now, realNow }: { now: Date; realNow: Date },
): Date {
  const field = to === undefined ? "by" : "to";
  const target = to === undefined ? later(now, time_zone, by ?? "") : new Date(to);
  if (target === null || !(target > now))
    throw new ApiError(400, { [field]: ["A clock only goes forward: choose a later moment."] });
  if (target.getTime() - realNow.getTime() > FARTHEST)
    throw new ApiError(400, { [field]: ["Choose a moment within five years from today."] });
  return target;
}

/** Counted in the seller's calendar: a month keeps the time of day, also where clocks change. */
function later(now: Date, timeZone: string, span: string): Date | null {
  try {
    const start = Temporal.Instant.fromEpochMilliseconds(now.getTime());
    return new Date(start.toZonedDateTimeISO(timeZone).add(span).epochMilliseconds);
  } catch {
    return null;
  }
}
