import { expect, test } from "vitest";
import { oneLine } from "./log.ts";

test("nothing that was caught can begin a line of its own or steer a terminal", () => {
  expect(oneLine("lost (\r\ndashboard: all is well)")).toBe("lost ( dashboard: all is well)");
  expect(oneLine("a\u001B[2Jb\u2028c\u202Ed")).toBe("a [2Jb c d");
  expect(oneLine("सरस्वती ← 2,000")).toBe("सरस्वती ← 2,000");
});
