import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { CustomerPage } from "#contract/customers.ts";
import { AccountPaymentPage } from "#contract/payments.ts";
import { ProductPage } from "#contract/products.ts";
import { SubscriptionPage } from "#contract/subscriptions.ts";
import { withFeed } from "#lib/billing/change-client.ts";
import { BillingClient } from "#lib/billing/client.ts";
import { openConnection } from "#lib/billing/connection.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { readIndexSettings } from "#lib/search-index/data.ts";
import { readIndexStatus } from "#lib/search-index/query/index-status.ts";
import { enqueueRefresh, requestFullSync } from "#lib/search-index/sync/refresh-queue.ts";
import { SYNC_SCHEDULE } from "#lib/search-index/sync/sync-job.ts";
import { startSyncWorker, type Worker } from "#lib/search-index/sync/worker.ts";
import { CatalogueApi } from "../../service/testing/catalogue-api.ts";
import { SellerApi } from "../../service/testing/seller-api.ts";
import { useTestService } from "../../service/testing/use-service.ts";
import {
  createIndexOwner,
  indexedRecords,
  readSyncStatus,
  storeApiKey,
  TEST_KEYS,
} from "../testing/fixtures/search-index-fixture.ts";
import { database, pool, useDashboardDatabase } from "../testing/dashboard-database.ts";

/** Tests how the search index follows the real service. */
useDashboardDatabase();
const service = useTestService();
let baseUrl: string;
/** The requested paths, in order. */
let asked: string[];
let isOffering = true;

const front = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "", "http://localhost");
  asked.push(pathname);
  if (isOffering || !pathname.startsWith("/account/"))
    return void service.app.server.emit("request", request, response);
  response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not Found</h1>");
});

beforeAll(async () => {
  await service.app.ready();
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
});
afterAll(() => {
  front.closeAllConnections();
  front.close();
});

const workers: Worker[] = [];
let api: SellerApi;
let owner: KeyOwner;

beforeEach(async () => {
  service.clock.set(new Date().toISOString());
  asked = [];
  isOffering = true;
  api = await SellerApi.open(service);
  owner = await createIndexOwner();
  await storeApiKey(owner, api.seller.key);
});
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.close())));

/** Starts a worker as if in a process of its own; it scans rarely by default. */
function start(pace: Partial<typeof SYNC_SCHEDULE> = {}) {
  const worker = startSyncWorker({
    pool,
    listenUrl: database.url,
    modes: ["test"],
    apiOf: (whose) =>
      withFeed(
        new BillingClient({ baseUrl, connect: () => openConnection(pool, whose, TEST_KEYS) }),
      ),
    pace: { ...SYNC_SCHEDULE, newestEvery: 3_600, roundEvery: 86_400, ...pace },
  });
  workers.push(worker);
  return worker;
}

const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000 });

/** Fails unless the index holds what the service lists. */
async function expectSame(of = api) {
  const listed = async <Row>(
    noun: string,
    page: { parse: (body: unknown) => { results: Row[] } },
    id: (row: Row) => string,
  ) =>
    page
      .parse((await of.call({ url: `/api/v1/${noun}/?page_size=100` })).json())
      .results.toSorted((a, b) => (id(a) < id(b) ? -1 : 1));
  expect(await indexedRecords(owner, "subscriptions")).toEqual(
    await listed("subscriptions", SubscriptionPage, (row) => row.subscription_id),
  );
  expect(await indexedRecords(owner, "customers")).toEqual(
    await listed("customers", CustomerPage, (row) => String(row.id)),
  );
  expect(await indexedRecords(owner, "products")).toEqual(
    await listed("products", ProductPage, (row) => row.product_id),
  );
}

const readFeed = async () => {
  const { rows } = await pool.query<{ cursor: string | null; claim: string | null }>(
    "select feed_cursor as cursor, claim from mirror where seller_id = $1",
    [owner.seller_id],
  );
  return rows[0];
};

/** Waits until the index is full and a worker waits for the feed. */
async function followed() {
  await until(async () => {
    expect(await readSyncStatus(owner)).toMatchObject({ is_filled: true, error: null });
    expect((await readFeed())?.claim).not.toBeNull();
    expect(asked.at(-1)).toBe("/account/v1/changes/");
  });
  asked = [];
}

const listReads = () => asked.filter((path) => path.startsWith("/api/v1/"));

test("a search index is filled once, then follows every change in the feed without reading lists again", async () => {
  const first = await api.createActive();
  start();
  await followed();
  await expectSame();
  const second = await api.createActive(api.periods.weekly, { phone: "9811000001" });
  await until(expectSame);
  await api.cancel(second);
  await api.create(api.periods.yearly, { full_name: "Asmita Rai Thapa" });
  await until(expectSame);
  await service.pool.query("delete from subscription where subscription_id = $1", [
    (await api.create(api.periods.days, { phone: "9811000002" })).subscription_id,
  ]);
  await api.post("/sandbox/clock/advance/", { by: "P35D" });
  await until(expectSame);
  expect((await api.read(first)).status).toBe("due");
  expect(listReads()).toEqual([]);
  // The settings count the stored rows, not those of the last scan.
  const { lists } = await readIndexSettings(pool, owner, "https://desk.example");
  expect(lists).toContainEqual({ list: "customers", read: 3, total: 3, is_syncing: false });
});

/** Fails unless the index holds the payments of the service's record. */
async function expectSamePayments() {
  const { rows } = await pool.query<{ of_service: string }>(
    `select concat_ws(' ', payment_id, amount::text, fee::text, method, provider_reference) as of_service
       from proof where seller_id = $1 order by payment_id`,
    [owner.seller_id],
  );
  const answer = await api.call({ url: "/account/v1/payments/?page_size=100" });
  const { results } = AccountPaymentPage.parse(answer.json());
  expect(rows.map(({ of_service }) => of_service)).toEqual(
    results
      .map((one) =>
        [one.payment_id, one.amount, one.fee, one.method, one.provider_reference].join(" "),
      )
      .toSorted(),
  );
}

test("a search index has each payment once, whether it was made before the first sync or came by the feed", async () => {
  const first = await api.createActive();
  await api.post("/sandbox/clock/advance/", { by: "P35D" });
  expect(await api.pay(first)).toBe("paid");
  start();
  await followed();
  await until(expectSamePayments);
  await api.post("/sandbox/clock/advance/", { by: "P30D" });
  expect(await api.pay(first)).toBe("paid");
  await api.createActive(api.periods.weekly, { phone: "9811000008" });
  await until(expectSamePayments);
  await until(expectSame);
  expect(listReads()).toEqual([]);
});

test("a product removed from the list leaves the search index, and a renamed product is renamed in subscriptions", async () => {
  await api.createActive();
  const catalogue = await CatalogueApi.open(service, api.seller);
  start();
  await followed();
  const added = await catalogue.added();
  await until(expectSame);
  const off = await catalogue.changed(added, { is_active: false });
  await until(expectSame);
  await catalogue.changed(off, { is_active: true });
  const [sold] = (await indexedRecords(owner, "products")) as { product_id: string }[];
  const { json } = await catalogue.call({
    url: `/account/v1/products/${sold?.product_id}/`,
  });
  await catalogue.changed(json(), { name: "Buffalo milk" });
  await until(expectSame);
});

test("after a new sandbox scenario the search index is filled again, and then follows the feed", async () => {
  await api.createActive();
  start();
  await followed();
  await api.post("/sandbox/scenarios/", { name: "some_due" });
  await until(expectSame);
  await followed();
  await api.createActive(api.periods.weekly, { phone: "9811000003" });
  await until(expectSame);
  expect(listReads()).toEqual([]);
});

test("the search index reads lists again if the service stops offering its feed", async () => {
  const id = await api.createActive();
  start({ newestEvery: 1, roundEvery: 1 });
  await followed();
  isOffering = false;
  await api.cancel(id);
  await until(async () => expect((await readFeed())?.cursor).toBeNull());
  await until(expectSame);
  await api.resume(id);
  await until(expectSame);
  expect(await readSyncStatus(owner)).toMatchObject({ error: null });
});

test("after an API key of another account is stored, the search index has that account's records and follows its feed", async () => {
  await api.createActive();
  start();
  await followed();
  const other = await SellerApi.open(service);
  await other.createActive();
  await storeApiKey(owner, other.seller.key);
  await until(() => expectSame(other));
  await followed();
  await other.createActive(other.periods.weekly, { phone: "9811000004" });
  await until(() => expectSame(other));
});

test("only one process follows the feed, and another takes over when that process ends or gives up its lease", async () => {
  const first = start();
  await followed();
  start();
  const before = await readFeed();
  await api.createActive();
  await until(expectSame);
  expect((await readFeed())?.claim).toBe(before?.claim);
  await first.close();
  await followed();
  await api.createActive(api.periods.weekly, { phone: "9811000005" });
  await until(expectSame);
  // Leaves a lease that nobody renews, as a killed process does.
  await Promise.all(workers.splice(0).map((worker) => worker.close()));
  await pool.query(
    `update mirror set claim = gen_random_uuid(), claimed_until = now() + interval '1 second',
       due_at = 'infinity' where seller_id = $1`,
    [owner.seller_id],
  );
  await api.createActive(api.periods.days, { phone: "9811000006" });
  start();
  await until(expectSame);
});

test("a requested refresh and a requested full sync run while the search index follows the feed", async () => {
  const id = await api.createActive();
  start();
  await followed();
  await pool.query("delete from mirror_subscription where seller_id = $1", [owner.seller_id]);
  await enqueueRefresh(pool, owner, "subscriptions", [id]);
  await until(expectSame);
  await pool.query("delete from mirror_customer where seller_id = $1", [owner.seller_id]);
  await requestFullSync(pool, owner);
  await until(expectSame);
  await followed();
});

test("after an outage the search index follows the feed from where it stopped, and reads no list again", async () => {
  await api.createActive();
  const worker = start();
  await followed();
  await worker.close();
  await api.createActive(api.periods.weekly, { phone: "9811000007" });
  const url = baseUrl;
  baseUrl = "http://127.0.0.1:9";
  start();
  await until(async () =>
    expect(await readSyncStatus(owner)).toMatchObject({ error: "unavailable" }),
  );
  await Promise.all(workers.splice(0).map((one) => one.close()));
  baseUrl = url;
  await pool.query("update mirror set wait_until = null, due_at = now() where seller_id = $1", [
    owner.seller_id,
  ]);
  start();
  await until(expectSame);
  expect(listReads()).toEqual([]);
});

test("the freshness of a search index that follows the feed is the time of the feed's last answer", async () => {
  const ageOf = async () => {
    const status = await readIndexStatus(pool, owner);
    return status.state === "ready" ? status.age_s : null;
  };
  start();
  await followed();
  const backdate = (interval: string) =>
    pool.query(
      `update mirror_round set whole_since = whole_since - interval '${interval}' where seller_id = $1`,
      [owner.seller_id],
    );
  await pool.query(
    "update mirror set followed_from = followed_from - interval '2 days' where seller_id = $1",
    [owner.seller_id],
  );
  await backdate("1 day");
  expect(await ageOf()).toBeLessThan(600);
  // The last full sync ended before the index began to follow the feed, so the index is as old as that sync.
  await backdate("2 days");
  expect(await ageOf()).toBeGreaterThan(86_400);
});
