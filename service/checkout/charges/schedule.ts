const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * A charge is not asked about twice within these milliseconds, however often its page is opened.
 */
export const BETWEEN_QUESTIONS = 5 * SECOND;

/**
 * When a charge that is pending is asked about next: after 10, 20, 40 s, up to 10 minutes; after
 * a day every hour.
 */
export function nextQuestion(
  { begun_at, times_asked }: { begun_at: Date; times_asked: number },
  now: Date,
): Date {
  const isOld = now.getTime() - begun_at.getTime() > DAY;
  const wait = isOld
    ? HOUR
    : Math.min(10 * SECOND * 2 ** Math.min(times_asked, 10), 10 * MINUTE);
  return new Date(now.getTime() + wait);
}

/**
 * When a charge that failed, was left or is held is asked about again: hourly for a day, then
 * daily, but a failed or left one only for a week more.
 * @returns null if it is not asked about any more
 */
export function laterQuestion(since: Date, now: Date, kind: "ended" | "held"): Date | null {
  const age = now.getTime() - since.getTime();
  if (age < DAY) return new Date(now.getTime() + HOUR);
  return kind === "held" || age < 8 * DAY ? new Date(now.getTime() + DAY) : null;
}

/** When a charge with an open dispute is asked about again: daily, until that is over. */
export const nextLook = (now: Date): Date => new Date(now.getTime() + DAY);

/**
 * When a refund that is done is asked about again, because it can fail later: daily for 30 days.
 * @param since when it was done, and `at` now, on the same clock
 * @returns null if it is not asked about any more
 */
export const nextRefundCheck = (since: Date, at: Date, now: Date): Date | null =>
  at.getTime() - since.getTime() < 30 * DAY ? new Date(now.getTime() + DAY) : null;

/** When a refund is tried again, after that number of tries: from a minute to a day. */
export const nextRefund = (tries: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(MINUTE * 2 ** Math.min(tries, 12), DAY));
