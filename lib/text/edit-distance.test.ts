import { expect, test } from "vitest";
import { editDistance } from "./edit-distance.ts";

test.each([
  ["", "", 0],
  ["srest", "srest", 0],
  ["srset", "srest", 1],
  ["bismu", "bisnu", 1],
  ["srsboti", "srsbti", 1],
  ["", "abc", 3],
  ["abc", "", 3],
  ["prkas", "krisn", 4],
])("%j and %j are %i apart, either way", (one, other, apart) => {
  expect([editDistance(one, other), editDistance(other, one)]).toEqual([apart, apart]);
});
