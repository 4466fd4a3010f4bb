import { expect, test } from "vitest";
import { compareWrites, WriteLog } from "./write-log.ts";

const answer = (how: string, [sentAt, answeredAt] = [0, 1]) => ({ how, sentAt, answeredAt });

test("the longest outage of a round includes an outage that has not ended", () => {
  let now = 0;
  const log = new WriteLog(() => now);
  log.begin();
  now = 40;
  log.acknowledge("first", answer("1"));
  now = 100;
  expect(log.longestGap).toBe(60);
  log.acknowledge("second", answer("2", [3, 10]));
  expect(log.times).toEqual([1, 7]);
  now = 110;
  log.begin();
  now = 115;
  expect(log.longestGap).toBe(5);
  expect(log.times).toEqual([]);
});

test("only acknowledged writes count as lost, and every write found twice counts as duplicated", () => {
  const log = new WriteLog();
  for (const written of ["kept", "lost", "twice"])
    log.acknowledge(written, answer(`answer to ${written}`));
  const found = new Map([
    ["kept", 1],
    ["twice", 2],
    ["doubtful", 2],
  ]);
  expect(compareWrites(log.acknowledged, found)).toEqual({
    lost: ["answer to lost at 1970-01-01T00:00:00.001Z"],
    doubled: 2,
    late: 0,
  });
});

test("a restore to a moment has the writes answered before it, and no write sent after it", () => {
  const log = new WriteLog();
  log.acknowledge("before", answer("before", [10, 20]));
  log.acknowledge("meanwhile", answer("meanwhile", [90, 110]));
  log.acknowledge("after", answer("after", [101, 120]));
  const restored = (...names: string[]) => {
    const found = new Map(names.map((name) => [name, 1]));
    const { lost, late } = compareWrites(log.acknowledged, found, 100);
    return { lost: lost.length, late };
  };
  for (const right of [["before"], ["before", "meanwhile"]])
    expect(restored(...right)).toEqual({ lost: 0, late: 0 });
  expect(restored("after")).toEqual({ lost: 1, late: 1 });
  log.forgetAfter(100);
  expect([...log.acknowledged.keys()]).toEqual(["before"]);
});
