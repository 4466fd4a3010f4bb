import "server-only";
import type { Scope } from "#lib/scope.ts";
import { dayInZone } from "#lib/format/format.ts";
import { type BillingClient, nullIfUnsupported } from "./client.ts";
import { SandboxClient } from "./sandbox-client.ts";

const TIMEOUT_MS = 2_000;

export interface ServiceClockInput {
  scope: Scope;
  billing: BillingClient;
  /** The time of the request, ISO. */
  now: string;
}

/**
 * For each seller, how far the sandbox is ahead (milliseconds), and whether it answered after the
 * timeout.
 */
const lastKnown = new Map<string, { ahead: number; isLate: boolean }>();
const MOST_KNOWN = 1_000;

/** Unfinished readings of the clock; the reads of one request share a client, so they ask once. */
const readings = new WeakMap<BillingClient, Promise<number>>();

/**
 * The service's time, ISO: in test mode the sandbox's clock, if it is ahead. After a timeout, and on the
 * next call, it uses the last known offset.
 * @param timeout milliseconds
 */
export async function serviceNow(
  { scope, billing, now }: ServiceClockInput,
  timeout = TIMEOUT_MS,
): Promise<string> {
  if (scope.mode !== "test") return now;
  const known = lastKnown.get(scope.seller);
  const asked = readings.get(billing) ?? readAhead({ scope, billing, now }, timeout);
  readings.set(billing, asked);
  void asked.catch(() => null).then(() => readings.delete(billing));
  const waited = known?.isLate ? ignored(asked) : await inTime(asked, timeout);
  const ahead = waited ?? known?.ahead ?? 0;
  return ahead > 0 ? new Date(Date.parse(now) + ahead).toISOString() : now;
}

async function readAhead(
  { scope, billing, now }: ServiceClockInput,
  timeout: number,
): Promise<number> {
  const began = performance.now();
  const clock = await nullIfUnsupported(
    billing,
    () => new SandboxClient(billing).readClock(),
    "sandbox",
  );
  const ahead = clock?.is_ahead ? Date.parse(clock.now) - Date.parse(now) : 0;
  lastKnown.delete(scope.seller);
  lastKnown.set(scope.seller, {
    ahead: ahead > 0 ? ahead : 0,
    isLate: performance.now() - began >= timeout,
  });
  const [oldest] = lastKnown.keys();
  if (lastKnown.size > MOST_KNOWN && oldest !== undefined) lastKnown.delete(oldest);
  return ahead;
}

function ignored(asked: Promise<unknown>): null {
  asked.catch(() => {});
  return null;
}

/** The seller's calendar day by the service's clock, YYYY-MM-DD: offers start and end by it. */
export async function serviceDay(
  asking: ServiceClockInput & { seller: { time_zone: string } },
): Promise<string> {
  const now = await serviceNow(asking);
  return dayInZone(now, asking.seller.time_zone);
}

async function inTime<Value>(asked: Promise<Value>, timeout: number): Promise<Value | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), timeout);
  try {
    return await Promise.race([asked.catch(() => null), promise]);
  } finally {
    clearTimeout(timer);
  }
}
