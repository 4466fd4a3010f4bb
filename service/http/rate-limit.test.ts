import { expect, test } from "vitest";
import { RateLimit } from "./rate-limit.ts";

function limited(perMinute: number) {
  let time = 1_000;
  const limit = new RateLimit(perMinute, () => time);
  const take = (name = "a") => {
    const wait = limit.waitOf(name);
    if (wait === 0) limit.count(name);
    return wait;
  };
  return { take, pass: (seconds: number) => (time += seconds * 1_000) };
}

test("the rate limit allows a full minute's requests at once, then returns the seconds to wait", () => {
  const { take } = limited(60);
  expect(Array.from({ length: 60 }, () => take())).toEqual(Array(60).fill(0));
  expect(take()).toBe(1);
});

test("the rate limit refills evenly, up to a full minute's requests", () => {
  const { take, pass } = limited(60);
  for (let index = 0; index < 60; index += 1) take();
  pass(2);
  expect([take(), take(), take()]).toEqual([0, 0, 1]);
  pass(3_600);
  expect(Array.from({ length: 60 }, () => take())).toEqual(Array(60).fill(0));
  expect(take()).toBe(1);
});

test("the rate limit counts the requests of each caller separately", () => {
  const { take } = limited(1);
  expect([take("a"), take("b"), take("a")]).toEqual([0, 0, 60]);
});

test("a rate limit of 0 allows all requests", () => {
  const { take } = limited(0);
  expect(Array.from({ length: 1_000 }, () => take()).every((wait) => wait === 0)).toBe(true);
});

test("the rate limit forgets the oldest of more than 20,000 callers to bound its memory", () => {
  const { take } = limited(1);
  for (let index = 0; index < 30_000; index += 1) take(`name ${index}`);
  expect([take("name 0"), take("name 29999")]).toEqual([0, 60]);
});
