import { expect, test } from "vitest";
import {
  readQueue,
  readQueueCounts,
  type QueueParameters,
} from "#lib/collection/queue-store.ts";
import { addDecimals } from "#lib/format/decimal.ts";
import { readReportOf } from "#lib/reports/read-report.ts";
import { parseReportSearch } from "#lib/reports/search.ts";
import { findDueSubscriptions } from "#lib/search-index/query/owed.ts";
import { readCounts } from "#lib/search-index/query/subscription-query.ts";
import {
  dueSubscription,
  ALL_ROWS as wholeQueue,
  storeKeptDebt,
  queueParameters,
  createActor,
} from "../testing/fixtures/collection-fixture.ts";
import { pool, useDashboardDatabase } from "../testing/dashboard-database.ts";
import { createIndexedSeller, makeSubscription } from "../testing/fixtures/records-fixture.ts";

useDashboardDatabase();

test("overview, collection and reports agree on open checkouts, due subscriptions and amounts kept owed", async () => {
  const waiting = (created_at: string) =>
    makeSubscription({
      status: "pending_checkout",
      current_period_start: null,
      next_billing_cycle: null,
      created_at,
    });
  const moved = makeSubscription();
  const ended = makeSubscription({ status: "cancelled" });
  const again = dueSubscription(3, "Asha");
  const owner = await createIndexedSeller(pool, {
    subscriptions: [
      ...["", "2020-01-01T00:00:00Z", new Date().toISOString()].map(waiting),
      again,
      dueSubscription(40, "Bina"),
      moved,
      ended,
    ],
  });
  const worker = await createActor(owner);
  const asked = queueParameters(worker);
  const everything = async () => {
    const query = { ...asked, search: parseReportSearch({}) };
    const [owed, checkouts] = await Promise.all([
      readReportOf(pool, owner, "owed", query),
      readReportOf(pool, owner, "checkouts", query),
    ]);
    if (owed.state !== "ready" || checkouts.state !== "ready") throw new Error(owed.state);
    return {
      counts: (await readCounts(pool, owner))?.statuses,
      waiting: checkouts.figure.waiting.count,
      owed: owed.figure,
      desk: {
        waiting: await deskOf(asked, ["waiting"]),
        due: await deskOf(asked, ["grace", "due"]),
      },
    };
  };
  const deskOf = async (of: QueueParameters, groups: string[]) => {
    const cells = (await readQueueCounts(pool, owner, of)).filter(({ group }) =>
      groups.includes(group),
    );
    return {
      count: cells.reduce((sum, { count }) => sum + count, 0),
      amount: cells.reduce((sum, { amount }) => addDecimals(sum, amount), "0"),
    };
  };

  const before = await everything();
  expect(before.counts).toMatchObject({ pending_checkout: 3, due: 2 });
  expect([before.waiting, before.desk.waiting.count]).toEqual([3, 3]);
  expect(before.owed).toMatchObject({ due: { count: 2 }, kept: 0 });
  expect(before.owed.currencies).toMatchObject([{ ...before.desk.due, count: 2 }]);

  for (const record of [moved, ended, again])
    await storeKeptDebt(worker, record, { cycle: "2020-01-01T00:00:00Z", since: "2020-01-01" });
  const after = await everything();
  expect(after.owed).toMatchObject({ due: { count: 2 }, kept: 2 });
  expect(after.desk.due.count).toBe(4);
  const paging = { page: 1, page_size: 10 };
  const panel = await findDueSubscriptions(pool, owner, {
    day: asked.now.slice(0, 10),
    paging,
  });
  expect(panel.count).toBe(2);
  const queue = await readQueue(pool, owner, asked, wholeQueue);
  const collected = new Map(queue.map(({ place }) => [place.id, place.amount]));
  expect(panel.results.map(({ owed }) => owed.map(({ amount }) => amount))).toEqual(
    panel.results.map(({ subscription }) => [collected.get(subscription.subscription_id)]),
  );
  expect(panel.results.flatMap(({ owed }) => owed.map(({ amount }) => Number(amount)))).toEqual(
    [500, 1_150],
  );
  expect(after.owed.currencies).toMatchObject([after.desk.due]);
  expect(after.owed.currencies[0]?.ages.find(({ age }) => age === "60+")).toMatchObject({
    count: 2,
    rows: null,
  });
});
