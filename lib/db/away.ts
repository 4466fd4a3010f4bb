import { boundOutage } from "#contract/outage.ts";
import { logLine } from "#lib/log.ts";

// Class 08 is also what a pooler says when it cannot reach the database, 25006 a copy that another server
// has taken over from, 55P03 whoever waited for a lock: somebody keeps a row or table to themselves.
const SAID = /^(08\w{3}|57P0[1-3]|53[123]00|25006|55P03)$/;
const OF_THE_CONNECTION =
  /^E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|AI_AGAIN|(HOST|NET)(UNREACH|DOWN))$|^ENO(TFOUND|ENT)$/;
const OF_THE_DRIVER =
  /connection terminated|timeout exceeded when trying to connect|not queryable|query read timeout/i;

/**
 * Whether a statement failed because the database was away, and not by what it asked.
 * @param error of the driver's; a network error of anybody else looks the same
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined && SAID.test(code)) return true;
  // A file that is missing is no server that is.
  if (code !== undefined && OF_THE_CONNECTION.test(code)) return syscall !== "open";
  return OF_THE_DRIVER.test(error.message);
}

// On globalThis: the process that listens and the bundle that answers each load this file.
const shared = globalThis as typeof globalThis & {
  duebookOutage?: ReturnType<typeof boundOutage>;
};

/** The operator hears of it once a minute, whoever met it. */
export const tellAway = (error: unknown): void =>
  (shared.duebookOutage ??= boundOutage(logLine))(error);
