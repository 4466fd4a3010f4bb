import { logLineOf, type LogFields, type LogLevel } from "#contract/process/log.ts";
import { limitedSecurityLog } from "#contract/process/security-log.ts";
import { currentRequestId } from "./trace/current-request.ts";

let program = "dashboard";

/** For a program that is not the dashboard's own process. */
export function nameProgram(name: string): void {
  program = name;
}

/**
 * One line for the operator, with the request that it belongs to. Never a key, a link or anything of
 * a buyer's: neither in its words nor in its fields.
 */
export function logLine(msg: string, fields: LogFields = {}, level: LogLevel = "error"): void {
  const request = currentRequestId() ?? undefined;
  const line = logLineOf({ program, level }, msg, { request, ...fields });
  process.stderr.write(`${line}\n`);
}

/** What somebody was refused, in one line: by ids and marks, never by what was typed. */
export const logSecurity = limitedSecurityLog((event, fields) =>
  logLine("security event", { event, ...fields }, "warn"),
);
