import { expect, test } from "vitest";
import type { Subscription } from "#contract/subscriptions.ts";
import type { AuditNote } from "#lib/auth/guards/seller-action.ts";
import {
  jsonAnswer,
  closeConnection,
  fakeService,
  useBillingServer,
  type AnswerRequest,
} from "#tools/testing/servers/billing-server.ts";
import {
  SHIFT_BY_A_WEEK,
  ACTIVE_STATE,
  storeBulkRun,
  CANCEL_CHANGE,
  ENDING_STATE,
  newBulkFixture,
  readItemStates,
  type RecordStateFixture,
} from "#tools/testing/fixtures/bulk-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { addIndex, makeSubscription } from "#tools/testing/fixtures/records-fixture.ts";
import { moveBillingDateWithSettlement, readDebt } from "../goodwill/store.ts";
import { changeBulkRun } from "./data.ts";
import { leaseNextItem, runNextItem, type BulkContext } from "./run-step.ts";

useDashboardDatabase();
useBillingServer();

const MOVED: RecordStateFixture = {
  ...ACTIVE_STATE,
  current_period_end: "2026-12-08T00:00:00Z",
  next_billing_cycle: "2026-12-08T00:00:00Z",
};

const shows = (state: Partial<Subscription>) =>
  jsonAnswer(200, { subscription_id: "s1", ...state });
const accepts = jsonAnswer(200, { message: "Done." });
const hasNoClock = jsonAnswer(404, {});
const isAway = jsonAnswer(503, {});

/** Sends the answers in order, then repeats the last one. */
const serves = (...answers: AnswerRequest[]) =>
  Object.assign(fakeService, { answers, seen: [] });
const writes = () => fakeService.seen.filter(({ method }) => method === "POST");

async function step(context: BulkContext, id: string) {
  const note: AuditNote = {};
  return { ...(await runNextItem(context, id, note)), note };
}

/** Simulates that the process holding the lease died. */
const abandon = (id: string) =>
  pool.query(
    "update bulk_item set claimed_until = now() - interval '1 second' where run_id = $1 and state = 'running'",
    [id],
  );

test("a step of a bulk run changes one subscription, reads the result and writes an audit entry", async () => {
  const context = await newBulkFixture();
  const id = await storeBulkRun(context, SHIFT_BY_A_WEEK);
  serves(shows(ACTIVE_STATE), accepts, shows(MOVED));
  const { item, pause, note } = await step(context, id);
  expect(item).toMatchObject({
    state: "done",
    day_before: "2026-12-01",
    day_after: "2026-12-08",
  });
  expect(pause).toBeNull();
  expect(writes().map(({ body }) => JSON.parse(body))).toEqual([
    { subscription_id: "s1", next_billing_cycle: "2026-12-08" },
  ]);
  expect(note).toMatchObject({
    action: "subscription.reschedule",
    subscription_id: "s1",
    detail: { bulk_run: id, next_billing_before: "2026-12-01", next_billing: "2026-12-08" },
  });
  expect(await step(context, id)).toMatchObject({ item: null, pause: { kind: "finished" } });
});

test("concurrent steps of a bulk run change each subscription once", async () => {
  const context = await newBulkFixture();
  const records = Array.from({ length: 12 }, () => ({}));
  const id = await storeBulkRun(context, CANCEL_CHANGE, records);
  const cancelled = new Set<string>();
  serves((request, response) => {
    const one = /subscriptions\/(s\d+)\//.exec(request.url ?? "")?.[1] ?? "";
    if (request.method === "POST") cancelled.add(one);
    const answer =
      request.method === "POST"
        ? accepts
        : shows(cancelled.has(one) ? ENDING_STATE : ACTIVE_STATE);
    answer(request, response);
  });
  const driveToTheEnd = async () => {
    while ((await step(context, id)).item) continue;
  };
  await Promise.all([driveToTheEnd(), driveToTheEnd(), driveToTheEnd()]);
  expect(await readItemStates(context, id)).toEqual(records.map(() => "done"));
  expect(new Set(writes().map(({ url }) => url)).size).toBe(12);
  expect(writes()).toHaveLength(12);
});

test("a bulk run skips a subscription that was changed after the dry run", async () => {
  const context = await newBulkFixture();
  const moving = await storeBulkRun(context, SHIFT_BY_A_WEEK);
  serves(shows({ ...MOVED, next_billing_cycle: "2026-12-05T00:00:00Z" }));
  expect((await step(context, moving)).item).toMatchObject({ state: "refused" });
  const cancelling = await storeBulkRun(context, CANCEL_CHANGE);
  serves(shows(ENDING_STATE));
  const { item, note } = await step(context, cancelling);
  expect(item).toMatchObject({ state: "already" });
  expect(note.action).toBeNull();
  expect(writes()).toEqual([]);
});

test("a refusal by the service is stored with its message, and the bulk run continues", async () => {
  const context = await newBulkFixture();
  const id = await storeBulkRun(context, CANCEL_CHANGE, [{}, {}]);
  serves(shows(ACTIVE_STATE), jsonAnswer(400, { detail: "Frozen by the bank." }));
  expect(await step(context, id)).toMatchObject({
    item: { state: "refused", message: "Frozen by the bank." },
    pause: null,
    note: { result: "failed", detail: { failure: "conflict" } },
  });
  serves(jsonAnswer(404, {}));
  expect((await step(context, id)).item).toMatchObject({ state: "refused" });
  expect(await readItemStates(context, id)).toEqual(["refused", "refused"]);
});

test("a rate limit pauses the bulk run and leaves the item waiting", async () => {
  const context = await newBulkFixture();
  const id = await storeBulkRun(context, CANCEL_CHANGE);
  serves(shows(ACTIVE_STATE), jsonAnswer(429, {}, { "retry-after": "17" }));
  expect(await step(context, id)).toMatchObject({
    item: { state: "waiting" },
    pause: { kind: "wait", seconds: 17, why: "rate_limited" },
    note: { action: null },
  });
});

test("an unreachable service stops the bulk run and leaves the item waiting", async () => {
  const context = await newBulkFixture();
  const id = await storeBulkRun(context, CANCEL_CHANGE);
  serves(isAway);
  expect(await step(context, id)).toMatchObject({
    item: { state: "waiting" },
    pause: { kind: "stopped", failure: { kind: "unavailable" } },
  });
  expect(writes()).toEqual([]);
});

test("if the response to a change is lost, the subscription is read again and the change is not resent", async () => {
  const context = await newBulkFixture();
  const id = await storeBulkRun(context, CANCEL_CHANGE, [{}, {}]);
  serves(shows(ACTIVE_STATE), closeConnection, shows(ENDING_STATE));
  expect(await step(context, id)).toMatchObject({
    item: { state: "done" },
    note: { result: "done" },
  });
  serves(shows(ACTIVE_STATE), closeConnection, shows(ACTIVE_STATE));
  expect(await step(context, id)).toMatchObject({
    item: { state: "failed", message: "bulk.why.lostNotDone" },
    note: { result: "failed" },
  });
  expect((await step(context, id)).pause).toEqual({ kind: "finished" });
  expect(writes()).toHaveLength(1);
});

test("a bulk change with an unknown outcome is only checked by reading, never sent again", async () => {
  const context = await newBulkFixture();
  const id = await storeBulkRun(context, CANCEL_CHANGE);
  serves(shows(ACTIVE_STATE), closeConnection, isAway);
  expect(await step(context, id)).toMatchObject({
    item: { state: "unknown" },
    pause: { kind: "stopped" },
    note: { result: "unknown" },
  });
  expect(await step(context, id)).toMatchObject({ item: { state: "unknown" } });
  serves(shows(ENDING_STATE));
  expect((await step(context, id)).item).toMatchObject({ state: "done" });
  expect(writes()).toEqual([]);
});

test("if a process dies, its item is checked by reading after the lease ends, and not sent again", async () => {
  const context = await newBulkFixture();
  const id = await storeBulkRun(context, CANCEL_CHANGE);
  expect(await leaseNextItem(context, id)).toMatchObject({
    subscription_id: "s1",
    was: "waiting",
  });
  serves(shows(ENDING_STATE));
  expect(await step(context, id)).toMatchObject({
    item: null,
    pause: { kind: "wait", why: "held" },
  });
  await abandon(id);
  expect((await step(context, id)).item).toMatchObject({ state: "done" });
  expect(writes()).toEqual([]);
});

test("a step that lost its lease does not overwrite the item's state", async () => {
  const context = await newBulkFixture();
  const id = await storeBulkRun(context, CANCEL_CHANGE);
  serves(
    shows(ACTIVE_STATE),
    (request, response) => {
      // Meanwhile another process takes over the lease.
      void abandon(id)
        .then(() => leaseNextItem(context, id))
        .then(() => jsonAnswer(400, { detail: "Too late." })(request, response));
    },
    shows(ENDING_STATE),
  );
  await step(context, id);
  expect(await readItemStates(context, id)).toEqual(["running"]);
});

test("a retry repeats only failed items, and a paused bulk run changes nothing until it is continued", async () => {
  const context = await newBulkFixture();
  const id = await storeBulkRun(context, CANCEL_CHANGE, [{}, {}, { status: "cancelled" }]);
  serves(shows(ACTIVE_STATE), closeConnection, shows(ACTIVE_STATE));
  await step(context, id);
  serves(shows(ACTIVE_STATE), accepts, shows(ENDING_STATE));
  await step(context, id);
  await changeBulkRun(pool, context.owner, id, "retry");
  expect(await readItemStates(context, id)).toEqual(["waiting", "done", "refused"]);
  await changeBulkRun(pool, context.owner, id, "pause");
  expect((await step(context, id)).pause).toEqual({ kind: "paused" });
  await changeBulkRun(pool, context.owner, id, "continue");
  serves(shows(ACTIVE_STATE), accepts, shows(ENDING_STATE));
  expect((await step(context, id)).item).toMatchObject({ state: "done" });
});

const DUE: RecordStateFixture = {
  ...ACTIVE_STATE,
  status: "due",
  current_period_end: "2026-11-16T06:15:00Z",
  next_billing_cycle: "2026-11-16T06:15:00Z",
};
const GIVEN: RecordStateFixture = {
  ...ACTIVE_STATE,
  current_period_end: "2026-11-27T06:15:00Z",
  next_billing_cycle: "2026-11-27T06:15:00Z",
};
const KEPT = { owed: "kept", reason: "hardship", words: "After the harvest" } as const;
const priced = (state: RecordStateFixture) => ({
  ...makeSubscription(state),
  subscription_id: "s1",
});
const debtOf = (context: BulkContext) => readDebt(pool, context, priced(GIVEN));

test("a bulk move keeps the debt of an overdue subscription, even if the service's response is lost", async () => {
  for (const answer of [accepts, closeConnection]) {
    const context = await newBulkFixture();
    await addIndex(pool, context.owner, {});
    const id = await storeBulkRun(context, SHIFT_BY_A_WEEK, [DUE], null, KEPT);
    serves(shows(priced(DUE)), hasNoClock, answer, shows(priced(GIVEN)));
    const { item, note } = await step(context, id);
    expect(item).toMatchObject({ state: "done", target_day: "2026-11-27" });
    expect(note).toMatchObject({
      detail: { courtesy: "hardship", owed: "kept", next_billing: "2026-11-27" },
    });
    expect(await debtOf(context)).toMatchObject({
      amount: "500.00",
      text: "After the harvest",
    });
  }
});

test("a bulk move that failed after a lost response does not change an earlier debt", async () => {
  const context = await newBulkFixture();
  await addIndex(pool, context.owner, {});
  serves(hasNoClock);
  const before = priced({ ...DUE, next_billing_cycle: "2026-10-16T06:15:00Z" });
  const earlier = { before, day: "2026-11-16", settlement: KEPT };
  await moveBillingDateWithSettlement(pool, context, earlier, () => Promise.resolve());
  const id = await storeBulkRun(context, SHIFT_BY_A_WEEK, [DUE], null, KEPT);
  serves(shows(priced(DUE)), hasNoClock, closeConnection, shows(priced(DUE)));
  expect((await step(context, id)).item).toMatchObject({
    state: "failed",
    message: "bulk.why.lostNotDone",
  });
  expect(await readDebt(pool, context, priced(DUE))).toMatchObject({ amount: "500.00" });
});

test("a bulk move refuses an overdue subscription if its debt is neither kept nor waived", async () => {
  const context = await newBulkFixture();
  const id = await storeBulkRun(context, SHIFT_BY_A_WEEK, [DUE]);
  serves(shows(priced(DUE)));
  const { item, note } = await step(context, id);
  expect(item).toMatchObject({ state: "refused", message: "owed.undecided" });
  expect(note.action).toBeNull();
  expect(writes()).toEqual([]);
  expect(await debtOf(context)).toBeNull();
});

test("undoing a bulk run marks the items of that run as undone", async () => {
  const context = await newBulkFixture();
  const first = await storeBulkRun(context, SHIFT_BY_A_WEEK);
  serves(shows(ACTIVE_STATE), accepts, shows(MOVED));
  await step(context, first);
  const old = { s1: "2026-12-01" };
  const undo = await storeBulkRun(
    context,
    { operation: "reschedule", to: "back", old },
    [MOVED],
    first,
  );
  serves(shows(MOVED), accepts, shows(ACTIVE_STATE));
  expect((await step(context, undo)).item).toMatchObject({
    state: "done",
    target_day: "2026-12-01",
  });
  expect(await readItemStates(context, first)).toEqual(["undone"]);
});
