import { setTimeout as delay } from "node:timers/promises";
import { CommandFailure } from "#scripts/process/command.ts";

/** Throws unless the condition holds. @throws CommandFailure with the message */
export function ensureThat(isSo: boolean, words: string): asserts isSo {
  if (!isSo) throw new CommandFailure(words);
}

const SECONDS = 1_000;

/**
 * Waits until the condition holds; connection errors while it is checked count as “not yet”.
 * @returns the seconds it took, to a tenth. @throws CommandFailure after a minute, or when the check throws one
 */
export async function waitUntil(
  what: string,
  isSo: () => Promise<boolean>,
  longest = 60,
): Promise<string> {
  const began = performance.now();
  while (!(await isSo().catch(falseWhileUnreachable))) {
    if (performance.now() - began > longest * SECONDS)
      throw new CommandFailure(`${what}: not in ${longest} s`);
    await delay(50);
  }
  return ((performance.now() - began) / SECONDS).toFixed(1);
}

/** @returns false for the errors that fetch and pg throw without a connection; rethrows others */
function falseWhileUnreachable(error: unknown): false {
  const isConnectionError =
    error instanceof Error &&
    ("code" in error ||
      error.cause instanceof Error ||
      error.name === "TimeoutError" ||
      /connection (?:terminated|error)|timeout/i.test(error.message));
  if (error instanceof CommandFailure || !isConnectionError) throw error;
  return false;
}
