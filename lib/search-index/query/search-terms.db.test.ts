import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
} from "#tools/testing/fixtures/records-fixture.ts";
import { restartIndex } from "#lib/search-index/sync/write-through.ts";

useDashboardDatabase();

test("the words for search suggestions are deleted with the index", async () => {
  const owner = await createIndexedSeller(pool, {
    subscriptions: [makeSubscription({ client: { full_name: "Asha" } })],
  });
  const words = async () => {
    const { rows } = await pool.query<{ word: string }>(
      "select word from mirror_word where seller_id = $1 and word like '%sh%'",
      [owner.seller_id],
    );
    return rows.map(({ word }) => word);
  };
  expect(await words()).toEqual(["=asha"]);
  await restartIndex(pool, owner);
  expect(await words()).toEqual([]);
});
