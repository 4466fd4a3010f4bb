export type LogLevel = "debug" | "info" | "warn" | "error" | "fatal";
/** Named, so that they are found; none of them holds what a person typed. */
export type LogFields = Readonly<Record<string, unknown>>;

/** One line of the log, in the form that all four programs share (ADR 0196); without its end. */
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
 * Ends the program in order once nobody takes what it writes: whoever started it is gone, and a line about
 * the line that could not be written would be one more.
 */
export function endUnheard(): void {
  let isEnding = false;
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", () => {
      if (!isEnding) process.kill(process.pid, "SIGTERM");
      isEnding = true;
    });
}

const LONGEST = 500;

/** What Node and packages warn of becomes a line too, instead of text on standard error. */
export function logWarnings(tell: (msg: string, fields: LogFields) => void): void {
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) =>
    tell(message.slice(0, LONGEST), { warning: name }),
  );
}

/** Without line ends and signs that steer a terminal: what was caught may hold what others wrote. */
export const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");

/** Message texts can quote personal data (a refused value), so only code and place are kept. */
export function withoutWords(error: Error & { code?: string }) {
  const place = error.stack
    ?.split("\n")
    .filter((line) => line.startsWith("    at "))
    .slice(0, 8);
  return { name: error.name, code: error.code, place };
}
