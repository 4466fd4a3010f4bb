import { stripVTControlCharacters } from "node:util";
import { exitOnClosedOutput, logWarnings, errorWithoutMessage } from "#contract/process/log.ts";
import { isDatabaseAway, logOutage } from "#lib/log.ts";
import { logLine } from "#lib/log.ts";

const LEVELS = { error: "error", warn: "warn", log: "info", info: "info" } as const;
const LONGEST = 500;

/**
 * Turns output of Next.js and packages into log lines: their own sentences, and name, code and place
 * of errors. Everything else is dropped, since it may hold personal data.
 */
export function redirectConsoleToLog(): void {
  exitOnClosedOutput();
  for (const [method, level] of Object.entries(LEVELS))
    console[method as keyof typeof LEVELS] = (...parts: unknown[]) => {
      const words = parts.filter((part) => typeof part === "string").join(" ");
      const error = parts.find((part) => part instanceof Error);
      if (isDatabaseAway(error)) return logOutage(error);
      const msg = stripVTControlCharacters(words).trim().slice(0, LONGEST);
      logLine(msg || "failed", error ? describe(error) : {}, level);
    };
  logWarnings((msg, fields) => logLine(msg, fields, "warn"));
}

/** @returns the error with Next.js' digest, which the page shows too */
const describe = (error: Error) => ({
  fault: errorWithoutMessage(error),
  ...("digest" in error && { reference: String(error.digest) }),
});
