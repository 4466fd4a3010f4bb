import { beforeEach, expect, test } from "vitest";
import { SUBSCRIPTION_STATUSES } from "#contract/names.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Failure } from "#lib/failure.ts";
import { requestFullSync } from "#lib/search-index/sync/refresh-queue.ts";
import { ChangingService } from "#tools/testing/servers/changing-service.ts";
import {
  changeIndexed,
  compareAll,
  fillIndex,
  readLastComparison,
  readOpenComparison,
  removeIndexed,
  stepUntilPause,
  takeCompareStep,
} from "#tools/testing/compare-steps.ts";
import {
  expectIndexed,
  createIndexOwner,
  runSlice,
} from "#tools/testing/fixtures/search-index-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { isCountDifferent, explainCount, MAX_COMPARED } from "./differences.ts";
import { startComparison } from "./store.ts";

useDashboardDatabase();
let owner: KeyOwner;
let api: ChangingService;

beforeEach(async () => {
  owner = await createIndexOwner();
  api = new ChangingService();
  api.isTallying = true;
});

const fill = (count: number, once = 0) => fillIndex(owner, api, count, once);
const change = (id: string, field: string, value: string) =>
  changeIndexed(owner, id, field, value);
const remove = (id: string) => removeIndexed(owner, id);

/** Makes the service claim that it has more records than are compared one by one. */
function claimLongList() {
  const { listSubscriptions } = api;
  api.listSubscriptions = async (options) => {
    const page = await listSubscriptions(options);
    return options.status === null ? { ...page, count: MAX_COMPARED + 1 } : page;
  };
}

test("a correct index has no difference", async () => {
  await fill(43, 2);
  const comparison = await compareAll(owner, api);
  expect(comparison).toMatchObject({ reach: "all", compared: 45 });
  expect(comparison.differences).toEqual([]);
  expect(comparison.report.counts?.filter(isCountDifferent)).toEqual([]);
});

test("only a sample of a long list is compared", async () => {
  await fill(30);
  await remove("sub-3");
  await change("sub-5", "{status}", "due");
  claimLongList();
  const { reach, report, by_state } = await compareAll(owner, api);
  expect(reach).toBe("sample");
  expect(report.counts?.find(({ key }) => key === "count")).toMatchObject({
    service: MAX_COMPARED + 1,
    index: 29,
  });
  // No page of the sample shows the missing record; only the count shows that one is missing.
  expect(by_state).toEqual({ different: 1 });
});

test("surplus rows in the index are explained by one-time purchases", async () => {
  await fill(40, 2);
  const { report } = await compareAll(owner, api);
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

test("a paid record without dates counts as a one-time purchase, whatever its billing period is", async () => {
  api.fill(9);
  listPeriod("month");
  const none = {
    current_period_start: null,
    current_period_end: null,
    next_billing_cycle: null,
  };
  for (let sold = 0; sold < 3; sold += 1) api.create(none);
  await runSlice(owner, api);
  const { counts = [], one_time = 0 } = (await compareAll(owner, api)).report;
  expect(counts.filter(isCountDifferent)).toEqual([]);
  expect(explainCount(counts, one_time)).toMatchObject({ count: 12, total: 9, unexplained: 0 });
});

test("a record of a one-time period counts as a one-time purchase, paid or not", async () => {
  api.fill(9);
  api.isTallying = false;
  // The same period is also listed in another plan as recurring; one listing as one-time is enough.
  listPeriod("month");
  listPeriod("one_time");
  api.create({ status: "pending_checkout" }).product.pbp_id = "pbp-2";
  await runSlice(owner, api);
  expect((await compareAll(owner, api)).report.one_time).toBe(9);
});

test("every kind of difference is found, with names and fields", async () => {
  await fill(30);
  await remove("sub-3");
  api.subscriptions.splice(
    api.subscriptions.findIndex(({ subscription_id }) => subscription_id === "sub-4"),
    1,
  );
  await change("sub-5", "{status}", "due");
  await change("sub-6", "{client,phone}", "9811111111");
  const comparison = await compareAll(owner, api);
  expect(comparison.by_state).toEqual({ different: 2, extra: 1, missing: 1 });
  expect(comparison.differences).toEqual([
    {
      subscription_id: "sub-5",
      state: "different",
      buyer: "Buyer 5",
      fields: [{ field: "status", service: "active", index: "due" }],
    },
    {
      subscription_id: "sub-6",
      state: "different",
      buyer: "Buyer 6",
      fields: [{ field: "client.phone", service: "9800000006", index: "9811111111" }],
    },
    { subscription_id: "sub-4", state: "extra", buyer: "Buyer 4", fields: [] },
    { subscription_id: "sub-3", state: "missing", buyer: null, fields: [] },
  ]);
  expect(comparison.report.counts?.filter(isCountDifferent).map(({ key }) => key)).toEqual([
    "active",
    "due",
    "active",
    "due",
  ]);
});

test("a full sync corrects the differences", async () => {
  await fill(30);
  await remove("sub-3");
  await change("sub-5", "{client,email}", "other@example.com");
  expect((await compareAll(owner, api)).differences).toHaveLength(2);
  await requestFullSync(pool, owner);
  await runSlice(owner, api, { newestEvery: 1_000 });
  expect((await compareAll(owner, api)).differences).toEqual([]);
  await expectIndexed(owner, api);
});

test("records are compared one by one if the service gives no counts", async () => {
  api.isTallying = false;
  await fill(23);
  await remove("sub-3");
  api.isCounting = false;
  const comparison = await compareAll(owner, api);
  expect(comparison.report.counts?.every(({ service }) => service === null)).toBe(true);
  expect(explainCount(comparison.report.counts ?? [], 0)).toBeNull();
  expect(comparison.by_state).toEqual({ missing: 1 });
});

test("subscriptions are counted by the lists of each status if the service gives no status counters", async () => {
  api.isTallying = false;
  await fill(10);
  const { report } = await compareAll(owner, api);
  const said = (report.counts ?? []).filter(({ service }) => service !== null);
  expect(said.map(({ of, key }) => `${of} ${key}`)).toEqual([
    "counter count",
    "counter customers",
    "counter products",
    ...SUBSCRIPTION_STATUSES.map((status) => `list ${status}`),
  ]);
});

test("list counts of a service that does not filter by status are ignored", async () => {
  await fill(10);
  api.create({ status: "due" });
  await runSlice(owner, api);
  const { listSubscriptions } = api;
  api.listSubscriptions = ({ page }) => listSubscriptions({ page });
  const { report, differences } = await compareAll(owner, api);
  const said = (report.counts ?? []).filter(({ of, service }) => of === "list" && service);
  expect(said).toEqual([]);
  expect(differences).toEqual([]);
});

test("after a failure, the comparison continues where it stopped", async () => {
  await fill(43);
  await remove("sub-20");
  await startComparison(pool, owner, null);
  const away: Failure = { kind: "unavailable", outcome_unknown: false };
  let failed = 0;
  for (let steps = 0; steps < 200; steps += 1) {
    if (steps % 3 === 1) api.failures.push(away);
    const pause = await takeCompareStep(owner, api);
    if (pause?.kind === "finished") break;
    if (pause === null) continue;
    expect(pause).toEqual({ kind: "stopped", failure: away });
    await expect(readOpenComparison(owner)).resolves.toMatchObject({ failure: away });
    failed += 1;
  }
  expect(failed).toBeGreaterThan(2);
  await expect(readLastComparison(owner)).resolves.toMatchObject({
    by_state: { missing: 1 },
    compared: 43,
    failure: null,
  });
});

test("the comparison waits for a rate limit, including one that the sync received", async () => {
  await fill(3);
  await startComparison(pool, owner, null);
  api.failures.push({ kind: "rate_limited", retry_after: 77 });
  const wait = { kind: "wait", why: "rate_limited" };
  await expect(takeCompareStep(owner, api)).resolves.toEqual({ ...wait, seconds: 77 });
  const { calls } = api;
  const pause = await takeCompareStep(owner, api);
  expect(pause).toMatchObject(wait);
  expect(pause?.kind === "wait" && pause.seconds).toBeGreaterThan(60);
  expect(api.calls).toBe(calls);
  await pool.query("update reconciliation set wait_until = null");
  await pool.query(
    `update mirror set error = 'rate_limited', wait_until = now() + interval '30 seconds'
      where seller_id = $1`,
    [owner.seller_id],
  );
  await expect(takeCompareStep(owner, api)).resolves.toMatchObject(wait);
  expect(api.calls).toBe(calls);
});

test("a record that changes while the comparison reads it is reported as changing, not as different", async () => {
  await fill(5);
  await startComparison(pool, owner, null);
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
  await stepUntilPause(owner, api);
  expect((await readLastComparison(owner))?.by_state).toEqual({ moving: 1 });
});

test("a record newer than the last sync is reported as changing, not as missing", async () => {
  await fill(5);
  const created_at = new Date(Date.now() + 60_000).toISOString();
  api.create({ created_at });
  expect((await compareAll(owner, api)).by_state).toEqual({ moving: 1 });
});
