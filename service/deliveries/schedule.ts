const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Spec choice, retries: the wait after each failure; after the last try a delivery has failed. */
export const RETRY_DELAYS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
const JITTER = 0.2;
const MAX_RETRY_AFTER = HOUR;
/** So long may an endpoint do nothing but fail. */
export const FAILING_LIMIT = 5 * 24 * HOUR;

/**
 * @param tries how many attempts this schedule has had, the failed one included
 * @param random between 0 and 1: spreads the retries of an endpoint that failed all at once
 * @returns milliseconds, or null when the tries are used up
 */
export function retryDelay(tries: number, random: number): number | null {
  const delay = RETRY_DELAYS[tries - 1];
  return delay === undefined ? null : Math.round(delay * (1 - JITTER + 2 * JITTER * random));
}

/** Reads Retry-After: seconds or a date. @returns milliseconds, an hour at most; null if unreadable */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim();
  if (!text) return null;
  const wait = /^\d+$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now.getTime();
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), MAX_RETRY_AFTER);
}
