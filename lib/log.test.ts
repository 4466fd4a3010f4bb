import { expect, test, vi } from "vitest";
import { logLine, oneLine } from "./log.ts";
import { withRequest } from "./trace/current-request.ts";

test("nothing that was caught can begin a line of its own or steer a terminal", () => {
  expect(oneLine("lost (\r\ndashboard: all is well)")).toBe("lost ( dashboard: all is well)");
  expect(oneLine("a\u001B[2Jb\u2028c\u202Ed")).toBe("a [2Jb c d");
  expect(oneLine("सरस्वती ← 2,000")).toBe("सरस्वती ← 2,000");
});

test("a line says which request it belongs to, also where that has waited meanwhile", async () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  await withRequest("request-0001", async () => {
    await Promise.resolve();
    logLine("a mail was refused");
  });
  logLine("a worker rests");
  const lines = write.mock.calls.map(([line]) => line);
  write.mockRestore();
  expect(lines).toEqual([
    "dashboard: a mail was refused [request request-0001]\n",
    "dashboard: a worker rests\n",
  ]);
});
