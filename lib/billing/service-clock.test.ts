import { expect, test } from "vitest";
import type { Clock } from "#contract/sandbox.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { serviceNow } from "./service-clock.ts";

const NOW = "2026-11-22T09:00:00.000Z";
const LATER = "2026-12-22T09:00:00.000Z";

const asked = (
  readClock: () => Promise<Clock>,
  mode: "test" | "live" = "test",
  { seller = crypto.randomUUID(), timeout = 2_000 } = {},
) => {
  const billing = { extension: () => ({ read: readClock }) } as unknown as BillingClient;
  return serviceNow({ scope: { seller, mode }, billing, now: NOW }, timeout);
};

const clock = (changes: Partial<Clock>): Clock => ({
  now: NOW,
  real_now: NOW,
  is_ahead: false,
  time_zone: "UTC",
  next_transition_at: null,
  ...changes,
});

test("the service's time is the sandbox clock if that clock is ahead of the real time", async () => {
  expect(await asked(async () => clock({ is_ahead: true, now: LATER }))).toBe(LATER);
  expect(await asked(async () => clock({ now: LATER }))).toBe(NOW);
});

test("concurrent reads of the service's time request the sandbox clock once, and a later read requests it again", async () => {
  let calls = 0;
  const read = async () => {
    calls += 1;
    return clock({ is_ahead: true, now: LATER });
  };
  const billing = { extension: () => ({ read }) } as unknown as BillingClient;
  const scope = { seller: crypto.randomUUID(), mode: "test" } as const;
  const asking = { scope, billing, now: NOW };
  expect(await Promise.all([serviceNow(asking), serviceNow(asking)])).toEqual([LATER, LATER]);
  expect(calls).toBe(1);
  await serviceNow(asking);
  expect(calls).toBe(2);
});

test("while the sandbox does not answer, the service's time follows the last known offset of the clock", async () => {
  const slow = { seller: crypto.randomUUID(), timeout: 0 };
  const { promise, resolve } = Promise.withResolvers<Clock>();
  expect(await asked(() => promise, "test", slow)).toBe(NOW);
  resolve(clock({ is_ahead: true, now: LATER }));
  await promise;
  await Promise.resolve();
  const never = () => new Promise<Clock>(() => {});
  // The second call uses the last known offset and does not wait for a timeout.
  expect(await asked(never, "test", { ...slow, timeout: 600_000 })).toBe(LATER);
  expect(await asked(never, "test", { timeout: 0 })).toBe(NOW);
  // After the clock is reset, the next call returns the real time.
  const right = async () => clock({});
  expect(await asked(right, "test", { ...slow, timeout: 2_000 })).toBe(LATER);
  await right();
  expect(await asked(right, "test", { ...slow, timeout: 2_000 })).toBe(NOW);
});

test("the service's time is the real time in live mode, or if there is no readable sandbox clock", async () => {
  const never = () => Promise.reject(new Error("it is not called"));
  expect(await asked(never, "live")).toBe(NOW);
  expect(await asked(never)).toBe(NOW);
  expect(await asked(async () => clock({ is_ahead: true, now: "soon" }))).toBe(NOW);
});
