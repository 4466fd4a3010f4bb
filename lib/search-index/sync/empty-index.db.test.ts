import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { queryValue } from "#contract/process/database.ts";
import { removeApiKey, saveApiKey } from "#lib/billing/connection.ts";
import { enqueueRefresh, lockIndex } from "./refresh-queue.ts";
import type { SyncApi } from "#lib/search-index/records/lists.ts";
import { sumEverything } from "./daily-sums.ts";
import { runSyncSlice, SYNC_SCHEDULE } from "./sync-job.ts";
import { restartIndex } from "./write-through.ts";
import { ChangingService } from "#tools/testing/servers/changing-service.ts";
import {
  acquireLeaseOf,
  createIndexOwner,
  indexedRecords,
  runSlice,
  TEST_KEYS,
} from "#tools/testing/fixtures/search-index-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { inTransaction } from "#lib/db/pool.ts";

useDashboardDatabase();
let owner: KeyOwner;
let api: ChangingService;

const MOST = 10_000;
const KEY = { apiKey: "sk_test_second", state: "good", user_id: null } as const;

beforeAll(async () => {
  // A statement that deletes too much fails; each that deletes anything takes a while.
  await pool.query(`
    create function be_slow() returns trigger language plpgsql as $$
    declare n bigint := (select count(*) from gone);
    begin
      if n > ${MOST} then raise exception '% rows at once', n; end if;
      if n > 0 then perform pg_sleep(1); end if;
      return null;
    end $$;
    create trigger be_slow after delete on mirror_subscription
      referencing old table as gone for each statement execute function be_slow();
    create trigger be_slow after delete on mirror_change
      referencing old table as gone for each statement execute function be_slow();
    create trigger be_slow after delete on mirror_word
      referencing old table as gone for each statement execute function be_slow()`);
});

beforeEach(async () => {
  owner = await createIndexOwner();
  api = new ChangingService();
  api.fill(3);
  await runSlice(owner, api);
});

/** What a webhook does with the index's row, by a connection that waits 0.8 s for it. */
const storeWebhook = () =>
  inTransaction(pool, async (client) => {
    await client.query("set local lock_timeout = '800ms'");
    await lockIndex(client, owner);
    await enqueueRefresh(client, owner, "subscriptions", ["sub-1"]);
  });

/**
 * Runs some work, and repeats something else until it ends.
 * @returns how often it was repeated
 */
async function during(work: Promise<unknown>, other: () => Promise<unknown>) {
  const state = { isOver: false };
  const ended = work.finally(() => (state.isOver = true));
  ended.catch(() => {});
  let times = 0;
  while (!state.isOver) {
    await other();
    times += 1;
  }
  await ended;
  return times;
}

const whose = () => [owner.seller_id, owner.mode];

/** Makes more rows of the index than one statement may delete. */
const makeMany = () =>
  inTransaction(pool, async (client) => {
    // Without triggers.
    await client.query("set local session_replication_role = replica");
    await client.query(
      `insert into mirror_subscription
       select (jsonb_populate_record(s, jsonb_build_object('id', 'copy-' || n))).*
         from mirror_subscription s, generate_series(1, ${MOST + 1}) n
        where seller_id = $1 and mode = $2 and id = 'sub-1'`,
      whose(),
    );
    await client.query(
      `insert into mirror_word (seller_id, mode, word)
       select $1, $2, 'word' || n from generate_series(1, ${MOST + 1}) n`,
      whose(),
    );
  });

const countRows = (table: string) =>
  queryValue<number>(
    pool,
    `select count(*)::int from ${table} where seller_id = $1 and mode = $2`,
    whose(),
  );

/**
 * Whether pages may read the index or the sync job may fill it while its rows are deleted; `idle`:
 * neither.
 */
async function readUse(): Promise<string | null> {
  const { rows } = await pool.query<{ use: string | null }>(
    `select case when filled_at is not null then 'read' when claim is null then 'filled' else 'idle' end as use
       from mirror m where seller_id = $1 and mode = $2
        and (select count(*) from mirror_subscription s
              where s.seller_id = m.seller_id and s.mode = m.mode) between 1 and ${MOST}`,
    whose(),
  );
  return rows[0]?.use ?? null;
}

test.each<[string, () => Promise<unknown>]>([
  ["restarted", () => restartIndex(pool, owner)],
  ["replaced with another key", () => saveApiKey(pool, owner, KEY, TEST_KEYS)],
  ["deleted with its key", () => removeApiKey(pool, owner)],
])("webhooks are stored while a large index is %s", async (_how, clear) => {
  await makeMany();
  const uses = new Set<string | null>();
  const times = await during(clear(), async () => {
    await storeWebhook();
    uses.add(await readUse());
  });
  expect(times).toBeGreaterThan(1);
  expect([...uses].filter((use) => use !== null)).toEqual(["idle"]);
  expect(await indexedRecords(owner, "subscriptions")).toEqual([]);
  await expect(countRows("mirror_word")).resolves.toBe(0);
});

/** Makes a history as from the service, with more changes than one statement may delete. */
async function makeHistory(told_since: string | null) {
  await pool.query(
    `update mirror set told_since = $3, feed_cursor = 'lost', followed_from = now(),
            history_after = case when $3::timestamptz is null then 0 end, payments_before = null
      where seller_id = $1 and mode = $2`,
    [...whose(), told_since],
  );
  await inTransaction(pool, async (client) => {
    await client.query("set local session_replication_role = replica");
    await client.query(
      `insert into mirror_change (seller_id, mode, subscription_id, born_at, old_status, new_status,
         old_currency, new_currency, old_pbp_id, new_pbp_id)
       select $1, $2, 'sub-' || n % 3, now(), 'active', 'due', 'NPR', 'NPR', 'pbp-1', 'pbp-1'
         from generate_series(1, ${MOST + 1}) n`,
      whose(),
    );
  });
}

const FIRST = "2020-01-01T00:00:00.000Z";
const readKnownSince = () =>
  queryValue<Date>(
    pool,
    "select known_since from search_index where seller_id = $1 and mode = $2",
    whose(),
  );

test.each<[string, string | null, SyncApi["readChanges"]]>([
  ["ends with its feed", FIRST, async () => null],
  [
    "is replaced by the service's",
    null,
    async () => ({ cursor: "next", has_more: false, results: [] }),
  ],
])(
  "webhooks are stored while a long history of changes %s",
  async (_how, told_since, readChanges) => {
    const begunAt = Date.now();
    await makeHistory(told_since);
    api.readChanges = readChanges;
    api.listHistory = async () => ({ since: FIRST, next: null, results: [] });
    // Leased before the webhooks are stored, because a job whose row is locked is not leased.
    const claimed = await acquireLeaseOf(owner);
    if (!claimed) throw new Error("the index is leased");
    const syncing = runSyncSlice(pool, claimed, api, { ...SYNC_SCHEDULE, newestEvery: 0 });
    const times = await during(syncing, async () => {
      await storeWebhook();
      // A history with half of its changes does not count as known from its beginning.
      const { rows } = await pool.query<{ known_since: Date }>(
        `select known_since from search_index m where seller_id = $1 and mode = $2
          and (select count(*) from mirror_change c
                where c.seller_id = m.seller_id and c.mode = m.mode) between 1 and ${MOST}`,
        whose(),
      );
      for (const row of rows) expect(Number(row.known_since)).toBeGreaterThan(begunAt);
    });
    expect(times).toBeGreaterThan(1);
    await expect(countRows("mirror_change")).resolves.toBe(0);
    const since = await readKnownSince();
    if (told_since === null) expect(since).toEqual(new Date(FIRST));
    else expect(Number(since)).toBeGreaterThan(begunAt);
  },
);

test("rebuilding the daily sums and clearing the index at the same time both succeed", async () => {
  await sumEverything(pool, owner, "Asia/Kathmandu");
  await expect(countRows("mirror_sum")).resolves.toBeGreaterThan(0);
  await pool.query(`
    create function be_long() returns trigger language plpgsql as
      'begin perform pg_sleep(1); return null; end';
    create trigger be_long after delete on mirror_sum
      for each statement execute function be_long()`);
  const summing = sumEverything(pool, owner, "Asia/Kathmandu");
  await delay(500);
  const clearing = pool.query("select clear_mirror($1, $2)", whose());
  const ends = await Promise.allSettled([summing, clearing]);
  await pool.query("drop trigger be_long on mirror_sum");
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
});
