import type { LogFields } from "./log.ts";

/** The security events; a closed list, because each kind has its own limit of log lines. */
export type SecurityEvent =
  | "sign_in.refused"
  | "code.refused"
  | "password.refused"
  | "limit.reached"
  | "access.refused"
  | "origin.refused"
  | "request.refused"
  | "key.refused";

export type TellSecurity = (event: SecurityEvent, fields: LogFields) => void;

/** Log lines per minute for each kind and process: a flood writes at most 20 MB a day. */
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
  write: TellSecurity,
  { most = MOST, now = Date.now, later = inAMinute } = {},
): TellSecurity {
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
