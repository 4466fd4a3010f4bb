import { expect, test } from "vitest";
import { secondsBeforeRefresh } from "./payment-refresh.tsx";

test("the return page checks for the payment after two seconds first, and at most once a minute later", () => {
  const waits = Array.from({ length: 7 }, (_, refreshes) => secondsBeforeRefresh(refreshes));
  expect(waits).toEqual([2, 3, 5, 10, 20, 60, 60]);
  expect(secondsBeforeRefresh(1_000)).toBe(60);
});
