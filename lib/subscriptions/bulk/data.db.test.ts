import { expect, test } from "vitest";
import {
  storeBulkRun,
  CANCEL_CHANGE,
  ENDING_STATE,
  newBulkFixture,
} from "#tools/testing/fixtures/bulk-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { changeBulkRun, selectBulkRun, selectBulkRuns } from "./data.ts";
import { deleteOldBulkRuns } from "./old-runs.ts";
import { leaseNextItem } from "./run-step.ts";

useDashboardDatabase();

test("a bulk run stores for each subscription whether the change is planned, unnecessary or refused", async () => {
  const context = await newBulkFixture();
  const id = await storeBulkRun(context, CANCEL_CHANGE, [
    {},
    ENDING_STATE,
    { status: "cancelled" },
  ]);
  const { run, items } = await selectBulkRun(pool, context.owner, id);
  expect(run).toMatchObject({ operation: "cancel", started_by: "Asha", paused_at: null });
  expect(items.map(({ state }) => state)).toEqual(["waiting", "already", "refused"]);
  expect(items[0]).toMatchObject({ status_before: "active", day_before: "2026-12-01" });
});

test("a bulk run and its items are hidden and deleted after a month", async () => {
  const context = await newBulkFixture();
  const old = await storeBulkRun(context, CANCEL_CHANGE);
  await pool.query(
    "update bulk_run set created_at = now() - interval '31 days' where id = $1",
    [old],
  );
  expect(await selectBulkRuns(pool, context.owner)).toEqual([]);
  expect(await selectBulkRun(pool, context.owner, old)).toMatchObject({ run: null, items: [] });
  const id = await storeBulkRun(context, CANCEL_CHANGE);
  await deleteOldBulkRuns(context.owner, pool);
  const { rows } = await pool.query("select run_id from bulk_item where run_id = any($1)", [
    [old, id],
  ]);
  expect(rows).toEqual([{ run_id: id }]);
});

test("a bulk run cannot be read or changed by another seller or in another mode", async () => {
  const [context, other] = [await newBulkFixture(), await newBulkFixture()];
  const id = await storeBulkRun(context, CANCEL_CHANGE);
  const live = { ...context.owner, mode: "live" as const };
  expect(await selectBulkRuns(pool, context.owner)).toMatchObject([{ id, items: 1, rest: 1 }]);
  for (const owner of [other.owner, live]) {
    expect(await selectBulkRuns(pool, owner)).toEqual([]);
    expect(await selectBulkRun(pool, owner, id)).toMatchObject({ run: null, items: [] });
    expect(await leaseNextItem({ db: pool, owner }, id)).toBeNull();
    await changeBulkRun(pool, owner, id, "close");
  }
  expect((await selectBulkRun(pool, context.owner, id)).run?.closed_at).toBeNull();
});
