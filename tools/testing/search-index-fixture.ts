import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { EncryptionKeys, KeyOwner } from "#lib/crypto/api-key.ts";
import { saveApiKey } from "#lib/billing/connection.ts";
import { acquireSyncLease, type SyncLease } from "#lib/search-index/sync/sync-lease.ts";
import type { ListName } from "#lib/billing/observe.ts";
import { INDEXED_LISTS, LISTS, type Api } from "#lib/search-index/records/lists.ts";
import {
  SYNC_SCHEDULE,
  runSyncSlice,
  type SyncSchedule,
} from "#lib/search-index/sync/sync-job.ts";
import type { ChangingService } from "./changing-service.ts";
import { pool } from "./dashboard-database.ts";

export const TEST_KEYS = [randomBytes(32)] as const;

/** A seller with an API key and an empty search index. */
export async function newOwner(): Promise<KeyOwner> {
  const { rows } = await pool.query<{ id: string }>(
    "insert into seller (name, time_zone) values ('Phewa', 'Asia/Kathmandu') returning id",
  );
  const owner: KeyOwner = { seller_id: rows[0]?.id ?? "", mode: "test" };
  await setKey(owner, "sk_test_first");
  return owner;
}

export const setKey = (owner: KeyOwner, apiKey: string, keys: EncryptionKeys = TEST_KEYS) =>
  saveApiKey(pool, owner, { apiKey, state: "good", user_id: null }, keys);

/** Acquires the lease of this index only; null if its sync has to wait. */
export async function acquireLeaseOf(owner: KeyOwner): Promise<SyncLease | null> {
  await pool.query(
    `update mirror set due_at = case when seller_id = $1 and mode = $2 then least(due_at, now())
       else 'infinity' end where claimed_until is null`,
    [owner.seller_id, owner.mode],
  );
  return acquireSyncLease(pool, ["test", "live"]);
}

/** Runs one slice of the sync job. @returns whether the lease was free */
export async function runSlice(
  owner: KeyOwner,
  api: Api,
  pace: Partial<SyncSchedule> = {},
): Promise<boolean> {
  const claimed = await acquireLeaseOf(owner);
  if (!claimed) return false;
  await runSyncSlice(pool, claimed, api, { ...SYNC_SCHEDULE, newestEvery: 0, ...pace });
  return true;
}

export async function statusOf({ seller_id, mode }: KeyOwner) {
  const { rows } = await pool.query<{
    is_filled: boolean;
    error: string | null;
    wait: number | null;
    hints: number;
  }>(
    `select filled_at is not null as is_filled, error,
            extract(epoch from wait_until - now())::float8 as wait,
            (select count(*)::int from mirror_hint h
              where h.seller_id = m.seller_id and h.mode = m.mode) as hints
       from mirror m where seller_id = $1 and mode = $2`,
    [seller_id, mode],
  );
  return rows[0];
}

/** The indexed records of a list, sorted by id. */
export async function indexedRecords(
  { seller_id, mode }: KeyOwner,
  list: ListName,
): Promise<unknown[]> {
  const { rows } = await pool.query<{ record: unknown }>(
    `select record from ${INDEXED_LISTS[list].table} where seller_id = $1 and mode = $2 order by id`,
    [seller_id, mode],
  );
  return rows.map(({ record }) => record);
}

export async function countIndexedRecords(owner: KeyOwner): Promise<number> {
  const counts = await Promise.all(
    LISTS.map(async (list) => (await indexedRecords(owner, list)).length),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Fails unless the index holds every record of every list. */
export async function expectIndexed(owner: KeyOwner, api: ChangingService): Promise<void> {
  const { subscriptions, customers, products } = api;
  await expect(indexedRecords(owner, "subscriptions")).resolves.toEqual(
    sorted(subscriptions, "subscription_id"),
  );
  await expect(indexedRecords(owner, "customers")).resolves.toEqual(sorted(customers, "id"));
  await expect(indexedRecords(owner, "products")).resolves.toEqual(
    sorted(products, "product_id"),
  );
}

const sorted = <Row extends object>(rows: readonly Row[], id: keyof Row) =>
  rows.toSorted((a, b) => (String(a[id]) < String(b[id]) ? -1 : 1));
