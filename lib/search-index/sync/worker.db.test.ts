import { afterEach, expect, test, vi } from "vitest";
import { ChangingService } from "#tools/testing/servers/changing-service.ts";
import {
  expectIndexed,
  createIndexOwner,
  readSyncStatus,
} from "#tools/testing/fixtures/search-index-fixture.ts";
import { database, pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { enqueueRefresh } from "./refresh-queue.ts";
import { SYNC_SCHEDULE } from "./sync-job.ts";
import { startSyncWorker, type Worker } from "./worker.ts";

useDashboardDatabase();
const workers: Worker[] = [];
const apis = new Map<string, ChangingService>();

/** Starts a worker as if in a process of its own. */
function start() {
  const worker = startSyncWorker({
    pool,
    listenUrl: database.url,
    modes: ["test"],
    apiOf: ({ seller_id }) => apis.get(seller_id) ?? new ChangingService(),
    pace: SYNC_SCHEDULE,
  });
  workers.push(worker);
  return worker;
}

afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.close())));

async function seller(rows: number) {
  const owner = await createIndexOwner();
  const api = new ChangingService();
  api.fill(rows);
  apis.set(owner.seller_id, api);
  return { owner, api };
}

const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000 });

test("several workers together fill each index once", async () => {
  const sellers = await Promise.all(Array.from({ length: 6 }, () => seller(23)));
  start();
  start();
  await until(async () => {
    for (const { owner, api } of sellers) await expectIndexed(owner, api);
  });
  // Five pages of both long lists, one of products, and the newest page of each once.
  for (const { api } of sellers) expect(api.calls).toBe(5 + 5 + 1 + 3);
});

test("a queued refresh runs at once, in any process", async () => {
  const { owner, api } = await seller(9);
  start();
  await until(async () =>
    expect(await readSyncStatus(owner)).toMatchObject({ is_filled: true }),
  );
  const id = api.change(8, { status: "due" }) ?? "";
  const asked = performance.now();
  await enqueueRefresh(pool, owner, "subscriptions", [id]);
  await until(() => expectIndexed(owner, api));
  // Without the notification, the worker would look again only after thirty seconds.
  expect(performance.now() - asked).toBeLessThan(SYNC_SCHEDULE.newestEvery * 1_000);
});

test("a worker that shuts down releases its leases, and another worker continues", async () => {
  const { owner, api } = await seller(60);
  const begun = Promise.withResolvers<void>();
  api.onCall = () => begun.resolve();
  const worker = start();
  await begun.promise;
  await worker.close();
  const { rows } = await pool.query(
    "select 1 from mirror where seller_id = $1 and claimed_until is null and due_at <= now()",
    [owner.seller_id],
  );
  expect(rows).toHaveLength(1);
  start();
  await until(() => expectIndexed(owner, api));
});
