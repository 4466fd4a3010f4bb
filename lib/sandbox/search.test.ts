import { expect, test } from "vitest";
import {
  parseChosenSubscription,
  parseClockTarget,
  readSubscriptionId,
  sandboxPath,
} from "./search.ts";

const scope = { seller: "0a1b2c3d4e", mode: "test" } as const;
const ID = "3f1b3b57-7a0c-4a52-9a2f-0d1c5a3f9d11";

test.each([
  ["by=P1W", { by: "P1W" }],
  ["by=P1M&to=2026-11-22T18:15:00.000Z", { by: "P1M" }],
  ["at=2026-11-23T00:00", { at: "2026-11-23T00:00" }],
  ["to=2026-11-22T18:15:00.000Z", { to: "2026-11-22T18:15:00.000Z" }],
  ["to=2026-11-22T18:15:00Z", { to: "2026-11-22T18:15:00Z" }],
  ["", null],
  ["by=P9Y", null],
  ["at=tomorrow", null],
  ["to=2026-13-40T99:00:00Z", null],
  ["to=2026-11-22", null],
])("the query %o is read as the clock target %o", (query, target) => {
  expect(parseClockTarget(new URLSearchParams(query))).toEqual(target);
  expect(parseClockTarget(Object.fromEntries(new URLSearchParams(query)))).toEqual(target);
});

test("the URL of the sandbox contains the clock target and the chosen subscription", () => {
  const path = sandboxPath(scope, { at: "2026-11-23T00:00", subscription: ID });
  const { searchParams, pathname } = new URL(path, "http://here.invalid");
  expect(pathname).toBe("/0a1b2c3d4e/test/sandbox");
  expect(parseClockTarget(searchParams)).toEqual({ at: "2026-11-23T00:00" });
  expect(parseChosenSubscription(searchParams)).toBe(ID);
  expect(sandboxPath(scope)).toBe("/0a1b2c3d4e/test/sandbox");
  expect(parseChosenSubscription({ subscription: "../other" })).toBeNull();
});

test.each([
  [ID, ID],
  [` ${ID} `, ID],
  [`https://pay.example/pay/${ID}`, ID],
  [`http://localhost:3000/0a1b2c3d4e/test/subscriptions/${ID}?x=1`, ID],
  ["sub_42", "sub_42"],
  ["two words", null],
  ["", null],
])("the text %o contains the subscription id %o", (text, id) => {
  expect(readSubscriptionId(text)).toBe(id);
});
