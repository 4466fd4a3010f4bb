import { expect, test } from "vitest";
import { logLineOf, oneLine } from "#contract/process/log.ts";
import { logLinesOf } from "#tools/testing/captured-log.ts";
import { logLine, logSecurity } from "./log.ts";
import { withRequest } from "./trace.ts";

test("no caught error can start a new line or control the terminal", () => {
  expect(oneLine("lost (\r\ndashboard: all is well)")).toBe("lost ( dashboard: all is well)");
  expect(oneLine("a\u001B[2Jb\u2028c\u202Ed")).toBe("a [2Jb c d");
  expect(oneLine("सरस्वती ← 2,000")).toBe("सरस्वती ← 2,000");
  const line = logLineOf({ program: "dashboard", level: "warn" }, "a\u202Eb", {
    one: { inner: ["c\nd"] },
  });
  expect(JSON.parse(line)).toMatchObject({ msg: "a b", one: { inner: ["c d"] } });
});

test("a line contains time, level, program and request, also after an await", async () => {
  const lines = await logLinesOf(async () => {
    await withRequest("request-0001", async () => {
      await Promise.resolve();
      logLine("a mail was refused", { code: "E1" });
    });
    logLine("a worker rests", {}, "info");
  });
  const both = { program: "dashboard", pid: process.pid };
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
  expect(lines).toEqual([
    {
      ...both,
      level: "error",
      time,
      request: "request-0001",
      code: "E1",
      msg: "a mail was refused",
    },
    { ...both, level: "info", time, msg: "a worker rests" },
  ]);
});

test("a refusal is logged as a warning with what was refused", async () => {
  const [line] = await logLinesOf(() =>
    logSecurity("access.refused", { reason: "permission" }),
  );
  expect(line).toMatchObject({
    level: "warn",
    event: "access.refused",
    reason: "permission",
    msg: "security event",
  });
});
