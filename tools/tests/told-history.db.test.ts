import { beforeAll, beforeEach, expect, test } from "vitest";
import { withFeed } from "#lib/billing/change-client.ts";
import { BillingClient } from "#lib/billing/client.ts";
import { openConnection } from "#lib/billing/connection.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { readKnown } from "#lib/reports/report-statement.ts";
import { SellerApi } from "../../service/testing/seller-api.ts";
import { useTestService } from "../../service/testing/use-service.ts";
import { pool, useDashboardDatabase } from "../testing/dashboard-database.ts";
import {
  createIndexOwner,
  runSlice,
  storeApiKey,
  TEST_KEYS,
} from "../testing/fixtures/search-index-fixture.ts";

/** Tests that two search indexes read the history of subscriptions from the real service. */
useDashboardDatabase();
const service = useTestService();
let baseUrl: string;
let api: SellerApi;

beforeAll(async () => {
  baseUrl = await service.app.listen({ host: "127.0.0.1", port: 0 });
});
beforeEach(async () => {
  service.clock.set(new Date().toISOString());
  api = await SellerApi.open(service);
});

async function createOwner(): Promise<KeyOwner> {
  const owner = await createIndexOwner();
  await storeApiKey(owner, api.seller.key);
  return owner;
}

const sync = (owner: KeyOwner) =>
  runSlice(
    owner,
    withFeed(
      new BillingClient({ baseUrl, connect: () => openConnection(pool, owner, TEST_KEYS) }),
    ),
  );

/** The input of reports: the changes, and the sums of them and of the present states. */
async function readHistory(owner: KeyOwner) {
  const read = async (sql: string) =>
    (await pool.query<Record<string, unknown>>(sql, [owner.seller_id])).rows;
  const changes = await read(
    `select to_jsonb(c) - '{seller_id,born_at,proof_id}'::text[] as change from mirror_change c
      where seller_id = $1 order by id`,
  );
  const sums = await read(
    `select kind, day::text, until::text, status, currency, pbp_id, price::text, plan_name, sum(n) as n,
            sum(amount)::text as amount
       from mirror_sum where seller_id = $1 group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(n) <> 0
      order by 1, 2, 3, 4, 5, 6, 7, 8`,
  );
  const { known_since } = await readKnown(pool, owner);
  return { changes, sums, known_since };
}

test("a search index filled later has the same history as an index that followed every change", async () => {
  const created = Date.now();
  const watched = await createOwner();
  await api.create();
  await sync(watched);
  const id = await api.createActive(api.periods.weekly, { phone: "9811000010" });
  await sync(watched);
  await api.post("/sandbox/clock/advance/", { by: "P9D" });
  expect(await api.pay(id)).toBe("paid");
  await sync(watched);
  await api.cancel(id);
  await sync(watched);
  await api.resume(id);
  await api.createActive(api.periods.days, { phone: "9811000011" });
  // One subscription becomes due and ends within one step of the clock.
  await api.post("/sandbox/clock/advance/", { by: "P60D" });
  await sync(watched);
  const filled = await createOwner();
  await sync(filled);
  const history = await readHistory(filled);
  expect(history.changes.length).toBeGreaterThan(8);
  expect(new Set(history.sums.map(({ kind }) => kind))).toContain("lost");
  expect(history).toEqual(await readHistory(watched));
  expect(Date.parse(history.known_since)).toBeLessThan(created);
  // Another state of the account has another history.
  await api.post("/sandbox/reset/");
  await api.createActive(api.periods.weekly, { phone: "9811000012" });
  for (const owner of [watched, filled]) await sync(owner);
  const anew = await readHistory(filled);
  expect(anew.changes).toHaveLength(1);
  expect(anew.sums).not.toEqual([]);
  expect(anew).toEqual(await readHistory(watched));
});

test("a search index keeps changes that it saw and that the service does not list", async () => {
  await service.pool.query(
    "update seller set history_from = now() + interval '1 hour' where seller_id = $1",
    [api.seller.seller_id],
  );
  const owner = await createOwner();
  await sync(owner);
  const id = await api.createActive();
  await sync(owner);
  await api.cancel(id);
  await sync(owner);
  const { changes, known_since } = await readHistory(owner);
  expect(changes).toMatchObject([
    { change: { old_status: "active", new_status: "pending_cancellation" } },
  ]);
  const { rows } = await pool.query<{ filled_at: Date }>(
    "select filled_at from mirror where seller_id = $1",
    [owner.seller_id],
  );
  expect(known_since).toBe(rows[0]?.filled_at.toISOString());
});
