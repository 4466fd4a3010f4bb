export type LogLevel = "debug" | "info" | "warn" | "error" | "fatal";
/**
 * The fields of a log line, kept apart from its text to be searchable; none of them holds user input.
 */
export type LogFields = Readonly<Record<string, unknown>>;

/** One log line without the line break, in the format that all four programs share (ADR 0190). */
export function logLineOf(
  { program, level }: { program: string; level: LogLevel },
  msg: string,
  fields: LogFields = {},
  at = new Date(),
): string {
  const line = { level, time: at.toISOString(), program, pid: process.pid, ...fields, msg };
  return JSON.stringify(line, (_name, value: unknown) =>
    typeof value === "string" ? oneLine(value) : value,
  );
}

/**
 * Shuts the program down when its output is no longer read, because the process that started it
 * is gone. Logging that error would only fail again.
 */
export function exitOnClosedOutput(): void {
  let isEnding = false;
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", () => {
      if (!isEnding) process.kill(process.pid, "SIGTERM");
      isEnding = true;
    });
}

const LONGEST = 500;

/** Logs warnings of Node and packages as log lines, instead of plain text on standard error. */
export function logWarnings(tell: (msg: string, fields: LogFields) => void): void {
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) =>
    tell(message.slice(0, LONGEST), { warning: name }),
  );
}

/**
 * Removes line breaks and terminal control characters, because the message of a caught error may
 * contain user input.
 */
export const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");

/** The code of an error of Node, PostgreSQL or a package; empty if it has none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/**
 * Error messages can quote personal data (a rejected value), so only code and location are logged.
 * A thrown value that is no Error is not described at all.
 */
export function errorWithoutMessage(error: unknown) {
  if (!(error instanceof Error)) return {};
  const place = error.stack
    ?.split("\n")
    .filter((line) => line.startsWith("    at "))
    .slice(0, 8);
  return { name: error.name, code: errorCode(error) || undefined, place };
}

/** The security events; a closed list, because each kind has its own limit of log lines. */
type SecurityEvent =
  | "sign_in.refused"
  | "code.refused"
  | "password.refused"
  | "limit.reached"
  | "access.refused"
  | "origin.refused"
  | "request.refused"
  | "operator.decided"
  | "key.refused";

export type LogSecurityEvent = (event: SecurityEvent, fields: LogFields) => void;

/** Log lines per minute for each kind and process: a flood of one kind writes at most 20 MB a day. */
const MOST = 60;
const MINUTE = 60_000;

interface Budget {
  began: number;
  written: number;
  left_out: number;
}

/**
 * Logs the first lines of each minute and then, for each kind, how many were suppressed. One
 * kind does not use up the lines of another.
 * @param later runs the callback after a minute, without keeping the process alive
 */
export function limitedSecurityLog(
  write: LogSecurityEvent,
  { most = MOST, now = Date.now, later = inAMinute } = {},
): LogSecurityEvent {
  const budgets = new Map<SecurityEvent, Budget>();
  return (event, fields) => {
    const known = budgets.get(event);
    const budget =
      known && now() - known.began < MINUTE ? known : { began: now(), written: 0, left_out: 0 };
    budgets.set(event, budget);
    if (budget.written < most) {
      budget.written += 1;
      return write(event, fields);
    }
    budget.left_out += 1;
    if (budget.left_out === 1) later(() => write(event, { left_out: budget.left_out }));
  };
}

const inAMinute = (tell: () => void): void => {
  setTimeout(tell, MINUTE).unref();
};
