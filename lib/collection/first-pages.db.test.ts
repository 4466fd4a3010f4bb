import { expect, test } from "vitest";
import type { Subscription } from "#contract/subscriptions.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
} from "#tools/testing/fixtures/records-fixture.ts";
import { storeMadeImport } from "#tools/testing/fixtures/import-fixture.ts";
import { parseQueueSearch } from "./search.ts";
import { readFirstPages } from "./first-pages.ts";

useDashboardDatabase();

const PAGE = 100;
const ABSENCE = { state: "filling", read: 0, total: null } as const;

/** A fake billing API with these due subscriptions. */
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

async function firstPages(due: Subscription[], made?: string[]) {
  const owner = await createIndexedSeller(pool);
  const import_run = made ? await storeMadeImport(owner, made) : null;
  return readFirstPages({
    db: pool,
    owner,
    billing: serviceOf(due),
    question: {
      search: { ...parseQueueSearch({}), import_run },
      words: "",
      person_id: "00000000-0000-4000-8000-000000000001",
      time_zone: "UTC",
      now: "2026-11-22T09:00:00.000Z",
      grace: 7,
    },
    absence: ABSENCE,
    amounts: {},
    linkOf: () => null,
  });
}

test("while the search index fills, the collection queue lists the first page of due subscriptions and says why", async () => {
  const { entries, next, source } = await firstPages(dueOf(230));
  expect(entries).toHaveLength(PAGE);
  expect(next).toBeNull();
  expect(source).toEqual(ABSENCE);
});

test("while the search index fills, the collection queue of an import lists only that import's subscriptions", async () => {
  const due = dueOf(3);
  const made = due.slice(1, 2).map(({ subscription_id }) => subscription_id);
  const { entries } = await firstPages(due, made);
  expect(entries.map(({ subscription }) => subscription.subscription_id)).toEqual(made);
});
