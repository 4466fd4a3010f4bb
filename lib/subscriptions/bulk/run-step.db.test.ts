import { expect, test } from "vitest";
import type { Subscription } from "#contract/subscriptions.ts";
import type { AuditNote } from "#lib/auth/guards/seller-action.ts";
import {
  json,
  reset,
  service,
  useBillingServer,
  type Answer,
} from "#tools/testing/servers/billing-server.ts";
import {
  A_WEEK,
  ACTIVE,
  begin,
  CANCEL,
  ENDING,
  newBulkFixture,
  statesOf,
  type State,
} from "#tools/testing/fixtures/bulk-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { addIndex, makeSubscription } from "#tools/testing/fixtures/records-fixture.ts";
import { moveBillingDateWithSettlement, readDebt } from "../goodwill/store.ts";
import { changeBulkRun } from "./data.ts";
import { leaseNextItem, runNextItem, type BulkContext } from "./run-step.ts";

useDashboardDatabase();
useBillingServer();

const MOVED: State = {
  ...ACTIVE,
  current_period_end: "2026-12-08T00:00:00Z",
  next_billing_cycle: "2026-12-08T00:00:00Z",
};

const shows = (state: Partial<Subscription>) => json(200, { subscription_id: "s1", ...state });
const accepts = json(200, { message: "Done." });
const hasNoClock = json(404, {});
const isAway = json(503, {});

/** Sends the answers in order, then repeats the last one. */
const serves = (...answers: Answer[]) => Object.assign(service, { answers, seen: [] });
const writes = () => service.seen.filter(({ method }) => method === "POST");

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

test("reads, changes and reads a subscription again, and audits it", async () => {
  const context = await newBulkFixture();
  const id = await begin(context, A_WEEK);
  serves(shows(ACTIVE), accepts, shows(MOVED));
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

test("steps running at once process each item once", async () => {
  const context = await newBulkFixture();
  const records = Array.from({ length: 12 }, () => ({}));
  const id = await begin(context, CANCEL, records);
  const cancelled = new Set<string>();
  serves((request, response) => {
    const one = /subscriptions\/(s\d+)\//.exec(request.url ?? "")?.[1] ?? "";
    if (request.method === "POST") cancelled.add(one);
    const answer =
      request.method === "POST" ? accepts : shows(cancelled.has(one) ? ENDING : ACTIVE);
    answer(request, response);
  });
  const driveToTheEnd = async () => {
    while ((await step(context, id)).item) continue;
  };
  await Promise.all([driveToTheEnd(), driveToTheEnd(), driveToTheEnd()]);
  expect(await statesOf(context, id)).toEqual(records.map(() => "done"));
  expect(new Set(writes().map(({ url }) => url)).size).toBe(12);
  expect(writes()).toHaveLength(12);
});

test("skips a subscription that was changed after the dry run", async () => {
  const context = await newBulkFixture();
  const moving = await begin(context, A_WEEK);
  serves(shows({ ...MOVED, next_billing_cycle: "2026-12-05T00:00:00Z" }));
  expect((await step(context, moving)).item).toMatchObject({ state: "refused" });
  const cancelling = await begin(context, CANCEL);
  serves(shows(ENDING));
  const { item, note } = await step(context, cancelling);
  expect(item).toMatchObject({ state: "already" });
  expect(note.action).toBeNull();
  expect(writes()).toEqual([]);
});

test("keeps the service's message of a refusal and continues", async () => {
  const context = await newBulkFixture();
  const id = await begin(context, CANCEL, [{}, {}]);
  serves(shows(ACTIVE), json(400, { detail: "Frozen by the bank." }));
  expect(await step(context, id)).toMatchObject({
    item: { state: "refused", message: "Frozen by the bank." },
    pause: null,
    note: { result: "failed", detail: { failure: "conflict" } },
  });
  serves(json(404, {}));
  expect((await step(context, id)).item).toMatchObject({ state: "refused" });
  expect(await statesOf(context, id)).toEqual(["refused", "refused"]);
});

test("a rate limit pauses the run and leaves the item waiting", async () => {
  const context = await newBulkFixture();
  const id = await begin(context, CANCEL);
  serves(shows(ACTIVE), json(429, {}, { "retry-after": "17" }));
  expect(await step(context, id)).toMatchObject({
    item: { state: "waiting" },
    pause: { kind: "wait", seconds: 17, why: "rate_limited" },
    note: { action: null },
  });
});

test("an unreachable service stops the run and leaves the item waiting", async () => {
  const context = await newBulkFixture();
  const id = await begin(context, CANCEL);
  serves(isAway);
  expect(await step(context, id)).toMatchObject({
    item: { state: "waiting" },
    pause: { kind: "stopped", failure: { kind: "unavailable" } },
  });
  expect(writes()).toEqual([]);
});

test("a lost answer is settled by reading the subscription, and never sent again automatically", async () => {
  const context = await newBulkFixture();
  const id = await begin(context, CANCEL, [{}, {}]);
  serves(shows(ACTIVE), reset, shows(ENDING));
  expect(await step(context, id)).toMatchObject({
    item: { state: "done" },
    note: { result: "done" },
  });
  serves(shows(ACTIVE), reset, shows(ACTIVE));
  expect(await step(context, id)).toMatchObject({
    item: { state: "failed", message: "bulk.why.lostNotDone" },
    note: { result: "failed" },
  });
  expect((await step(context, id)).pause).toEqual({ kind: "finished" });
  expect(writes()).toHaveLength(1);
});

test("an unconfirmed item is only read, never sent again", async () => {
  const context = await newBulkFixture();
  const id = await begin(context, CANCEL);
  serves(shows(ACTIVE), reset, isAway);
  expect(await step(context, id)).toMatchObject({
    item: { state: "unknown" },
    pause: { kind: "stopped" },
    note: { result: "unknown" },
  });
  expect(await step(context, id)).toMatchObject({ item: { state: "unknown" } });
  serves(shows(ENDING));
  expect((await step(context, id)).item).toMatchObject({ state: "done" });
  expect(writes()).toEqual([]);
});

test("the item of a killed process is read after its lease ends, and not sent again", async () => {
  const context = await newBulkFixture();
  const id = await begin(context, CANCEL);
  expect(await leaseNextItem(context, id)).toMatchObject({
    subscription_id: "s1",
    was: "waiting",
  });
  serves(shows(ENDING));
  expect(await step(context, id)).toMatchObject({
    item: null,
    pause: { kind: "wait", why: "held" },
  });
  await abandon(id);
  expect((await step(context, id)).item).toMatchObject({ state: "done" });
  expect(writes()).toEqual([]);
});

test("a step that lost its lease does not overwrite the outcome", async () => {
  const context = await newBulkFixture();
  const id = await begin(context, CANCEL);
  serves(
    shows(ACTIVE),
    (request, response) => {
      // Meanwhile another process takes over the lease.
      void abandon(id)
        .then(() => leaseNextItem(context, id))
        .then(() => json(400, { detail: "Too late." })(request, response));
    },
    shows(ENDING),
  );
  await step(context, id);
  expect(await statesOf(context, id)).toEqual(["running"]);
});

test("a retry repeats only failed items, and a pause stops every tab", async () => {
  const context = await newBulkFixture();
  const id = await begin(context, CANCEL, [{}, {}, { status: "cancelled" }]);
  serves(shows(ACTIVE), reset, shows(ACTIVE));
  await step(context, id);
  serves(shows(ACTIVE), accepts, shows(ENDING));
  await step(context, id);
  await changeBulkRun(pool, context.owner, id, "retry");
  expect(await statesOf(context, id)).toEqual(["waiting", "done", "refused"]);
  await changeBulkRun(pool, context.owner, id, "pause");
  expect((await step(context, id)).pause).toEqual({ kind: "paused" });
  await changeBulkRun(pool, context.owner, id, "continue");
  serves(shows(ACTIVE), accepts, shows(ENDING));
  expect((await step(context, id)).item).toMatchObject({ state: "done" });
});

const DUE: State = {
  ...ACTIVE,
  status: "due",
  current_period_end: "2026-11-16T06:15:00Z",
  next_billing_cycle: "2026-11-16T06:15:00Z",
};
const GIVEN: State = {
  ...ACTIVE,
  current_period_end: "2026-11-27T06:15:00Z",
  next_billing_cycle: "2026-11-27T06:15:00Z",
};
const KEPT = { owed: "kept", reason: "hardship", words: "After the harvest" } as const;
const priced = (state: State) => ({ ...makeSubscription(state), subscription_id: "s1" });
const debtOf = (context: BulkContext) => readDebt(pool, context, priced(GIVEN));

test("keeps a debt with its reason, even if the answer is lost", async () => {
  for (const answer of [accepts, reset]) {
    const context = await newBulkFixture();
    await addIndex(pool, context.owner, {});
    const id = await begin(context, A_WEEK, [DUE], null, KEPT);
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

test("an earlier debt is kept if a move's answer was lost and the move was not made", async () => {
  const context = await newBulkFixture();
  await addIndex(pool, context.owner, {});
  serves(hasNoClock);
  const before = priced({ ...DUE, next_billing_cycle: "2026-10-16T06:15:00Z" });
  const earlier = { before, day: "2026-11-16", settlement: KEPT };
  await moveBillingDateWithSettlement(pool, context, earlier, () => Promise.resolve());
  const id = await begin(context, A_WEEK, [DUE], null, KEPT);
  serves(shows(priced(DUE)), hasNoClock, reset, shows(priced(DUE)));
  expect((await step(context, id)).item).toMatchObject({
    state: "failed",
    message: "bulk.why.lostNotDone",
  });
  expect(await readDebt(pool, context, priced(DUE))).toMatchObject({ amount: "500.00" });
});

test("an overdue item is not moved without a decision on its debt", async () => {
  const context = await newBulkFixture();
  const id = await begin(context, A_WEEK, [DUE]);
  serves(shows(priced(DUE)));
  const { item, note } = await step(context, id);
  expect(item).toMatchObject({ state: "refused", message: "owed.undecided" });
  expect(note.action).toBeNull();
  expect(writes()).toEqual([]);
  expect(await debtOf(context)).toBeNull();
});

test("an undo marks the items of the undone run", async () => {
  const context = await newBulkFixture();
  const first = await begin(context, A_WEEK);
  serves(shows(ACTIVE), accepts, shows(MOVED));
  await step(context, first);
  const old = { s1: "2026-12-01" };
  const undo = await begin(
    context,
    { operation: "reschedule", to: "back", old },
    [MOVED],
    first,
  );
  serves(shows(MOVED), accepts, shows(ACTIVE));
  expect((await step(context, undo)).item).toMatchObject({
    state: "done",
    target_day: "2026-12-01",
  });
  expect(await statesOf(context, first)).toEqual(["undone"]);
});
