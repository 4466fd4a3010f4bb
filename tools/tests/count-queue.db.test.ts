import { expect, test } from "vitest";
import { countExport } from "#lib/subscriptions/export/data.ts";
import { parseSubscriptionSearch } from "#lib/subscriptions/search.ts";
import { pool, useDashboardDatabase } from "../testing/dashboard-database.ts";
import { createIndexedSeller, makeSubscription } from "../testing/fixtures/records-fixture.ts";

useDashboardDatabase();

const many = (count: number) => Array.from({ length: count }, () => makeSubscription());
const question = {
  search: parseSubscriptionSearch({}),
  words: "",
  time_zone: "Asia/Kathmandu",
};

test("one seller's counts for exports run one at a time and delay no other seller, and a full queue refuses more", async () => {
  const [owner, other] = [
    await createIndexedSeller(pool, { subscriptions: many(20) }),
    await createIndexedSeller(pool, { subscriptions: many(3) }),
  ];
  let atOnce = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  const held = {
    query: pool.query.bind(pool),
    connect: async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await gate.promise;
      const client = await pool.connect();
      const release = client.release.bind(client);
      client.release = (error) => {
        atOnce -= 1;
        release(error);
      };
      return client;
    },
  } as Pick<typeof pool, "query" | "connect">;
  const often = Array.from({ length: 20 }, () => countExport(held, owner, question));
  await countExport(pool, other, question);
  gate.resolve();
  await Promise.all(often);
  expect(most).toBe(1);
  const more = Array.from({ length: 25 }, () => countExport(pool, owner, question));
  const refused = (await Promise.allSettled(more)).filter(
    ({ status }) => status === "rejected",
  );
  expect(refused).toHaveLength(4);
});
