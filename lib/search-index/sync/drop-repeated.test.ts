import { expect, test } from "vitest";
import type { Told } from "#lib/billing/transport.ts";
import { leaveOutRepeated, type Passed } from "./drop-repeated.ts";

const rows = (...records: unknown[]): Told => ({
  kind: "rows",
  list: "subscriptions",
  records,
});
const asked = (second: number, told: Told, copy = "one", seller_id = "a"): Passed => ({
  owner: { seller_id, mode: "test" },
  told,
  asking: { copy, asked_at: `2026-11-22 10:00:0${second}.25+00` },
});

const [milk, water] = [{ id: "milk" }, { id: "water" }];

test("of what is told twice the one that was asked for later is kept", () => {
  const later = asked(2, rows(milk, water));
  expect(leaveOutRepeated([asked(1, rows(milk)), later])).toEqual([later]);
  expect(leaveOutRepeated([asked(1, rows({ id: "oil" }, milk)), later])).toEqual([
    asked(1, rows({ id: "oil" })),
    later,
  ]);
});

test("an answer that came last but was asked for first takes nothing's place", () => {
  const both = [asked(2, rows(milk)), asked(1, rows(milk))];
  expect(leaveOutRepeated(both)).toEqual(both);
});

test("what changes and changes back is written in its order", () => {
  const changed = { ...milk, status: "due" };
  expect(
    leaveOutRepeated([asked(1, rows(milk)), asked(2, rows(changed)), asked(3, rows(milk))]),
  ).toEqual([asked(2, rows(changed)), asked(3, rows(milk))]);
});

test("nothing is compared across a write, another copy or another seller", () => {
  const write: Passed = asked(2, { kind: "changed", id: "milk" });
  const told = [
    asked(1, rows(milk)),
    write,
    asked(3, rows(milk)),
    asked(4, rows(milk), "two"),
    asked(5, rows(milk), "one", "b"),
  ];
  expect(leaveOutRepeated(told)).toEqual(told);
});

test("a moment that cannot be read leaves nothing out", () => {
  const unread = (told: Told): Passed => ({
    ...asked(1, told),
    asking: { copy: "one", asked_at: "soon" },
  });
  expect(leaveOutRepeated([unread(rows(milk)), unread(rows(milk))])).toHaveLength(2);
});
