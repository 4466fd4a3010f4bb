import { expect, test } from "vitest";
import type { Subscription } from "#contract/subscriptions.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard.ts";
import { makeCopy, makeSubscription } from "#tools/testing/made-copy.ts";
import { parseQueueSearch } from "./search.ts";
import { readFirstPages } from "./first-pages.ts";

useDashboardDatabase();

const PAGE = 100;

/** A service whose list of what is due is so long. */
const serviceOf = (due: Subscription[]) =>
  ({
    listSubscriptions: ({ status, page }: { status: string; page: number }) => {
      const all = status === "due" ? due : [];
      const results = all.slice((page - 1) * PAGE, page * PAGE);
      const next = page * PAGE < all.length ? `/?page=${page + 1}` : null;
      return Promise.resolve({ count: all.length, next, results });
    },
  }) as unknown as BillingClient;

const dueOf = (count: number) =>
  Array.from({ length: count }, () =>
    makeSubscription({
      status: "due",
      is_active: false,
      next_billing_cycle: "2026-11-20T00:00:00Z",
    }),
  );

async function walk(count: number) {
  const owner = await makeCopy(pool);
  return readFirstPages({
    db: pool,
    owner,
    billing: serviceOf(dueOf(count)),
    question: {
      search: parseQueueSearch({}),
      words: "",
      person_id: "00000000-0000-4000-8000-000000000001",
      time_zone: "UTC",
      now: "2026-11-22T09:00:00.000Z",
      grace: 7,
    },
    copy: { state: "filling", read: 0, total: null },
    amounts: {},
    linkOf: () => null,
  });
}

test("what was found and is not shown is counted", async () => {
  const { entries, source } = await walk(230);
  expect(entries).toHaveLength(200);
  expect(source).toMatchObject({ state: "walk", more: 30 });
});

test("where everything is shown nothing more is told", async () => {
  expect((await walk(3)).source).toMatchObject({ more: 0 });
});
