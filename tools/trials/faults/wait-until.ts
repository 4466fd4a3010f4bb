import { setTimeout as delay } from "node:timers/promises";
import { CommandFailure } from "#scripts/process/command.ts";

/** Throws unless the condition holds. @throws CommandFailure with the message */
export function ensureThat(isSo: boolean, words: string): asserts isSo {
  if (!isSo) throw new CommandFailure(words);
}

const SECONDS = 1_000;

/**
 * Waits until there is a value; connection errors while it is looked for count as “not yet”.
 * @throws CommandFailure after `longest` seconds, and every other error of the search
 */
export async function waitFor<Value>(
  what: string,
  find: () => Promise<Value | false | undefined>,
  longest = 60,
): Promise<Value> {
  const began = performance.now();
  for (;;) {
    const found = await find().catch(falseWhileUnreachable);
    if (found !== false && found !== undefined) return found;
    if (performance.now() - began > longest * SECONDS)
      throw new CommandFailure(`${what}: waited ${longest} s in vain`);
    await delay(50);
  }
}

/** Waits until the condition holds, as `waitFor` does. @returns the seconds it took, to a tenth */
export async function waitUntil(
  what: string,
  isSo: () => Promise<boolean>,
  longest?: number,
): Promise<string> {
  const began = performance.now();
  await waitFor(what, isSo, longest);
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
