import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { removeApiKey, saveApiKey } from "#lib/billing/connection.ts";
import { createPool } from "#lib/db/pool.ts";
import { ChangingService } from "#tools/testing/servers/changing-service.ts";
import {
  indexedRecords,
  createIndexOwner,
  readSyncStatus,
  TEST_KEYS,
  runSlice,
} from "#tools/testing/fixtures/search-index-fixture.ts";
import { database, pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { restartIndex } from "./write-through.ts";

useDashboardDatabase();
let owner: KeyOwner;
/** A pool whose statement timeout is shorter than the deletion takes. */
let hasty: pg.Pool;

beforeAll(async () => {
  hasty = createPool(database.url);
  hasty.options.statement_timeout = 100;
  // Simulates the time that deleting a million records takes.
  await pool.query(`
    create function take_time() returns trigger language plpgsql as
      'begin perform pg_sleep(0.3); return null; end';
    create trigger take_time before delete on mirror_subscription
      for each statement execute function take_time()`);
});
afterAll(() => hasty.end());

beforeEach(async () => {
  owner = await createIndexOwner();
  const api = new ChangingService();
  api.fill(3);
  await runSlice(owner, api);
});

const KEY = { apiKey: "sk_test_second", state: "good", user_id: null } as const;

test.each<[string, (db: pg.Pool) => Promise<unknown>, boolean]>([
  ["restarted", (db) => restartIndex(db, owner), true],
  ["replaced with another key", (db) => saveApiKey(db, owner, KEY, TEST_KEYS), true],
  ["deleted with its key", (db) => removeApiKey(db, owner), false],
])(
  "an index whose deletion takes longer than the statement timeout is %s",
  async (_how, clear, isKept) => {
    await expect(indexedRecords(owner, "subscriptions")).resolves.toHaveLength(3);
    await clear(hasty);
    await expect(indexedRecords(owner, "subscriptions")).resolves.toEqual([]);
    const status = await readSyncStatus(owner);
    expect(status?.is_filled).toBe(isKept ? false : undefined);
  },
);
