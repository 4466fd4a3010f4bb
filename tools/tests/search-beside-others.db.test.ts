import { expect, test } from "vitest";
import { queryValue } from "#contract/process/database.ts";
import { searchSubscriptions } from "#lib/search-index/query/subscription-query.ts";
import { parseSubscriptionSearch } from "#lib/subscriptions/search.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { createIndexedSeller } from "#tools/testing/fixtures/records-fixture.ts";
import { generateRows } from "../bench/harness/fixture-rows.ts";

useDashboardDatabase();

/** The number of entries read so far from the database indexes of `mirror_subscription`. */
async function readEntries(): Promise<number> {
  await pool.query("select pg_stat_force_next_flush()");
  const entries = await queryValue<number>(
    pool,
    `select sum(idx_tup_read)::int from pg_stat_user_indexes
      where relname = 'mirror_subscription'`,
  );
  return entries ?? 0;
}

test("a search with few results reads few rows, even in a table with many rows of other sellers", async () => {
  const owner = await createIndexedSeller(pool);
  const beside = { owners: [await createIndexedSeller(pool)], rows: 15_000 };
  await generateRows(pool, owner, [1, 10_000], () => true, beside);
  const read: Record<string, number> = {};
  for (const words of ["+977 981 000 7919", "saraswati 4242", "zzzzzz"]) {
    const question = { search: parseSubscriptionSearch({}), words, time_zone: "UTC" };
    const before = await readEntries();
    await searchSubscriptions(pool, owner, question);
    read[words] = (await readEntries()) - before;
  }
  expect(Object.entries(read).filter(([, entries]) => entries > 3_000)).toEqual([]);
});
