import { setTimeout as delay } from "node:timers/promises";

/**
 * Begins so many a second, each at its moment however long those before it take: who waits does not
 * ask less. @returns when all of them have ended, and throws what the first that failed threw; after
 * it no further one is begun
 */
export async function atRate(
  { rate, seconds }: { rate: number; seconds: number },
  begin: (at: number) => Promise<void>,
): Promise<void> {
  const begun: Promise<void>[] = [];
  let hasFailed = false;
  const started = performance.now();
  for (let at = 0; at < rate * seconds && !hasFailed; at += 1) {
    await delay(Math.max(0, started + (at * 1_000) / rate - performance.now()));
    const one = begin(at);
    one.catch(() => (hasFailed = true));
    begun.push(one);
  }
  await Promise.allSettled(begun);
  await Promise.all(begun);
}
