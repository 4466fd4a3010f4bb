import { expect, test } from "vitest";
import { secondsBeforeLook } from "./look-again.tsx";

test("checks soon at first, then each minute while the page is open", () => {
  const waits = Array.from({ length: 7 }, (_, looks) => secondsBeforeLook(looks));
  expect(waits).toEqual([2, 3, 5, 10, 20, 60, 60]);
  expect(secondsBeforeLook(1_000)).toBe(60);
});
