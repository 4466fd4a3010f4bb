import { beforeEach, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { BillingClient } from "#lib/billing/client.ts";
import { openConnection, removeApiKey } from "#lib/billing/connection.ts";
import {
  fakeService,
  useBillingServer,
  type AnswerRequest,
} from "#tools/testing/servers/billing-server.ts";
import { ChangingService } from "#tools/testing/servers/changing-service.ts";
import {
  indexedRecords,
  createIndexOwner,
  storeApiKey,
  readSyncStatus,
  TEST_KEYS,
  runSlice,
} from "#tools/testing/fixtures/search-index-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { splitUnchangedRecords } from "./row-digests.ts";
import { applyObserved } from "./write-through.ts";
import { SandboxClient } from "#lib/billing/sandbox-client.ts";

useDashboardDatabase();
useBillingServer();
let owner: KeyOwner;
let keeping: Promise<void>[] = [];

beforeEach(async () => {
  owner = await createIndexOwner();
  keeping = [];
});

/** The client of a page; its answers are written through. */
const client = () =>
  new BillingClient({
    baseUrl: `http://127.0.0.1:${fakeService.port}`,
    connect: () => openConnection(pool, owner, TEST_KEYS),
    observe: (observed, context) =>
      void keeping.push(applyObserved(pool, owner, observed, context)),
  });

const json =
  (body: unknown, status = 200): AnswerRequest =>
  (_request, response) =>
    void response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify(body));

const record = new ChangingService().create();
const page = (results: unknown[]) => ({ count: results.length, next: null, results });

async function hintedIds() {
  const { rows } = await pool.query<{ id: string }>(
    "select id from mirror_hint where seller_id = $1",
    [owner.seller_id],
  );
  return rows.map(({ id }) => id);
}

test("a list or record that a member opens is written into the index", async () => {
  fakeService.answers = [json(page([record])), json({ ...record, status: "due" })];
  await client().listSubscriptions({ status: null, page: 1, page_size: 20 });
  await Promise.all(keeping);
  await expect(indexedRecords(owner, "subscriptions")).resolves.toEqual([record]);
  await client().getSubscription(record.subscription_id);
  await Promise.all(keeping);
  await expect(indexedRecords(owner, "subscriptions")).resolves.toMatchObject([
    { status: "due" },
  ]);
});

test("a repeated response updates the time of the row, whichever process wrote the row", async () => {
  fakeService.answers = [json(page([record]))];
  await client().listSubscriptions({ status: null, page: 1, page_size: 20 });
  await Promise.all(keeping);
  const index_version = await copyId();
  const tell = (status: string, asked_at: string) =>
    applyObserved(
      pool,
      owner,
      { kind: "rows", list: "subscriptions", records: [{ ...record, status }] },
      { index_version, asked_at },
    );
  const { status } = record;
  const stands = async () => {
    const { rows } = await pool.query<{ status: string; asked_at: string }>(
      "select status, asked_at::text from mirror_subscription where seller_id = $1",
      [owner.seller_id],
    );
    return rows;
  };
  const parted = (words: string) =>
    splitUnchangedRecords({ ...owner, index_version }, "subscriptions", [
      { ...record, status: words },
    ]);
  expect(parted(status)).toEqual({ same: [record], news: [] });
  expect(parted("never seen")).toMatchObject({ same: [], news: [{ status: "never seen" }] });
  const at = (second: number) => `2020-01-01 00:00:0${second}+00`;
  await pool.query("delete from mirror_subscription where seller_id = $1", [owner.seller_id]);
  await tell(status, at(1));
  await tell(status, at(3));
  // This answer was requested earlier and arrives later.
  await tell(status, at(2));
  expect(await stands()).toEqual([{ status, asked_at: at(3) }]);
  await tell("due", at(4));
  await tell(status, at(3));
  expect(await stands()).toEqual([{ status: "due", asked_at: at(4) }]);
  await tell(status, at(5));
  expect(await stands()).toEqual([{ status, asked_at: at(5) }]);
  // Another process writes the row, which this process does not know.
  await pool.query(
    `update mirror_subscription set status = 'inactive', asked_at = $2,
            record = jsonb_set(record, '{status}', '"inactive"') where seller_id = $1`,
    [owner.seller_id, at(6)],
  );
  await tell(status, at(5));
  expect(await stands()).toEqual([{ status: "inactive", asked_at: at(6) }]);
  await tell(status, at(7));
  expect(await stands()).toEqual([{ status, asked_at: at(7) }]);
});

test("a record is read again after a change through the API, even if the response was lost", async () => {
  fakeService.answers = [
    json({ message: "done" }),
    (_request, response) => void response.destroy(),
    json({ detail: "No." }, 400),
  ];
  await client().cancelSubscription("sub-1");
  await client()
    .resumeSubscription("sub-2")
    .catch(() => {});
  // The service refuses the change, so nothing changes.
  await client()
    .cancelSubscription("sub-3")
    .catch(() => {});
  await Promise.all(keeping);
  expect((await hintedIds()).toSorted()).toEqual(["sub-1", "sub-2"]);
});

test("removing the API key deletes the index, and a new key starts the index again", async () => {
  const api = new ChangingService();
  api.fill(3);
  await runSlice(owner, api);
  await removeApiKey(pool, owner);
  await expect(indexedRecords(owner, "subscriptions")).resolves.toEqual([]);
  await expect(runSlice(owner, api)).resolves.toBe(false);
  await storeApiKey(owner, "sk_test_first");
  await runSlice(owner, api);
  await expect(readSyncStatus(owner)).resolves.toMatchObject({ is_filled: true });
});

test("restoring a saved state restarts the index, which ignores responses from before", async () => {
  fakeService.answers = [json(page([record]))];
  await client().listSubscriptions({ status: null, page: 1, page_size: 20 });
  await Promise.all(keeping);
  const before = await copyId();
  fakeService.answers = [json({ message: "Done.", undo: 4, sent_since: 0 })];
  await new SandboxClient(client()).restoreState(3);
  await Promise.all(keeping);
  await expect(indexedRecords(owner, "subscriptions")).resolves.toEqual([]);
  expect(await copyId()).not.toBe(before);
  const observed = { kind: "rows", list: "subscriptions", records: [record] } as const;
  await applyObserved(pool, owner, observed, {
    index_version: before,
    asked_at: new Date().toISOString(),
  });
  await expect(indexedRecords(owner, "subscriptions")).resolves.toEqual([]);
});

async function copyId() {
  const { rows } = await pool.query<{ index_version: string }>(
    "select copy as index_version from mirror where seller_id = $1",
    [owner.seller_id],
  );
  return rows[0]?.index_version ?? "";
}
