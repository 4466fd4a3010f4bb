const MINUTE = 60_000;
/** Names of one minute: so many, made up, are not kept either. */
const MOST_NAMES = 20_000;

/**
 * How often a name may come in a minute, as this process saw it: for what anybody may ask, before the
 * database is asked anything. Whoever is to be counted by all processes is counted by throttle.ts.
 * @returns whether it may this time
 */
export function openFlood(most: number) {
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
