import { expect, test } from "vitest";
import { secondsBeforeRefresh } from "./payment-refresh.tsx";

test("the page looks for a payment after two seconds at first, and after a minute in the end", () => {
  const waits = Array.from({ length: 7 }, (_, refreshes) => secondsBeforeRefresh(refreshes));
  expect(waits).toEqual([2, 3, 5, 10, 20, 60, 60]);
  expect(secondsBeforeRefresh(1_000)).toBe(60);
});
