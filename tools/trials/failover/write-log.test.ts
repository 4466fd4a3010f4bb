import { expect, test } from "vitest";
import { compareWrites, WriteLog } from "./write-log.ts";

test("the longest gap of a round includes the one that lasts still", () => {
  let now = 0;
  const log = new WriteLog(() => now);
  log.begin();
  now = 40;
  log.acknowledge("first", "1");
  now = 100;
  expect(log.longestGap).toBe(60);
  log.acknowledge("second", "2");
  now = 110;
  log.begin();
  now = 115;
  expect(log.longestGap).toBe(5);
});

test("what is missing was acknowledged; what is there twice need not have been", () => {
  const log = new WriteLog();
  for (const written of ["kept", "lost", "twice"])
    log.acknowledge(written, `answer to ${written}`);
  const found = new Map([
    ["kept", 1],
    ["twice", 2],
    ["doubtful", 2],
  ]);
  expect(compareWrites(log.acknowledged, found)).toEqual({
    lost: ["answer to lost"],
    doubled: 2,
  });
});
