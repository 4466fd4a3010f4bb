const SECOND = 1_000;
const MOST = 3_600 * SECOND;

/**
 * The wait that a Retry-After header requests, in milliseconds, at most an hour; null if
 * unreadable.
 */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim();
  if (!text) return null;
  const wait = /^\d+$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now.getTime();
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), MOST);
}
