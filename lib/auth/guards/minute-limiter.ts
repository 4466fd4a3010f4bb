const MINUTE = 60_000;
/** Maximum names counted in a minute, against floods of invented names. */
const MOST_NAMES = 20_000;

/**
 * Limits requests per name and minute within this process, for open routes, before the database is used.
 * throttle.ts counts across processes.
 * @returns whether the request is within the limit
 */
export function minuteLimiter(most: number) {
  const counts = new Map<string, number>();
  let minute = 0;
  return (name: string, now: Date): boolean => {
    const current = Math.floor(now.getTime() / MINUTE);
    if (current !== minute) counts.clear();
    minute = current;
    const count = (counts.get(name) ?? 0) + 1;
    if (count > most || (count === 1 && counts.size >= MOST_NAMES)) return false;
    counts.set(name, count);
    return true;
  };
}
