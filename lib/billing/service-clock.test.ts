import { expect, test } from "vitest";
import type { Clock } from "#contract/sandbox.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { serviceNow } from "./service-clock.ts";

const NOW = "2026-11-22T09:00:00.000Z";
const LATER = "2026-12-22T09:00:00.000Z";

const asked = (readClock: () => Promise<Clock>, mode: "test" | "live" = "test") =>
  serviceNow({
    scope: { mode },
    billing: { sandbox: { readClock } } as unknown as BillingClient,
    now: NOW,
  });

const clock = (changes: Partial<Clock>): Clock => ({
  now: NOW,
  real_now: NOW,
  is_ahead: false,
  time_zone: "UTC",
  next_transition_at: null,
  ...changes,
});

test("a sandbox that is ahead is what the desk counts by", async () => {
  expect(await asked(async () => clock({ is_ahead: true, now: LATER }))).toBe(LATER);
  expect(await asked(async () => clock({ now: LATER }))).toBe(NOW);
});

test("live mode has no other time, and a service without a sandbox none that it tells", async () => {
  const never = () => Promise.reject(new Error("nobody is asked"));
  expect(await asked(never, "live")).toBe(NOW);
  expect(await asked(never)).toBe(NOW);
  expect(await asked(async () => clock({ is_ahead: true, now: "soon" }))).toBe(NOW);
});
