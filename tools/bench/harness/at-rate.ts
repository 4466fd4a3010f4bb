import { setTimeout as delay } from "node:timers/promises";

/**
 * Starts calls at a constant rate, however long the earlier ones take: slow answers do not lower the
 * load. Resolves when all calls have ended, and rejects with the first error; after an error it starts
 * no further call.
 */
export async function callAtRate(
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
