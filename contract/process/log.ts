export type LogLevel = "debug" | "info" | "warn" | "error" | "fatal";
/**
 * The fields of a log line, listed so that they are searchable; none of them holds user input.
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
 * Without line breaks and terminal control characters: the message of a caught error may
 * contain user input.
 */
export const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");

/**
 * Error messages can quote personal data (a rejected value), so only code and location are
 * logged.
 */
export function withoutMessage(error: Error & { code?: string }) {
  const place = error.stack
    ?.split("\n")
    .filter((line) => line.startsWith("    at "))
    .slice(0, 8);
  return { name: error.name, code: error.code, place };
}
