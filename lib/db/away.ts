import { withoutMessage } from "#contract/process/log.ts";
import { limitedOutageLog, isOutage } from "#contract/process/outage.ts";
import { logLine } from "#lib/log.ts";

/** Also where somebody keeps a row or a table to themselves for longer than a statement waits (55P03). */
export const isDatabaseAway = (error: unknown): boolean =>
  isOutage(error) || (error instanceof Error && "code" in error && error.code === "55P03");

// On globalThis: the process that listens and the bundle that answers each load this file.
const shared = globalThis as typeof globalThis & {
  duebookOutage?: ReturnType<typeof limitedOutageLog>;
};

/** The operator hears of it once a minute, whoever met it. */
export const tellAway = (error: unknown): void =>
  (shared.duebookOutage ??= limitedOutageLog(logLine))(error);

/** A line about what went wrong behind somebody's back, without its words; an outage is told once. */
export function tellFault(msg: string, error: unknown): void {
  if (isDatabaseAway(error)) return tellAway(error);
  logLine(msg, { fault: error instanceof Error ? withoutMessage(error) : {} });
}
