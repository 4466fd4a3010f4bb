import { setTimeout as delay } from "node:timers/promises";
import { logLineOf } from "#contract/process/log.ts";

export const errorMessageOf = (error: unknown) =>
  error instanceof Error ? error.message : String(error);

/** Reporters of a failed start: each writes one line without a stack trace, and ends the process. */
export function startFailure(program: string) {
  const fail = (message: string): never => {
    process.stderr.write(`${logLineOf({ program, level: "fatal" }, message)}\n`);
    process.exit(1);
  };
  return {
    fail,
    cannotMigrate: (error: unknown) =>
      fail(
        `the database of SERVICE_DATABASE_URL cannot be used: ${errorMessageOf(error) || "nothing answers"}`,
      ),
    cannotListen: (variable: string, port: number) => (error: NodeJS.ErrnoException) =>
      fail(
        error.code === "EADDRINUSE"
          ? `port ${port} is taken. Set ${variable} to a free one.`
          : `cannot listen on port ${port} (${variable}): ${errorMessageOf(error)}`,
      ),
  };
}

export function closeOnSignal(close: () => Promise<void>): void {
  let isClosing = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => {
      if (isClosing) return;
      isClosing = true;
      void close();
    });
}

/**
 * Runs the closers in order: no new connections, running requests to their end, then their
 * resources.
 * @returns false if that took longer than the limit; the process must then end anyway
 */
export async function closeWithin(
  milliseconds: number,
  closers: (() => Promise<unknown>)[],
): Promise<boolean> {
  const limit = new AbortController();
  const closing = (async () => {
    for (const close of closers) await close();
    return true;
  })();
  const late = delay(milliseconds, false, { signal: limit.signal }).catch(() => false);
  const inTime = await Promise.race([closing, late]);
  limit.abort();
  return inTime;
}
