import { expect, test } from "vitest";
import { unexpectedFailures } from "./expected-failures.ts";
import { QUIET, OutcomeLog, type Outcome } from "./outcome-log.ts";

let now = 0;
const clock = () => now;
const failure = { what: "page list", isWrite: false, status: 504, isClear: false };

test("it is quiet when nothing has failed for a while", () => {
  const outcomeLog = new OutcomeLog(clock);
  expect(outcomeLog.isQuiet).toBe(true);
  outcomeLog.ask()(failure);
  expect(outcomeLog.isQuiet).toBe(false);
  now += QUIET;
  expect(outcomeLog.isQuiet).toBe(true);
});

test("it is not quiet while a request hangs, nor right after it was answered at last", () => {
  const outcomeLog = new OutcomeLog(clock);
  const answered = outcomeLog.ask();
  expect(outcomeLog.isQuiet).toBe(true);
  now += QUIET;
  expect(outcomeLog.isQuiet).toBe(false);
  now += 30_000;
  answered(null);
  expect(outcomeLog).toMatchObject({ isQuiet: false, troubledAt: now });
});

test("a request that fails late belongs to what happens by then", () => {
  const outcomeLog = new OutcomeLog(clock);
  const first = outcomeLog.begin("first");
  const answered = outcomeLog.ask();
  const second = outcomeLog.begin("second");
  answered(failure);
  expect([first.asked, first.failed, second.failed]).toEqual([1, [], [failure]]);
});

const read = (status: number | null, isClear = false): Outcome => ({
  ...failure,
  status,
  isClear,
});
const write = (status: number | null): Outcome => ({ ...failure, isWrite: true, status });

test.each([
  ["nothing where nothing may fail", "none", [], 0],
  ["one where nothing may fail", "none", [read(503, true)], 1],
  ["words where words are needed", "clear", [read(503, true)], 0],
  ["a proxy's page where words are needed", "clear", [read(503, true), read(502)], 1],
  ["what was under way at the one that died", "under way", [read(null), write(502)], 0],
  ["a read that another one could have answered", "under way", [read(502), read(504)], 1],
  ["a write of which nobody took care", "under way", [write(504), write(500)], 1],
  ["more than were under way", "under way", [write(502), write(502), read(null)], 1],
] as const)("what failed is judged: %s", (_, expected, failed, problems) => {
  expect(unexpectedFailures(expected, failed, 2)).toHaveLength(problems);
});
