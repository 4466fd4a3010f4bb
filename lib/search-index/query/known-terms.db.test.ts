import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard.ts";
import { makeCopy, makeSubscription } from "#tools/testing/made-copy.ts";
import { restartIndex } from "#lib/search-index/sync/restart.ts";

useDashboardDatabase();

test("the words of names go with the copy", async () => {
  const owner = await makeCopy(pool, {
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
