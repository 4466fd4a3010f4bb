import { beforeEach, expect, test } from "vitest";
import { AppError, type Failure } from "#lib/failure.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  beforeWork,
  importService,
  manyRows,
  openImportRun,
  readResults,
  refuse,
  stepImport,
} from "#tools/testing/fixtures/import-fixture.ts";
import {
  closeConnection,
  fakeService,
  jsonAnswer,
  useBillingServer,
} from "#tools/testing/servers/billing-server.ts";
import { changeImportRun, leaseNextRow } from "./run-store.ts";

useDashboardDatabase();
useBillingServer();
beforeEach(() => importService.begin());

test("a run creates one subscription for each accepted row, with an audit entry", async () => {
  const { context, id } = await openImportRun([
    {},
    { verdict: "wrong" },
    { verdict: "has" },
    { paid_until: "2027-01-01", pan_vat: "301234567" },
  ]);
  const { pause, progress } = await stepImport(context, id);
  expect(pause).toEqual({ kind: "finished" });
  expect(progress).toMatchObject({ rest: 0, links: 1, counts: { done: 2 } });
  const rows = await readResults(context, id);
  expect(rows.map(({ state }) => state)).toEqual(["done", null, null, "done"]);
  expect(rows[0]?.checkout_url).toBe(`https://pay.example/pay/${rows[0]?.subscription_id}`);
  const [link, paid] = fakeService.seen;
  expect(link?.url).toBe("/api/v1/subscriptions/");
  expect(paid?.url).toBe("/account/v1/subscriptions/");
  expect(JSON.parse(paid?.body ?? "")).toMatchObject({
    pbp_id: "p1",
    paid_until: "2027-01-01",
    client: {
      full_name: "Buyer 3",
      billing: { billing_business_name: "Buyer 3", billing_pan_vat: "301234567" },
    },
  });
  const audited = await pool.query(
    "select action, detail from audit_log where seller_id = $1 order by id",
    [context.owner.seller_id],
  );
  expect(audited.rows.map(({ action }) => action)).toEqual([
    "subscription.create",
    "subscription.create",
  ]);
  expect(audited.rows[0]).toMatchObject({ detail: { import_run: id } });
  expect(await stepImport(context, id)).toMatchObject({ pause: { kind: "finished" } });
  expect(fakeService.seen).toHaveLength(2);
});

test("concurrent steps of a run create the subscription of each row once", async () => {
  const { context, id } = await openImportRun(manyRows(30));
  await Promise.all([
    stepImport(context, id, 4),
    stepImport(context, id, 4),
    stepImport(context, id, 4),
  ]);
  expect((await readResults(context, id)).map(({ state }) => state)).toEqual(
    manyRows(30).map(() => "done"),
  );
  expect(fakeService.seen).toHaveLength(30);
});

test("a request whose response was lost is repeated with the same idempotency key and creates nothing twice", async () => {
  const { context, id } = await openImportRun(manyRows(2));
  importService.faults = [closeConnection];
  expect(await stepImport(context, id)).toMatchObject({ pause: { kind: "finished" } });
  expect(importService.made.size).toBe(2);
  expect(fakeService.seen).toHaveLength(3);
  const [first, again] = fakeService.seen;
  expect(first?.headers["idempotency-key"]).toBe(again?.headers["idempotency-key"]);
  expect(first?.body).toBe(again?.body);
});

test("an unavailable service stops the run, and the next step completes it without duplicates", async () => {
  const { context, id } = await openImportRun(manyRows(3));
  importService.faults = [closeConnection, closeConnection];
  const stopped = await stepImport(context, id);
  expect(stopped.pause).toMatchObject({ kind: "stopped", failure: { kind: "unavailable" } });
  expect(stopped.progress).toMatchObject({ rest: 3, counts: { unknown: 1, waiting: 2 } });
  expect(await stepImport(context, id)).toMatchObject({ pause: { kind: "finished" } });
  expect(importService.made.size).toBe(3);
  const rows = await readResults(context, id);
  expect(rows.map(({ state, message }) => [state, message])).toEqual(
    manyRows(3).map(() => ["done", null]),
  );
});

test("the row of a crashed process stays leased until the lease ends, and then gets one subscription", async () => {
  const { context, id } = await openImportRun(manyRows(2));
  const held = await leaseNextRow(pool, context.owner, id);
  expect(held).toMatchObject({ position: 2, state: "running", was: "waiting" });
  // The request was sent before the process died.
  await context.billing.createSubscription(
    JSON.parse('{"pbp_id":"p1","return_url":"https://a.example/","client":{}}'),
    held?.idempotency_key,
  );
  expect(await stepImport(context, id)).toMatchObject({
    pause: { kind: "wait", why: "held" },
    progress: { rest: 1, counts: { done: 1, running: 1 } },
  });
  await pool.query(
    "update import_row set claimed_until = now() - interval '1 second' where run_id = $1 and state = 'running'",
    [id],
  );
  expect(await stepImport(context, id)).toMatchObject({ pause: { kind: "finished" } });
  expect(importService.made.size).toBe(2);
});

test("a rate limit pauses the run for as long as the service says", async () => {
  const { context, id } = await openImportRun(manyRows(2));
  importService.faults = [
    beforeWork(jsonAnswer(429, { detail: "Slow." }, { "retry-after": "7" })),
  ];
  expect(await stepImport(context, id)).toMatchObject({
    pause: { kind: "wait", seconds: 7, why: "rate_limited" },
    progress: { counts: { waiting: 2 } },
  });
  expect(await stepImport(context, id)).toMatchObject({ progress: { counts: { done: 2 } } });
});

test("while it is unknown whether the service can take over subscriptions, rows that need it and an undo wait", async () => {
  const { context, id } = await openImportRun([{}, { paid_until: "2027-01-01" }, {}]);
  const failure: Failure = { kind: "rate_limited", retry_after: 9 };
  const unsure = { ...context, takeOver: () => Promise.reject(new AppError(failure)) };
  expect(await stepImport(unsure, id)).toMatchObject({
    pause: { kind: "wait", seconds: 9, why: "rate_limited" },
    progress: { rest: 2, counts: { done: 1, waiting: 2 } },
  });
  expect(await stepImport(context, id)).toMatchObject({
    pause: { kind: "finished" },
    progress: { can_undo: true, counts: { done: 3 } },
  });
  await changeImportRun(pool, context.owner, id, "undo");
  expect(await stepImport(unsure, id)).toMatchObject({
    pause: { kind: "wait", seconds: 9 },
    progress: { rest: 3, counts: { done: 3 } },
  });
  expect(await stepImport(context, id)).toMatchObject({ progress: { counts: { undone: 3 } } });
});

test("at a service without take-overs, a run creates subscriptions but cannot be undone", async () => {
  const { context, id } = await openImportRun(manyRows(2), false);
  expect(await stepImport(context, id)).toMatchObject({
    pause: { kind: "finished" },
    progress: { can_undo: false, counts: { done: 2 } },
  });
  expect(fakeService.seen.map(({ url }) => url)).toEqual(
    manyRows(2).map(() => "/api/v1/subscriptions/"),
  );
});

test("a refused row shows the service's message, and its retry uses a new idempotency key", async () => {
  const { context, id } = await openImportRun(manyRows(2));
  importService.faults = [
    beforeWork(refuse("This buyer has one.")),
    beforeWork(jsonAnswer(418, {})),
  ];
  expect(await stepImport(context, id)).toMatchObject({ pause: { kind: "finished" } });
  const rows = await readResults(context, id);
  expect(rows.map(({ state }) => state)).toEqual(["refused", "failed"]);
  expect(rows[0]?.message).toBe("This buyer has one.");
  await changeImportRun(pool, context.owner, id, "retry");
  expect(await stepImport(context, id)).toMatchObject({ progress: { counts: { done: 2 } } });
  const keys = fakeService.seen.map(({ headers }) => headers["idempotency-key"]);
  expect(new Set(keys).size).toBe(4);
});

test("if the service still processes the first request of a row, the run waits", async () => {
  const { context, id } = await openImportRun(manyRows(1));
  importService.faults = [closeConnection, jsonAnswer(409, { detail: "Still running." })];
  expect(await stepImport(context, id)).toMatchObject({
    pause: { kind: "wait", why: "held" },
    progress: { rest: 1, counts: { unknown: 1 } },
  });
  expect(await stepImport(context, id)).toMatchObject({ progress: { counts: { done: 1 } } });
  expect(importService.made.size).toBe(1);
});

test("a 409 response refuses only its own row, and the run continues", async () => {
  const { context, id } = await openImportRun(manyRows(2));
  importService.faults = [beforeWork(jsonAnswer(409, { detail: "This buyer has one." }))];
  expect(await stepImport(context, id)).toMatchObject({
    pause: { kind: "finished" },
    progress: { counts: { done: 1, refused: 1 } },
  });
  expect((await readResults(context, id))[0]?.message).toBe("This buyer has one.");
});

test("a row whose response was lost stays unconfirmed while its retry is rate limited", async () => {
  const { context, id } = await openImportRun(manyRows(1));
  importService.faults = [closeConnection, jsonAnswer(429, {}, { "retry-after": "3" })];
  expect(await stepImport(context, id)).toMatchObject({
    pause: { kind: "wait", seconds: 3 },
    progress: { rest: 1, counts: { unknown: 1 } },
  });
  await expect(changeImportRun(pool, context.owner, id, "undo")).rejects.toMatchObject({
    failure: { detail: "importRun.problem.unsure" },
  });
  expect(await stepImport(context, id)).toMatchObject({ progress: { counts: { done: 1 } } });
  expect(importService.made.size).toBe(1);
});

test("a row whose billing period is missing at the service is refused with this reason", async () => {
  const { context, id } = await openImportRun(manyRows(1));
  importService.faults = [beforeWork(jsonAnswer(404, { detail: "Not found." }))];
  await stepImport(context, id);
  expect((await readResults(context, id))[0]).toMatchObject({
    state: "refused",
    message: "importRun.why.noPeriod",
  });
});

test("a paused or closed run creates nothing until it is continued", async () => {
  const { context, id } = await openImportRun(manyRows(2));
  for (const change of ["pause", "close"] as const) {
    await changeImportRun(pool, context.owner, id, change);
    expect(await stepImport(context, id)).toMatchObject({ pause: { kind: "paused" } });
    await changeImportRun(pool, context.owner, id, "continue");
  }
  expect(fakeService.seen).toEqual([]);
  expect(await stepImport(context, id)).toMatchObject({ progress: { counts: { done: 2 } } });
});
