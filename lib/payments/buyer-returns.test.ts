import { expect, test } from "vitest";
import { minuteLimiter } from "#lib/payments/buyer-returns.ts";

const at = (seconds: number) => new Date(Date.parse("2026-11-20T10:00:00Z") + seconds * 1_000);

test("the rate limiter counts the calls of each key separately within a minute", () => {
  const may = minuteLimiter(3);
  const asked = Array.from({ length: 5 }, () => may("a", at(0)));
  expect(asked).toEqual([true, true, true, false, false]);
  expect(may("b", at(59))).toBe(true);
  expect(may("a", at(59))).toBe(false);
  expect(may("a", at(60))).toBe(true);
});

test("the rate limiter refuses new keys when it holds too many, and known keys keep working", () => {
  const may = minuteLimiter(3);
  expect(may("known", at(0))).toBe(true);
  const made = Array.from({ length: 20_001 }, (_, n) => may(`made up ${n}`, at(1)));
  expect(made.filter(Boolean)).toHaveLength(19_999);
  expect(may("known", at(2))).toBe(true);
  expect(may("new", at(61))).toBe(true);
});
