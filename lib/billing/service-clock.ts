import "server-only";
import type { Mode } from "#lib/auth/scope.ts";
import { calendarDay } from "#lib/format.ts";
import { orAbsent } from "./absence.ts";
import type { BillingClient } from "./client.ts";

const PATIENCE_MS = 2_000;

export interface Asking {
  scope: { mode: Mode };
  billing: BillingClient;
  /** ISO */
  now: string;
}

/**
 * What time it is for the service, ISO: in test mode the sandbox's, where the service tells that its clock
 * is ahead. Nobody waits long for it: a copy is shown while the service is away.
 */
export async function serviceNow({ scope, billing, now }: Asking): Promise<string> {
  if (scope.mode !== "test") return now;
  const clock = await inTime(orAbsent(billing, () => billing.sandbox.readClock(), "sandbox"));
  const moment = Date.parse(clock?.is_ahead ? clock.now : "");
  return Number.isNaN(moment) ? now : new Date(moment).toISOString();
}

/** The seller's calendar day then, YYYY-MM-DD: offers begin and end by it. */
export async function serviceDay(
  asking: Asking & { seller: { time_zone: string } },
): Promise<string> {
  const now = await serviceNow(asking);
  return calendarDay(now, asking.seller.time_zone) ?? now.slice(0, 10);
}

async function inTime<Value>(asked: Promise<Value>): Promise<Value | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), PATIENCE_MS);
  try {
    return await Promise.race([asked.catch(() => null), promise]);
  } finally {
    clearTimeout(timer);
  }
}
