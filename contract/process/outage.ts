import { withoutMessage, type LogFields } from "./log.ts";

const MINUTE = 60_000;

// A pooler reports class 08 when it cannot reach the database; 25006 comes from a replica after
// a failover.
const SAID = /^(08\w{3}|57P0[1-3]|53[123]00|25006)$/;
const OF_THE_CONNECTION =
  /^E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|AI_AGAIN|(HOST|NET)(UNREACH|DOWN))$|^ENO(TFOUND|ENT)$/;
const OF_THE_DRIVER =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|not queryable|query read timeout/i;

/**
 * Whether a statement failed because the database is unavailable, which affects every request,
 * and not because of its content.
 * @param error an error of the database driver; network errors of other clients look the same
 */
export function isOutage(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as Error & { code?: string; syscall?: string };
  if (code !== undefined && SAID.test(code)) return true;
  // A missing file does not mean that a server is down.
  if (code !== undefined && OF_THE_CONNECTION.test(code)) return syscall !== "open";
  return OF_THE_DRIVER.test(error.message);
}

/**
 * Logs an unavailable database once a minute, with the cause and the number of further errors.
 * Callers get the error in their answer.
 */
export function limitedOutageLog(
  write: (msg: string, fields: LogFields) => void,
  now = Date.now,
): (error: unknown) => void {
  let told = -Infinity;
  let left_out = 0;
  return (error) => {
    if (now() - told < MINUTE) {
      left_out += 1;
      return;
    }
    const more = left_out > 0 ? { left_out } : {};
    write("the database is away", { ...causeOf(error), ...more });
    told = now();
    left_out = 0;
  };
}

/**
 * The driver's message, which quotes no value; a connection refused at several addresses has
 * none.
 */
const causeOf = (error: unknown) =>
  error instanceof Error
    ? { cause: error.message || undefined, fault: withoutMessage(error) }
    : { cause: String(error) };
