import { limitedOutageLog, isOutage } from "#contract/process/database.ts";
import {
  errorCode,
  errorWithoutMessage,
  limitedSecurityLog,
  type LogFields,
  type LogLevel,
  logLineOf,
} from "#contract/process/log.ts";
import { currentRequestId } from "./trace.ts";

let program = "dashboard";

/** Sets the program name in log lines. */
export function nameProgram(name: string): void {
  program = name;
}

/** Writes one log line. Messages and fields must not contain API keys, links or buyer data. */
export function logLine(msg: string, fields: LogFields = {}, level: LogLevel = "error"): void {
  const request = currentRequestId() ?? undefined;
  const line = logLineOf({ program, level }, msg, { request, ...fields });
  process.stderr.write(`${line}\n`);
}

/** Logs a refused request by ids, never by what the user typed. */
export const logSecurity = limitedSecurityLog((event, fields) =>
  logLine("security event", { event, ...fields }, "warn"),
);

/**
 * Whether the database is unavailable; also if a lock was not free within the lock timeout (55P03).
 */
export const isDatabaseAway = (error: unknown): boolean =>
  isOutage(error) || errorCode(error) === "55P03";

// On globalThis, because scripts/dashboard.ts and Next's server bundle each load this file.
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
