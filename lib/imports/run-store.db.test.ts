import { beforeEach, expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  beforeWork,
  importService,
  manyRows,
  newImportContext,
  openImportRun,
  readResults,
  refuse,
  startStored,
  stepImport,
  storeImport,
} from "#tools/testing/fixtures/import-fixture.ts";
import {
  closeConnection,
  fakeService,
  jsonAnswer,
  useBillingServer,
} from "#tools/testing/servers/billing-server.ts";
import { runStateOf, runTotalOf } from "./run-queries.ts";
import { changeImportRun, leaseNextRow, selectImportProgress } from "./run-store.ts";
import { deleteImport, selectImports } from "./store.ts";

useDashboardDatabase();
useBillingServer();
beforeEach(() => importService.begin());

test("a row is not leased if its import run is paused at the same moment", async () => {
  const { context, id } = await openImportRun(manyRows(1));
  const change = await pool.connect();
  try {
    await change.query("begin");
    await change.query("update import_run set paused_at = now() where id = $1", [id]);
    const leased = leaseNextRow(pool, context.owner, id);
    await change.query("commit");
    expect(await leased).toBeNull();
  } finally {
    change.release();
  }
});

test("undoing a run withdraws its subscriptions, except those that the service reports as paid", async () => {
  const { context, id } = await openImportRun([...manyRows(3), { paid_until: "2027-01-01" }]);
  await stepImport(context, id);
  const before = await readResults(context, id);
  importService.faults = [jsonAnswer(409, { detail: "It was paid." }), closeConnection];
  await changeImportRun(pool, context.owner, id, "undo");
  expect(await stepImport(context, id)).toMatchObject({
    pause: { kind: "finished" },
    progress: { rest: 0, counts: { done: 1, undone: 3 } },
  });
  const rows = await readResults(context, id);
  expect(rows.map(({ state, message }) => [state, message])).toEqual([
    ["done", "It was paid."],
    ["undone", null],
    ["undone", null],
    ["undone", null],
  ]);
  expect(importService.withdrawn).toEqual(new Set(before.map((row) => row.subscription_id)));
  expect(await stepImport(context, id)).toMatchObject({ pause: { kind: "finished" } });
});

test("undoing a run keeps a checkout that the buyer had before the run", async () => {
  const { context, id } = await openImportRun(manyRows(2));
  const [old] = await readResults(context, id);
  await pool.query(
    "update import_row set existing_id = $2 where run_id = $1 and position = 2",
    [id, "old-checkout"],
  );
  const { rows } = await pool.query<{ key: string }>(
    "select idempotency_key as key from import_row where run_id = $1 and position = $2",
    [id, old?.position],
  );
  importService.made.set(rows[0]?.key ?? "", "old-checkout");
  expect(await stepImport(context, id)).toMatchObject({ progress: { counts: { already: 1 } } });
  await changeImportRun(pool, context.owner, id, "undo");
  expect(await stepImport(context, id)).toMatchObject({ progress: { counts: { undone: 1 } } });
  expect((await readResults(context, id)).map(({ state }) => state)).toEqual([
    "already",
    "undone",
  ]);
  expect(importService.withdrawn.has("old-checkout")).toBe(false);
});

test("rows not yet processed when a run is undone are left out, and the import can then be deleted", async () => {
  const { context, id } = await openImportRun(manyRows(3));
  importService.faults = [jsonAnswer(429, {}, { "retry-after": "3" })];
  await stepImport(context, id);
  await expect(deleteImport(pool, context.owner, id)).rejects.toMatchObject({
    failure: { kind: "conflict", detail: "imports.problem.running" },
  });
  await changeImportRun(pool, context.owner, id, "undo");
  expect(await stepImport(context, id)).toMatchObject({ pause: { kind: "finished" } });
  expect(
    (await readResults(context, id)).map(({ state, is_made }) => [state, is_made]),
  ).toEqual(manyRows(3).map(() => [null, false]));
  await deleteImport(pool, context.owner, id);
  expect(await readResults(context, id)).toEqual([]);
});

test("undoing a run is refused while the outcome of a request is unknown", async () => {
  const { context, id } = await openImportRun(manyRows(2));
  importService.faults = [closeConnection, closeConnection];
  await stepImport(context, id);
  await expect(changeImportRun(pool, context.owner, id, "undo")).rejects.toMatchObject({
    failure: { kind: "conflict", detail: "importRun.problem.unsure" },
  });
  expect((await readResults(context, id)).map(({ state }) => state)).toEqual([
    "unknown",
    "waiting",
  ]);
});

test("at a service without take-overs, rows with “paid until” are created or skipped as the seller chose", async () => {
  const context = await newImportContext(false);
  const rows = [{ paid_until: "2027-01-01" }, {}];
  const undecided = await storeImport(context, rows);
  await expect(startStored(context, undecided)).rejects.toMatchObject({
    failure: { kind: "conflict", detail: "importRun.problem.choose" },
  });
  const choose = (id: string, choice: string) =>
    pool.query("update import_run set unpaid_choice = $2 where id = $1", [id, choice]);
  const pending = await storeImport(context, rows);
  await choose(pending, "pending");
  expect(await startStored(context, pending)).toBe(2);
  await stepImport(context, pending);
  const skip = await storeImport(context, rows);
  await choose(skip, "skip");
  expect(await startStored(context, skip)).toBe(1);
  await stepImport(context, skip);
  expect((await readResults(context, skip)).map(({ state }) => state)).toEqual([null, "done"]);
  expect(fakeService.seen.map(({ url }) => url)).toEqual(
    manyRows(3).map(() => "/api/v1/subscriptions/"),
  );
});

test("an import run starts once, only after its rows were judged, only if one of them was accepted, and only for its own seller and mode", async () => {
  const context = await newImportContext();
  const id = await storeImport(context, manyRows(1));
  const other = await newImportContext();
  const notFound = { failure: { kind: "not_found" } };
  await expect(startStored(other, id)).rejects.toMatchObject(notFound);
  const live = { ...context, owner: { ...context.owner, mode: "live" as const } };
  await expect(startStored(live, id)).rejects.toMatchObject(notFound);
  await startStored(context, id);
  await expect(startStored(context, id)).rejects.toMatchObject({
    failure: { kind: "conflict" },
  });
  for (const stranger of [other, live]) {
    expect(await leaseNextRow(pool, stranger.owner, id)).toBeNull();
    await expect(stepImport(stranger, id)).rejects.toMatchObject(notFound);
    await expect(changeImportRun(pool, stranger.owner, id, "undo")).rejects.toMatchObject(
      notFound,
    );
    expect(await readResults(stranger, id)).toEqual([]);
  }
  expect(fakeService.seen).toEqual([]);
  const empty = await storeImport(context, [{ verdict: "wrong" }]);
  await expect(startStored(context, empty)).rejects.toMatchObject({
    failure: { detail: "importRun.problem.nothing" },
  });
  const unjudged = await storeImport(context, manyRows(1));
  await pool.query("update import_run set judged_at = null where id = $1", [unjudged]);
  await expect(startStored(context, unjudged)).rejects.toMatchObject({
    failure: { detail: "importRun.problem.unjudged" },
  });
});

test("the list of imports shows the same state and progress as the page of an import", async () => {
  const context = await newImportContext();
  const { owner } = context;
  const id = await storeImport(context, [...manyRows(3), { verdict: "wrong" }]);
  const far = async () => {
    const [listed] = await selectImports(pool, owner);
    if (!listed) throw new Error("The import is not listed.");
    const { counts, rest, is_busy } = await selectImportProgress(pool, owner, id);
    const isBusy = rest > 0 && is_busy;
    expect(listed).toMatchObject({ id, rows: 4, counts, rest, is_busy: isBusy });
    const total = runTotalOf(listed);
    return listed.started_at === null
      ? "not started"
      : `${runStateOf(listed)} ${total - rest} of ${total}`;
  };
  expect(await far()).toBe("not started");
  await startStored(context, id);
  expect(await far()).toBe("stopped 0 of 3");
  await leaseNextRow(pool, owner, id);
  expect(await far()).toBe("busy 0 of 3");
  await changeImportRun(pool, owner, id, "pause");
  expect(await far()).toBe("paused 0 of 3");
  await changeImportRun(pool, owner, id, "close");
  expect(await far()).toBe("closed 0 of 3");
  await pool.query("update import_row set claimed_until = now() where run_id = $1", [id]);
  await changeImportRun(pool, owner, id, "continue");
  importService.faults = [beforeWork(refuse("The number is taken."))];
  await stepImport(context, id);
  expect(await far()).toBe("finished 3 of 3");
  expect((await selectImports(pool, owner))[0]?.counts).toMatchObject({ done: 2, refused: 1 });
  await changeImportRun(pool, owner, id, "undo");
  await leaseNextRow(pool, owner, id);
  expect(await far()).toBe("busy 0 of 2");
  await pool.query("update import_row set claimed_until = now() where run_id = $1", [id]);
  await stepImport(context, id);
  expect(await far()).toBe("undone 2 of 2");
});
