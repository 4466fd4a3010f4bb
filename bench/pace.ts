import { setTimeout as delay } from "node:timers/promises";

/**
 * Begins so many a second, each at its moment however long those before it take: who waits does not
 * ask less. @returns when all of them have ended
 */
export async function atPace(
  { rate, seconds }: { rate: number; seconds: number },
  begin: (at: number) => Promise<void>,
): Promise<void> {
  const begun: Promise<void>[] = [];
  const started = performance.now();
  for (let at = 0; at < rate * seconds; at += 1) {
    await delay(Math.max(0, started + (at * 1_000) / rate - performance.now()));
    begun.push(begin(at));
  }
  await Promise.all(begun);
}
