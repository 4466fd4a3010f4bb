import { errorCode, errorWithoutMessage } from "#contract/process/log.ts";
import { limitedOutageLog, isOutage } from "#contract/process/database.ts";
import { logLine } from "#lib/log.ts";

/**
 * Whether the database is unavailable; also if a lock was not free within the lock timeout (55P03).
 */
export const isDatabaseAway = (error: unknown): boolean =>
  isOutage(error) || errorCode(error) === "55P03";

// On globalThis, because the listening process and the server bundle each load this file.
const shared = globalThis as typeof globalThis & {
  duebookOutage?: ReturnType<typeof limitedOutageLog>;
};

/** Logs an unavailable database at most once a minute. */
export const logOutage = (error: unknown): void =>
  (shared.duebookOutage ??= limitedOutageLog(logLine))(error);

/** Logs a background failure, without its message; outages at most once a minute. */
export function logFault(msg: string, error: unknown): void {
  if (isDatabaseAway(error)) return logOutage(error);
  logLine(msg, { fault: errorWithoutMessage(error) });
}
