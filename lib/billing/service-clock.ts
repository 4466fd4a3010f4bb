import "server-only";
import type { Scope } from "#lib/scope.ts";
import { calendarDay } from "#lib/format/format.ts";
import { orUnsupported } from "./unsupported.ts";
import type { BillingClient } from "./client.ts";

const TIMEOUT_MS = 2_000;

export interface Asking {
  scope: Scope;
  billing: BillingClient;
  /** ISO */
  now: string;
}

interface LastKnown {
  /** Milliseconds; 0 where it is not ahead. */
  ahead: number;
  /** It took longer than anybody waits. */
  isLate: boolean;
}

/** By seller, what its sandbox answered last. */
const lastKnown = new Map<string, LastKnown>();
const MOST_KNOWN = 1_000;

/**
 * What time it is for the service, ISO: in test mode the sandbox's, where the service tells that its clock
 * is ahead. Nobody waits long for it, and for one that answered late not at all: it is as far ahead as it
 * was then.
 * @param patience milliseconds
 */
export async function serviceNow(
  { scope, billing, now }: Asking,
  patience = TIMEOUT_MS,
): Promise<string> {
  if (scope.mode !== "test") return now;
  const known = lastKnown.get(scope.seller);
  const asked = readAhead({ scope, billing, now }, patience);
  const waited = known?.isLate ? ignored(asked) : await inTime(asked, patience);
  const ahead = waited ?? known?.ahead ?? 0;
  return ahead > 0 ? new Date(Date.parse(now) + ahead).toISOString() : now;
}

async function readAhead({ scope, billing, now }: Asking, patience: number): Promise<number> {
  const began = performance.now();
  const clock = await orUnsupported(billing, () => billing.sandbox.readClock(), "sandbox");
  const ahead = clock?.is_ahead ? Date.parse(clock.now) - Date.parse(now) : 0;
  lastKnown.delete(scope.seller);
  lastKnown.set(scope.seller, {
    ahead: ahead > 0 ? ahead : 0,
    isLate: performance.now() - began >= patience,
  });
  const [oldest] = lastKnown.keys();
  if (lastKnown.size > MOST_KNOWN && oldest !== undefined) lastKnown.delete(oldest);
  return ahead;
}

function ignored(asked: Promise<unknown>): null {
  asked.catch(() => {});
  return null;
}

/** The seller's calendar day then, YYYY-MM-DD: offers begin and end by it. */
export async function serviceDay(
  asking: Asking & { seller: { time_zone: string } },
): Promise<string> {
  const now = await serviceNow(asking);
  return calendarDay(now, asking.seller.time_zone) ?? now.slice(0, 10);
}

async function inTime<Value>(asked: Promise<Value>, patience: number): Promise<Value | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), patience);
  try {
    return await Promise.race([asked.catch(() => null), promise]);
  } finally {
    clearTimeout(timer);
  }
}
