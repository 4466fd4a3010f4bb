import { expect, test } from "vitest";
import { findDateSource, type BillingDateMove } from "./date-source.ts";

const DAY = "2026-11-28";
const move = (at: string, before: string | null, after: string): BillingDateMove => ({
  at,
  before,
  after,
  name: "Asha",
  is_own: false,
});
const nothing = { proven: null, seen: null, moves: [] };
const seen = { at: "2026-10-21T06:00:00Z", to: "2026-11-21" };
const proven = { at: "2026-10-21T05:00:00Z", to: null };
const further = move("2026-11-23T05:00:00Z", "2026-11-21", DAY);
const back = move("2026-11-23T06:00:00Z", DAY, "2026-11-21");

test("a billing date that a payment set counts as paid", () => {
  expect(findDateSource("2026-11-21", { ...nothing, seen })).toEqual({ by: "payment" });
  expect(findDateSource("2026-11-21", { ...nothing, proven })).toEqual({ by: "payment" });
});

test("a billing date that a member moved after the payment does not count as paid", () => {
  for (const paid of [{ seen }, { proven }, { seen, proven }, {}])
    expect(findDateSource(DAY, { ...nothing, ...paid, moves: [further] })).toEqual({
      by: "move",
      name: "Asha",
      is_own: false,
    });
});

test("a moved billing date does not count as paid if an earlier payment is indexed after the move", () => {
  const late = { at: "2026-11-24T00:00:00Z", to: DAY };
  expect(findDateSource(DAY, { ...nothing, seen: late, moves: [further] })?.by).toBe("move");
});

test("a paid billing date counts as paid again after a member moves it and moves it back", () => {
  for (const paid of [{ seen }, { proven }])
    expect(
      findDateSource("2026-11-21", { ...nothing, ...paid, moves: [further, back] }),
    ).toEqual({
      by: "payment",
    });
});

test("a billing date counts as paid if the payment came after the last move", () => {
  const ahead = {
    ...nothing,
    proven: { at: "2026-11-24T00:00:00Z", to: null },
    moves: [further],
  };
  expect(findDateSource("2026-12-28", ahead)).toEqual({ by: "payment" });
});

test("a billing date does not count as paid if neither a payment nor a move explains it", () => {
  expect(findDateSource(DAY, nothing)).toBeNull();
  // The date was moved at the service, without the dashboard.
  expect(findDateSource(DAY, { ...nothing, seen })).toBeNull();
  expect(findDateSource(DAY, { ...nothing, seen, proven })).toBeNull();
  for (const at of ["2026-10-21T05:00:00Z", "2026-11-01T05:00:00Z"])
    expect(
      findDateSource(DAY, { ...nothing, seen, proven: { at, to: "2026-11-21" } }),
    ).toBeNull();
  expect(findDateSource("2026-12-31", { ...nothing, proven, moves: [further] })).toBeNull();
});
