import { expect, test } from "vitest";
import type { ObservedRecords } from "#lib/billing/observe.ts";
import { dropRepeatedObservations, type Observation } from "./write-through.ts";

const rows = (...records: unknown[]): ObservedRecords => ({
  kind: "rows",
  list: "subscriptions",
  records,
});
const asked = (
  second: number,
  observed: ObservedRecords,
  index_version = "one",
  seller_id = "a",
): Observation => ({
  owner: { seller_id, mode: "test" },
  observed,
  context: { index_version, asked_at: `2026-11-22 10:00:0${second}.25+00` },
});

const [milk, water] = [{ id: "milk" }, { id: "water" }];

test("of two equal responses, the response to the later request is kept", () => {
  const later = asked(2, rows(milk, water));
  expect(dropRepeatedObservations([asked(1, rows(milk)), later])).toEqual([later]);
  expect(dropRepeatedObservations([asked(1, rows({ id: "oil" }, milk)), later])).toEqual([
    asked(1, rows({ id: "oil" })),
    later,
  ]);
});

test("an earlier request whose response arrives last does not replace the later request", () => {
  const both = [asked(2, rows(milk)), asked(1, rows(milk))];
  expect(dropRepeatedObservations(both)).toEqual(both);
});

test("a change and its reversal are both kept, in their order", () => {
  const changed = { ...milk, status: "due" };
  expect(
    dropRepeatedObservations([
      asked(1, rows(milk)),
      asked(2, rows(changed)),
      asked(3, rows(milk)),
    ]),
  ).toEqual([asked(2, rows(changed)), asked(3, rows(milk))]);
});

test("responses before and after a write, or of different index versions or sellers, are all kept", () => {
  const write: Observation = asked(2, { kind: "changed", id: "milk" });
  const observed = [
    asked(1, rows(milk)),
    write,
    asked(3, rows(milk)),
    asked(4, rows(milk), "two"),
    asked(5, rows(milk), "one", "b"),
  ];
  expect(dropRepeatedObservations(observed)).toEqual(observed);
});

test("no response is dropped if the time of its request is unreadable", () => {
  const unread = (observed: ObservedRecords): Observation => ({
    ...asked(1, observed),
    context: { index_version: "one", asked_at: "soon" },
  });
  expect(dropRepeatedObservations([unread(rows(milk)), unread(rows(milk))])).toHaveLength(2);
});
