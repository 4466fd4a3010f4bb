import { expect, test } from "vitest";
import { howReached, type Move } from "./rules.ts";

const DAY = "2026-11-28";
const move = (at: string, before: string | null, after: string): Move => ({
  at,
  before,
  after,
  name: "Asha",
  is_own: false,
});
const nothing = { proven_at: null, seen: null, moves: [] };
const seen = { at: "2026-10-21T06:00:00Z", to: "2026-11-21" };
const proven_at = "2026-10-21T05:00:00Z";
const further = move("2026-11-23T05:00:00Z", "2026-11-21", DAY);
const back = move("2026-11-23T06:00:00Z", DAY, "2026-11-21");

test("a date is paid until where a payment led to it", () => {
  expect(howReached("2026-11-21", { ...nothing, seen })).toEqual({ by: "payment" });
  expect(howReached("2026-11-21", { ...nothing, proven_at })).toEqual({ by: "payment" });
});

test("a date that was moved since is nobody's payment", () => {
  for (const paid of [{ seen }, { proven_at }, { seen, proven_at }, {}])
    expect(howReached(DAY, { ...nothing, ...paid, moves: [further] })).toEqual({
      by: "move",
      name: "Asha",
      is_own: false,
    });
});

test("a copy that sees the payment before the move only after it is not misled", () => {
  const late = { at: "2026-11-24T00:00:00Z", to: DAY };
  expect(howReached(DAY, { ...nothing, seen: late, moves: [further] })?.by).toBe("move");
});

test("a date that was moved and moved back is paid until again", () => {
  for (const paid of [{ seen }, { proven_at }])
    expect(howReached("2026-11-21", { ...nothing, ...paid, moves: [further, back] })).toEqual({
      by: "payment",
    });
});

test("a payment after a move is what counts", () => {
  const ahead = { ...nothing, proven_at: "2026-11-24T00:00:00Z", moves: [further] };
  expect(howReached("2026-12-28", ahead)).toEqual({ by: "payment" });
});

test("what nobody here saw is not said to be paid", () => {
  expect(howReached(DAY, nothing)).toBeNull();
  // Somebody else moved it, at the service.
  expect(howReached(DAY, { ...nothing, seen })).toBeNull();
  expect(howReached("2026-12-31", { ...nothing, proven_at, moves: [further] })).toBeNull();
});
