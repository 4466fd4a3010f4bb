import { beforeEach, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { restartIndex } from "#lib/search-index/sync/write-through.ts";
import { ChangingService } from "#tools/testing/servers/changing-service.ts";
import {
  compareAll,
  fillIndex,
  readLastComparison,
  readOpenComparison,
  removeIndexed,
  stepUntilPause,
  takeCompareStep,
} from "#tools/testing/compare-steps.ts";
import {
  createIndexOwner,
  storeApiKey,
  runSlice,
} from "#tools/testing/fixtures/search-index-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { startComparison } from "./store.ts";

useDashboardDatabase();
let owner: KeyOwner;
let api: ChangingService;

beforeEach(async () => {
  owner = await createIndexOwner();
  api = new ChangingService();
});

test("a second open page waits while a comparison step is running", async () => {
  await fillIndex(owner, api, 10);
  await startComparison(pool, owner, null);
  let second: unknown;
  api.onCall = async () => {
    api.onCall = () => {};
    second = await takeCompareStep(owner, api);
  };
  await takeCompareStep(owner, api);
  expect(second).toEqual({ kind: "wait", seconds: 2, why: "held" });
});

test("a comparison step of a crashed process is repeated after its lease has ended", async () => {
  await fillIndex(owner, api, 10);
  await startComparison(pool, owner, null);
  await pool.query(
    `update reconciliation set claim = gen_random_uuid(),
            claimed_until = now() + interval '1 minute'`,
  );
  await expect(takeCompareStep(owner, api)).resolves.toMatchObject({
    kind: "wait",
    why: "held",
  });
  await pool.query("update reconciliation set claimed_until = now()");
  await expect(stepUntilPause(owner, api)).resolves.toEqual({ kind: "finished" });
});

test("the result of the last comparison is shown until the next comparison has ended", async () => {
  await fillIndex(owner, api, 10);
  await removeIndexed(owner, "sub-3");
  const first = await compareAll(owner, api);
  await startComparison(pool, owner, null);
  await takeCompareStep(owner, api);
  await expect(readLastComparison(owner)).resolves.toMatchObject({
    id: first.id,
    by_state: { missing: 1 },
  });
  await startComparison(pool, owner, null);
  await expect(readOpenComparison(owner)).resolves.toMatchObject({ phase: "counting" });
  await stepUntilPause(owner, api);
  expect((await readLastComparison(owner))?.id).not.toBe(first.id);
});

test("a comparison report of an earlier version is not shown", async () => {
  await fillIndex(owner, api, 3);
  const { id } = await compareAll(owner, api);
  await pool.query("update reconciliation set report = $2 where id = $1", [
    id,
    JSON.stringify({ counts: [{ of: "counter", key: "count", service: 3, copy: 3 }] }),
  ]);
  await expect(readLastComparison(owner)).resolves.toBeNull();
});

test("comparisons are deleted with the search index, and cannot start without an index", async () => {
  await fillIndex(owner, api, 5);
  await compareAll(owner, api);
  await storeApiKey(owner, "sk_test_second");
  await expect(readLastComparison(owner)).resolves.toBeNull();
  await expect(startComparison(pool, owner, null)).resolves.toBe(false);
  await runSlice(owner, api);
  await compareAll(owner, api);
  await restartIndex(pool, owner);
  await expect(readLastComparison(owner)).resolves.toBeNull();
});
