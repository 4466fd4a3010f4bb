import { expect, test } from "vitest";
import { logLineOf } from "#contract/process/log.ts";
import { formatLogLine } from "./supervise.ts";

const at = new Date("2026-11-22T10:11:12.345Z");
const line = logLineOf(
  { program: "billing service", level: "warn" },
  "security event",
  { event: "key.refused", status: 401, text: "a\\nb" },
  at,
);

test("a log line is formatted on a terminal, and unchanged otherwise", () => {
  expect(formatLogLine("billing service", line, true)).toBe(
    "[billing service] 10:11:12 warn: security event event=key.refused status=401 text=a\\nb",
  );
  expect(formatLogLine("billing service", line, false)).toBe(line);
});

test("output that is not a log line is prefixed with the program's name", () => {
  for (const isTerminal of [true, false])
    expect(formatLogLine("dashboard", '{"level": broken', isTerminal)).toBe(
      '[dashboard] {"level": broken',
    );
});
