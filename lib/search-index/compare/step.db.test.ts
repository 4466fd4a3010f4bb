import { beforeEach, expect, test } from "vitest";
import { SUBSCRIPTION_STATUSES } from "#contract/subscription-statuses.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Failure } from "#lib/failure.ts";
import { requestFullSync } from "#lib/search-index/sync/refresh-queue.ts";
import { ChangingService } from "#tools/testing/changing-service.ts";
import {
  compareAll,
  fillCopy,
  lastCheck,
  loseCopied,
  openCheck,
  spoilCopied,
  stepOn,
  takeStep,
} from "#tools/testing/compare-steps.ts";
import { expectCopied, newOwner, turn } from "#tools/testing/copy-desk.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard.ts";
import { repairCheck, startCheck } from "./store.ts";
import { explainCount, differs, REACHES } from "./differences.ts";

useDashboardDatabase();
let owner: KeyOwner;
let api: ChangingService;

beforeEach(async () => {
  owner = await newOwner();
  api = new ChangingService();
  api.isTallying = true;
});

const fill = (count: number, once = 0) => fillCopy(owner, api, count, once);
const spoil = (id: string, field: string, value: string) =>
  spoilCopied(owner, id, field, value);
const lose = (id: string) => loseCopied(owner, id);

test.each(REACHES)("of a right copy nothing is complained of (%s)", async (reach) => {
  await fill(43, 2);
  const check = await compareAll(owner, api, reach);
  expect(check.differences).toEqual({ count: 0, shown: [] });
  expect(check.report.counts?.filter(differs)).toEqual([]);
  expect(check.compared).toBe(45);
  const { doubles, strays, prices, events } = check.report;
  for (const found of [doubles, strays, prices, events?.missed, events?.contrary])
    expect(found).toEqual({ count: 0, shown: [] });
  expect(check.report.events?.since).toBeNull();
});

test("more rows than subscriptions are explained by the one-time purchases", async () => {
  await fill(40, 2);
  const { report } = await compareAll(owner, api, "sample");
  expect(explainCount(report.counts ?? [], report.one_time ?? 0)).toEqual({
    count: 42,
    total: 40,
    one_time: 2,
    unexplained: 0,
  });
});

function listPeriod(interval_type: string) {
  const period = { interval_type, interval_count: 1, label: "Period", price: "1200.00" };
  const listed = { is_current: true, is_limited: false, is_archived: false, offers: [] };
  const billing_periods = [{ pbp_id: "pbp-1", currency: "NPR", ...period, ...listed }];
  const plan = { plan_id: "1", plan_name: "Gold", description: "", billing_periods };
  api.products[0]?.plan.push(plan);
}

test("a paid one without any date is a one-time purchase, however its period is listed", async () => {
  api.fill(9);
  listPeriod("month");
  const none = {
    current_period_start: null,
    current_period_end: null,
    next_billing_cycle: null,
  };
  for (let sold = 0; sold < 3; sold += 1) api.create(none);
  await turn(owner, api);
  const { counts = [], one_time = 0 } = (await compareAll(owner, api, "sample")).report;
  expect(counts.filter(differs)).toEqual([]);
  expect(explainCount(counts, one_time)).toMatchObject({ count: 12, total: 9, unexplained: 0 });
});

test("a period that says so makes a one-time purchase, paid or not", async () => {
  api.fill(9);
  api.isTallying = false;
  // Under another plan as well, and otherwise: one listing says so.
  listPeriod("month");
  listPeriod("one_time");
  api.create({ status: "pending_checkout" }).product.pbp_id = "pbp-2";
  await turn(owner, api);
  expect((await compareAll(owner, api, "sample")).report.one_time).toBe(9);
});

test("every kind of difference is found, named and put right by reading it again", async () => {
  await fill(30);
  await lose("sub-3");
  api.subscriptions.splice(
    api.subscriptions.findIndex(({ subscription_id }) => subscription_id === "sub-4"),
    1,
  );
  await spoil("sub-5", "{status}", "due");
  await spoil("sub-6", "{client,phone}", "9811111111");
  const check = await compareAll(owner, api);
  expect(check.by_state).toEqual({ different: 2, extra: 1, missing: 1 });
  expect(check.differences.shown).toEqual([
    {
      subscription_id: "sub-5",
      state: "different",
      buyer: "Buyer 5",
      fields: [{ field: "status", service: "active", copy: "due" }],
    },
    {
      subscription_id: "sub-6",
      state: "different",
      buyer: "Buyer 6",
      fields: [{ field: "client.phone", service: "9800000006", copy: "9811111111" }],
    },
    { subscription_id: "sub-4", state: "extra", buyer: "Buyer 4", fields: [] },
    { subscription_id: "sub-3", state: "missing", buyer: null, fields: [] },
  ]);
  expect(check.report.counts?.filter(differs).map(({ key }) => key)).toEqual([
    "active",
    "due",
    "active",
    "due",
  ]);

  await expect(repairCheck(pool, owner, check.id, "records")).resolves.toBe(4);
  await expect(stepOn(owner, api)).resolves.toEqual({ kind: "finished" });
  const again = await lastCheck(owner);
  expect(again?.differences.count).toBe(0);
  // Of the one that the service removed both say now that there is none.
  expect(again?.report.repaired).toBe(4);
  await expectCopied(owner, api);
});

test("a sample finds what its numbers and pages show, and names the records", async () => {
  await fill(30);
  await lose("sub-3");
  await spoil("sub-5", "{status}", "due");
  const check = await compareAll(owner, api, "sample");
  expect(check.by_state).toEqual({ different: 1, missing: 1 });
});

test("everything is put right by a look through everything", async () => {
  await fill(30);
  await lose("sub-3");
  await spoil("sub-5", "{client,email}", "other@example.com");
  const check = await compareAll(owner, api);
  await expect(repairCheck(pool, owner, check.id, "everything")).resolves.toBe(2);
  await expect(stepOn(owner, api)).resolves.toEqual({ kind: "finished" });
  expect((await lastCheck(owner))?.differences.count).toBe(0);
  await expectCopied(owner, api);
});

test("what the repair did not put right is said again", async () => {
  await fill(30);
  await spoil("sub-5", "{client,email}", "other@example.com");
  const check = await compareAll(owner, api);
  await repairCheck(pool, owner, check.id, "records");
  await pool.query("delete from mirror_hint where seller_id = $1", [owner.seller_id]);
  await stepOn(owner, api);
  const again = await lastCheck(owner);
  expect(again?.by_state).toEqual({ different: 1 });
  expect(again?.report.repaired).toBe(0);
});

test("a service without counters, numbers or statuses is compared record by record", async () => {
  api.isTallying = false;
  await fill(23);
  await lose("sub-3");
  api.isCounting = false;
  const check = await compareAll(owner, api);
  expect(check.report.counts?.every(({ service }) => service === null)).toBe(true);
  expect(explainCount(check.report.counts ?? [], 0)).toBeNull();
  expect(check.by_state).toEqual({ missing: 1 });
});

test("a service that leaves the counters out is compared by its lists", async () => {
  api.isTallying = false;
  await fill(10);
  const { report } = await compareAll(owner, api, "sample");
  const said = (report.counts ?? []).filter(({ service }) => service !== null);
  expect(said.map(({ of, key }) => `${of} ${key}`)).toEqual([
    "counter count",
    "counter customers",
    "counter products",
    ...SUBSCRIPTION_STATUSES.map((status) => `list ${status}`),
  ]);
});

test("a service that does not list by status is not taken at its word", async () => {
  await fill(10);
  api.create({ status: "due" });
  await turn(owner, api);
  const { listSubscriptions } = api;
  api.listSubscriptions = ({ page }) => listSubscriptions({ page });
  const { report, differences } = await compareAll(owner, api);
  const said = (report.counts ?? []).filter(({ of, service }) => of === "list" && service);
  expect(said).toEqual([]);
  expect(differences.count).toBe(0);
});

test("a service that fails half way loses nothing: it goes on where it was", async () => {
  await fill(43);
  await lose("sub-20");
  await startCheck(pool, owner, { reach: "all", user_id: null });
  const away: Failure = { kind: "unavailable", outcome_unknown: false };
  let failed = 0;
  for (let steps = 0; steps < 200; steps += 1) {
    if (steps % 3 === 1) api.failures.push(away);
    const halt = await takeStep(owner, api);
    if (halt?.kind === "finished") break;
    if (halt === null) continue;
    expect(halt).toEqual({ kind: "stopped", failure: away });
    await expect(openCheck(owner)).resolves.toMatchObject({ failure: away });
    failed += 1;
  }
  expect(failed).toBeGreaterThan(3);
  await expect(lastCheck(owner)).resolves.toMatchObject({
    by_state: { missing: 1 },
    compared: 43,
    failure: null,
  });
});

test("a limit is kept to as long as the service says, also one that the copy was told", async () => {
  await fill(3);
  await startCheck(pool, owner, { reach: "all", user_id: null });
  api.failures.push({ kind: "rate_limited", retry_after: 77 });
  const wait = { kind: "wait", why: "rate_limited" };
  await expect(takeStep(owner, api)).resolves.toEqual({ ...wait, seconds: 77 });
  const { calls } = api;
  const halt = await takeStep(owner, api);
  expect(halt).toMatchObject(wait);
  expect(halt?.kind === "wait" && halt.seconds).toBeGreaterThan(60);
  expect(api.calls).toBe(calls);
  await pool.query("update reconciliation set wait_until = null");
  await pool.query(
    `update mirror set error = 'rate_limited', wait_until = now() + interval '30 seconds'
      where seller_id = $1`,
    [owner.seller_id],
  );
  await expect(takeStep(owner, api)).resolves.toMatchObject(wait);
  expect(api.calls).toBe(calls);
});

test("a record that changes while it is read is no difference", async () => {
  await fill(5);
  await startCheck(pool, owner, { reach: "all", user_id: null });
  await requestFullSync(pool, owner);
  let calls = 0;
  api.onCall = async () => {
    calls += 1;
    if (calls % 2 === 1)
      api.change(0, { next_billing_cycle: new Date(calls * 1e9).toISOString() });
    await pool.query(
      "update mirror_subscription set read_at = clock_timestamp() where seller_id = $1",
      [owner.seller_id],
    );
  };
  await stepOn(owner, api);
  expect((await lastCheck(owner))?.by_state).toEqual({ moving: 1 });
});

test("what came after the copy last looked is no difference", async () => {
  await fill(5);
  const created_at = new Date(Date.now() + 60_000).toISOString();
  api.create({ created_at });
  expect((await compareAll(owner, api)).by_state).toEqual({ moving: 1 });
});
