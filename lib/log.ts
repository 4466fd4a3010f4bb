import {
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
