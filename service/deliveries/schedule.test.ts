import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRetryAfter } from "../outgoing/gateway.ts";
import { stepAfterAttempt, RETRY_DELAYS, retryDelay } from "./schedule.ts";

const now = new Date("2026-03-10T06:00:00Z");
const HOUR = 3_600_000;

describe("retryDelay", () => {
  it("Spec choice, retries: returns delays for ten attempts over 75.6 hours", () => {
    const total = RETRY_DELAYS.reduce((sum, delay) => sum + delay, 0);
    expect((total / HOUR).toFixed(1)).toBe("75.6");
    expect(retryDelay(9, 0.5)).toBe(24 * HOUR);
    expect(retryDelay(10, 0.5)).toBeNull();
  });

  it("Spec choice, retries: varies the planned delay by at most 20 % in either direction", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (tries, random) => {
          const planned = RETRY_DELAYS[tries - 1] ?? 0;
          const delay = retryDelay(tries, random) ?? 0;
          expect(Math.abs(delay - planned)).toBeLessThanOrEqual(planned * 0.2 + 1);
        },
      ),
    );
    expect(retryDelay(1, 0)).toBe(4_000);
    expect(retryDelay(1, 1)).toBe(6_000);
  });
});

describe("readRetryAfter", () => {
  it.each([
    ["120", 120_000],
    ["0", 0],
    ["Tue, 10 Mar 2026 06:02:00 GMT", 120_000],
    ["Tue, 10 Mar 2026 05:00:00 GMT", 0],
    ["999999999", HOUR],
    ["soon", null],
    ["", null],
    [undefined, null],
  ])(
    "Spec choice, retries: reads a Retry-After of %j as %j ms, an hour at most",
    (header, wait) => {
      expect(readRetryAfter(header, now)).toBe(wait);
    },
  );
});

describe("stepAfterAttempt", () => {
  const failure = { code: 503, error: "no", retry_after: undefined };

  it("waits for the longer of the scheduled delay and Retry-After", () => {
    const waited = (tries: number, retry_after: string) =>
      Number(stepAfterAttempt({ tries }, { ...failure, retry_after }, now, 0.5).next_at) -
      now.getTime();
    expect(waited(0, "60")).toBe(60_000);
    expect(waited(2, "60")).toBe(30 * 60_000);
  });

  it("pauses the endpoint for Retry-After only after an answer of 429 or 503", () => {
    const pauses = [429, 500, 502, 503].map(
      (code) =>
        stepAfterAttempt({ tries: 0 }, { ...failure, code, retry_after: "9" }, now, 0)
          .pausedUntil,
    );
    expect(pauses.map((until) => until !== null)).toEqual([true, false, false, true]);
  });
});
