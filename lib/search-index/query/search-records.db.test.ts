import { expect, test } from "vitest";
import { readClock } from "#lib/db/pool.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
  storeRecords,
} from "#tools/testing/fixtures/records-fixture.ts";
import { findIndexedBefore } from "#lib/search-index/query/search-records.ts";

useDashboardDatabase();

const waiting = (full_name: string) =>
  makeSubscription({ status: "pending_checkout", client: { full_name } });

test("the index tells whether a record existed before a moment, with its content if still unchanged", async () => {
  const there = waiting("Before");
  const owner = await createIndexedSeller(pool, { subscriptions: [there] });
  const asked_at = await readClock(pool);
  const later = waiting("After");
  await storeRecords(pool, owner, { subscriptions: [later] });
  const find = ({ subscription_id }: { subscription_id: string }) =>
    findIndexedBefore(pool, owner, { subscription_id, asked_at });
  await expect(find(there)).resolves.toMatchObject({
    before: { client: { full_name: "Before" } },
  });
  await expect(find(later)).resolves.toBeNull();
  // A running sync may update the row before the check; the record existed earlier all the same.
  await pool.query(
    `update mirror_subscription set asked_at = clock_timestamp()
      where seller_id = $1 and id = $2`,
    [owner.seller_id, there.subscription_id],
  );
  await expect(find(there)).resolves.toEqual({ before: null });
});
