import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { switchIndex } from "#lib/search-index/sync/restart.ts";
import { ChangingService } from "#tools/testing/changing-service.ts";
import {
  compareAll,
  fillCopy,
  lastCheck,
  loseCopied,
  openCheck,
  stepOn,
  takeStep,
} from "#tools/testing/compare-steps.ts";
import { newOwner, setKey, turn } from "#tools/testing/copy-desk.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard.ts";
import { pauseCheck, repairCheck, startCheck } from "./store.ts";

useDashboardDatabase();
let owner: KeyOwner;
let api: ChangingService;

beforeEach(async () => {
  owner = await newOwner();
  api = new ChangingService();
});

test("one that was stopped goes on when it is asked to, and not before", async () => {
  await fillCopy(owner, api, 20);
  await startCheck(pool, owner, { reach: "all", user_id: null });
  const id = (await openCheck(owner))?.id ?? "";
  await takeStep(owner, api);
  await pauseCheck(pool, owner, id, true);
  await expect(takeStep(owner, api)).resolves.toEqual({ kind: "paused" });
  await pauseCheck(pool, owner, id, false);
  await expect(stepOn(owner, api)).resolves.toEqual({ kind: "finished" });
});

test("two windows take turns", async () => {
  await fillCopy(owner, api, 10);
  await startCheck(pool, owner, { reach: "all", user_id: null });
  let second: unknown;
  api.onCall = async () => {
    api.onCall = () => {};
    second = await takeStep(owner, api);
  };
  await takeStep(owner, api);
  expect(second).toEqual({ kind: "wait", seconds: 2, why: "held" });
});

test("the last result stays until the next one has ended", async () => {
  await fillCopy(owner, api, 10);
  await loseCopied(owner, "sub-3");
  const first = await compareAll(owner, api);
  await startCheck(pool, owner, { reach: "all", user_id: null });
  await takeStep(owner, api);
  await expect(lastCheck(owner)).resolves.toMatchObject({
    id: first.id,
    by_state: { missing: 1 },
  });
  await startCheck(pool, owner, { reach: "sample", user_id: null });
  await expect(openCheck(owner)).resolves.toMatchObject({ reach: "sample", phase: "counting" });
  await stepOn(owner, api);
  expect((await lastCheck(owner))?.id).not.toBe(first.id);
});

test("a repair of what is not there any more leaves the one that is under way", async () => {
  await fillCopy(owner, api, 5);
  await startCheck(pool, owner, { reach: "all", user_id: null });
  const open = await openCheck(owner);
  await expect(repairCheck(pool, owner, randomUUID(), "records")).resolves.toBeNull();
  await expect(repairCheck(pool, owner, open?.id ?? "", "records")).resolves.toBeNull();
  await expect(openCheck(owner)).resolves.toEqual(open);
});

test("a comparison goes with the copy, and there is none without", async () => {
  await fillCopy(owner, api, 5);
  await compareAll(owner, api);
  await setKey(owner, "sk_test_second");
  await expect(lastCheck(owner)).resolves.toBeNull();
  await expect(startCheck(pool, owner, { reach: "all", user_id: null })).resolves.toBe(false);
  await turn(owner, api);
  await compareAll(owner, api);
  await switchIndex(pool, owner, false);
  await expect(lastCheck(owner)).resolves.toBeNull();
});
