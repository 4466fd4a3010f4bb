import { expect, test } from "vitest";
import { limitedSecurityLog } from "./log.ts";

test("the security log limits and counts repeated events of one kind, without suppressing other kinds", () => {
  const lines: unknown[] = [];
  const timers: (() => void)[] = [];
  let now = 0;
  const tell = limitedSecurityLog((event, fields) => lines.push([event, fields]), {
    most: 2,
    now: () => now,
    later: (then) => timers.push(then),
  });
  for (let one = 0; one < 1_000; one += 1) tell("key.refused", { one });
  tell("sign_in.refused", { reason: "unknown" });
  expect(lines).toEqual([
    ["key.refused", { one: 0 }],
    ["key.refused", { one: 1 }],
    ["sign_in.refused", { reason: "unknown" }],
  ]);
  now = 60_000;
  for (const then of timers) then();
  tell("key.refused", { one: 1_000 });
  expect(lines.slice(3)).toEqual([
    ["key.refused", { left_out: 998 }],
    ["key.refused", { one: 1_000 }],
  ]);
  expect(timers).toHaveLength(1);
});
