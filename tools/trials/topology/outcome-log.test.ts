import { expect, test } from "vitest";
import { unexpectedFailures } from "./expected-failures.ts";
import { QUIET_MS, OutcomeLog, type FailedRequest } from "./outcome-log.ts";

let now = 0;
const clock = () => now;
const failure = { what: "page list", isWrite: false, status: 504, isClear: false };

test("the outcome log is quiet when no request has failed for a while", () => {
  const outcomeLog = new OutcomeLog(clock);
  expect(outcomeLog.isQuiet).toBe(true);
  outcomeLog.ask()(failure);
  expect(outcomeLog.isQuiet).toBe(false);
  now += QUIET_MS;
  expect(outcomeLog.isQuiet).toBe(true);
});

test("the outcome log is not quiet while a request hangs, or right after its late answer", () => {
  const outcomeLog = new OutcomeLog(clock);
  const answered = outcomeLog.ask();
  expect(outcomeLog.isQuiet).toBe(true);
  now += QUIET_MS;
  expect(outcomeLog.isQuiet).toBe(false);
  now += 30_000;
  answered(null);
  expect(outcomeLog).toMatchObject({ isQuiet: false, lastFailureAt: now });
});

test("a request that fails late is counted in the phase of its failure", () => {
  const outcomeLog = new OutcomeLog(clock);
  const first = outcomeLog.begin("first");
  const answered = outcomeLog.ask();
  const second = outcomeLog.begin("second");
  answered(failure);
  expect([first.asked, first.failed, second.failed]).toEqual([1, [], [failure]]);
});

const read = (status: number | null, isClear = false): FailedRequest => ({
  ...failure,
  status,
  isClear,
});
const write = (status: number | null): FailedRequest => ({ ...failure, isWrite: true, status });

test.each([
  ["no failure where none may fail", "none", [], 0],
  ["a failure where none may fail", "none", [read(503, true)], 1],
  ["a message where a message is needed", "clear", [read(503, true)], 0],
  ["a proxy's page where a message is needed", "clear", [read(503, true), read(502)], 1],
  ["requests under way at the killed process", "under way", [read(null), write(502)], 0],
  ["a read that another process could have answered", "under way", [read(502), read(504)], 1],
  ["a write that no process answered", "under way", [write(504), write(500)], 1],
  ["more requests than were under way", "under way", [write(502), write(502), read(null)], 1],
] as const)("unexpected failures are reported: %s", (_, expected, failed, problems) => {
  expect(unexpectedFailures(expected, failed, 2)).toHaveLength(problems);
});
