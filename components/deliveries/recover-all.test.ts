import { expect, test } from "vitest";
import type { ActionResult } from "#components/forms/use-action.tsx";
import type { RecoveredDeliveries } from "#contract/deliveries.ts";
import { recoverAll } from "./recover-all.ts";

const FAILED = { ok: false, failure: { kind: "unanswered" } } as const;
const step = (recovered: number, left: number) =>
  ({ ok: true, value: { recovered, left } }) as const;

/** @param leftAt the number of answers still unasked when the user leaves */
async function run(answers: ActionResult<RecoveredDeliveries>[], leftAt = -1) {
  const told: RecoveredDeliveries[] = [];
  const result = await recoverAll(
    async () => answers.shift() ?? FAILED,
    (sum) => told.push(sum),
    () => answers.length === leftAt,
  );
  return { result, told, unasked: answers.length };
}

test("missed deliveries are resent in steps until none is left, and each step reports the number resent so far", async () => {
  expect(await run([step(10_000, 15_000), step(10_000, 5_000), step(5_000, 0)])).toEqual({
    result: step(25_000, 0),
    told: [
      { recovered: 10_000, left: 15_000 },
      { recovered: 20_000, left: 5_000 },
    ],
    unasked: 0,
  });
});

test("a recovery of missed deliveries stops at a failed step, and has reported the deliveries resent before", async () => {
  expect(await run([step(10_000, 15_000), FAILED, step(1, 0)])).toEqual({
    result: FAILED,
    told: [{ recovered: 10_000, left: 15_000 }],
    unasked: 1,
  });
});

test("a recovery of missed deliveries stops when a step resends nothing or the user has left the page", async () => {
  expect(await run([step(10_000, 5), step(0, 5), step(5, 0)])).toMatchObject({
    result: step(10_000, 5),
    unasked: 1,
  });
  expect(await run([step(10_000, 5), step(5, 0)], 1)).toMatchObject({
    result: step(10_000, 5),
    unasked: 1,
  });
});

test("a recovery of missed deliveries that begins after the user has left resends nothing", async () => {
  expect(await run([step(10_000, 5), step(5, 0)], 2)).toMatchObject({
    result: step(0, 0),
    told: [],
    unasked: 2,
  });
});
