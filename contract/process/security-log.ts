import type { LogFields } from "./log.ts";

/** What somebody was refused; a closed list, as each has a budget of lines of its own. */
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

/** Lines a minute of one kind and process: whoever floods us writes 20 MB a day at most. */
const MOST = 60;
const MINUTE = 60_000;

interface Budget {
  began: number;
  written: number;
  left_out: number;
}

/**
 * Lets the first lines of every minute through, and says of each kind how many more there were. One
 * kind takes no lines away from another.
 * @param later runs once a minute has passed, and holds no process up
 */
export function boundSecurity(
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
