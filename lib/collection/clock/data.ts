import "server-only";
import type { SignedIn } from "#lib/auth/require-seller.ts";
import { orAbsent } from "#lib/billing/absence.ts";

const PATIENCE_MS = 2_000;

/**
 * What time it is for the desk, ISO: in test mode the sandbox's, where the service tells that its clock is
 * ahead. Nobody waits long for it: a copy is shown while the service is away.
 */
export async function deskNow(signedIn: Pick<SignedIn, "scope" | "billing" | "now">) {
  const { scope, billing, now } = signedIn;
  if (scope.mode !== "test") return now;
  const clock = await inTime(orAbsent(billing, () => billing.sandbox.readClock(), "sandbox"));
  const moment = Date.parse(clock?.is_ahead ? clock.now : "");
  return Number.isNaN(moment) ? now : new Date(moment).toISOString();
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
