import { expect, test } from "vitest";
import { SUBSCRIPTION_STATUSES } from "#contract/names.ts";
import { readCounts, searchSubscriptions } from "#lib/search-index/query/subscription-query.ts";
import { tabFilters, parseSubscriptionSearch } from "#lib/subscriptions/search.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
} from "#tools/testing/fixtures/records-fixture.ts";
import { countOfStatus } from "#lib/subscriptions/rules.ts";

useDashboardDatabase();

const none = { current_period_start: null, current_period_end: null, next_billing_cycle: null };

test("the count on each tab matches the tab's list, and the counts add up to the count of all subscriptions", async () => {
  const subscriptions = [
    ...SUBSCRIPTION_STATUSES.flatMap((status, at) =>
      Array.from({ length: at + 1 }, () => makeSubscription({ status })),
    ),
    // Paid one-time purchases.
    ...Array.from({ length: 3 }, () => makeSubscription(none)),
    makeSubscription({ ...none, status: "pending_checkout" }),
  ];
  const owner = await createIndexedSeller(pool, { subscriptions });
  const counts = await readCounts(pool, owner);
  expect(counts).toMatchObject({ all: subscriptions.length, one_time: 3 });
  const listed = async (name: Parameters<typeof tabFilters>[0]) => {
    const search = { ...parseSubscriptionSearch({}), ...tabFilters(name, counts) };
    const found = await searchSubscriptions(pool, owner, {
      search,
      words: "",
      time_zone: "UTC",
    });
    return found.state === "ready" ? found.count : null;
  };
  const tabs = [...SUBSCRIPTION_STATUSES, "one_time"] as const;
  for (const name of [null, ...tabs])
    expect(countOfStatus({ counts, page: undefined }, name)).toBe(await listed(name));
  const numbers = tabs.map((name) => countOfStatus({ counts, page: undefined }, name) ?? 0);
  expect(numbers.reduce((sum, count) => sum + count, 0)).toBe(counts?.all);
});

test("the tabs have no counts without a filled search index", async () => {
  const owner = await createIndexedSeller(pool);
  await expect(readCounts(pool, owner)).resolves.toBeNull();
  await pool.query("update mirror set filled_at = null where seller_id = $1", [
    owner.seller_id,
  ]);
  await expect(readCounts(pool, owner)).resolves.toBeNull();
});

test("if thirty requests count one seller's lists at once, nine get no counts, and another seller is not delayed", async () => {
  const owner = await createIndexedSeller(pool, { subscriptions: [makeSubscription()] });
  const asked = Array.from({ length: 30 }, () => readCounts(pool, owner));
  const other = await createIndexedSeller(pool, { subscriptions: [makeSubscription()] });
  expect(await readCounts(pool, other)).toMatchObject({ all: 1 });
  const numbers = await Promise.all(asked);
  // One request counts and twenty wait; the rest are refused.
  expect(numbers.filter((counts) => counts === null)).toHaveLength(9);
});
