import { MoveClock } from "#contract/sandbox.ts";
import { ApiError, validationError } from "../../http/errors.ts";
import { sellerNow } from "../../sellers/seller-clock.ts";
import type { Seller } from "../../sellers/store.ts";

const DAY = 24 * 60 * 60 * 1_000;
/** How far a clock may be ahead of real time, in milliseconds. */
export const MAX_CLOCK_LEAD = 5 * 366 * DAY;

export const timesOf = (seller: Seller, realNow: Date) => ({
  realNow,
  now: sellerNow(seller, realNow),
});

/** @throws 400 for a missing or invalid target, and as `targetOf` does */
export function readTarget(given: unknown, seller: Seller, realNow: Date) {
  const input = MoveClock.safeParse(given);
  if (!input.success) throw validationError(input.error);
  const moments = timesOf(seller, realNow);
  return { ...moments, target: targetOf(input.data, seller, moments) };
}

/** @throws 400 if it is not in the future, or more than five years ahead of real time */
export function targetOf(
  { to, by }: MoveClock,
  { time_zone }: Seller,
  { now, realNow }: { now: Date; realNow: Date },
): Date {
  const field = to === undefined ? "by" : "to";
  const target = to === undefined ? later(now, time_zone, by ?? "") : new Date(to);
  if (target === null || !(target > now))
    throw new ApiError(400, { [field]: ["The clock only goes forward. Choose a later time."] });
  if (target.getTime() - realNow.getTime() > MAX_CLOCK_LEAD)
    throw new ApiError(400, { [field]: ["Choose a time within five years from today."] });
  return target;
}

/** Adds a period in the seller's calendar: a month keeps the time of day. */
function later(now: Date, timeZone: string, span: string): Date | null {
  try {
    const start = Temporal.Instant.fromEpochMilliseconds(now.getTime());
    return new Date(start.toZonedDateTimeISO(timeZone).add(span).epochMilliseconds);
  } catch {
    return null;
  }
}
