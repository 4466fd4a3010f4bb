import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "#scripts/process/failure.ts";

/** @throws Failure with those words: the product did not do what it is held to */
export function ensure(isSo: boolean, words: string): asserts isSo {
  if (!isSo) throw new Failure(words);
}

const SECONDS = 1_000;

/**
 * Seconds until it is so, to a tenth. While it is looked at, a program may be away.
 * @throws Failure when it is not within a minute, or as soon as it says that it never will be
 */
export async function waitUntil(
  what: string,
  isSo: () => Promise<boolean>,
  longest = 60,
): Promise<string> {
  const began = performance.now();
  while (!(await isSo().catch(falseWhileUnreachable))) {
    if (performance.now() - began > longest * SECONDS)
      throw new Failure(`${what}: not in ${longest} s`);
    await delay(50);
  }
  return ((performance.now() - began) / SECONDS).toFixed(1);
}

/** What fetch and pg throw when nobody answers them; anything else is thrown on. */
function falseWhileUnreachable(error: unknown): false {
  const isOfTheLine =
    error instanceof Error &&
    ("code" in error ||
      error.cause instanceof Error ||
      error.name === "TimeoutError" ||
      /connection (?:terminated|error)|timeout/i.test(error.message));
  if (error instanceof Failure || !isOfTheLine) throw error;
  return false;
}
