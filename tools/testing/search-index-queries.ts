import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { openConnection } from "#lib/billing/connection.ts";
import { readReportOf } from "#lib/reports/read-report.ts";
import * as events from "#lib/reports/events-store.ts";
import * as ahead from "#lib/reports/expected-store.ts";
import {
  readKnown,
  readReportFrame,
  readPeriods,
  readUnlistedPeriods,
  type ReportFrame,
} from "#lib/reports/report-statement.ts";
import * as retained from "#lib/reports/retention-store.ts";
import { REPORTS, parseReportSearch } from "#lib/reports/search.ts";
import * as subscriptionData from "#lib/reports/subscribers-store.ts";
import * as records from "#lib/search-index/query/search-records.ts";
import * as search from "#lib/search-index/query/subscription-query.ts";
import { parseSubscriptionSearch } from "#lib/subscriptions/search.ts";
import { inTransaction } from "#lib/db/pool.ts";
import * as claim from "#lib/search-index/sync/sync-lease.ts";
import { hasDailySums, readIndexStatus } from "#lib/search-index/query/index-status.ts";
import { findRemindable } from "#lib/search-index/query/remindable.ts";
import { openRowStream } from "#lib/search-index/query/row-stream.ts";
import { readFacets } from "#lib/search-index/query/conditions.ts";
import {
  countMatches,
  findRows,
  readSimilar,
  expandQueryTerms,
} from "#lib/search-index/query/find-rows.ts";
import { keepDailySums, sumEverything } from "#lib/search-index/sync/daily-sums.ts";
import { recordSeenPayments } from "#lib/search-index/sync/store.ts";
import {
  drainRefreshQueue,
  enqueueRefresh,
  lockIndex,
  requestFullSync,
} from "#lib/search-index/sync/refresh-queue.ts";
import { rowsOf } from "#lib/search-index/records/lists.ts";
import { rememberDigests, touchUnchangedRows } from "#lib/search-index/sync/row-digests.ts";
import { applyObserved, restartIndex } from "#lib/search-index/sync/write-through.ts";
import {
  runSyncSlice,
  SYNC_SCHEDULE,
  type SyncContext,
} from "#lib/search-index/sync/sync-job.ts";
import * as owed from "#lib/search-index/query/owed.ts";
import * as terms from "#lib/search-index/query/search-terms.ts";
import { readIndexSettings } from "#lib/search-index/data.ts";
import * as store from "#lib/search-index/sync/store.ts";
import { learnTerms } from "#lib/search-index/records/terms.ts";
import { ChangingService } from "./servers/changing-service.ts";
import { acquireLeaseOf, TEST_KEYS } from "./fixtures/search-index-fixture.ts";
import { EMPTY_SERVICE } from "./isolation.ts";
import { pool } from "./dashboard-database.ts";

const HOME = { time_zone: "Asia/Kathmandu" };

export const TEST_SUBSCRIPTION_ID = "sub-3";
const NAME = "Buyer";
const FAR = "2999-01-01T00:00:00Z";
const MOMENTS = { from: new Date(0), to: new Date(FAR) };
const paging = { page: 1, page_size: 50 };

export interface Trial {
  run: (stranger: KeyOwner) => Promise<unknown>;
  /** Whether the call returns the owner's records when the owner makes it. */
  isRead?: boolean;
}

const read = (run: Trial["run"]): Trial => ({ run, isRead: true });
const words = NAME;
const plain = parseSubscriptionSearch({});
const query = {
  list: "subscriptions",
  terms: terms.searchTerms(words),
  order: null,
  paging,
} as const;
/** A search term that only the owner's names contain. */
export const OWNER_SEARCH_TERM = "ourFibre";
const part = { ...query, terms: [{ letters: "rFib", heads: ["=our"], sound: null }] };

const asked = {
  search: parseReportSearch({}),
  time_zone: "Asia/Kathmandu",
  now: new Date().toISOString(),
};
const framed =
  (read_: (db: typeof pool, frame: ReportFrame) => Promise<unknown>) =>
  async (who: KeyOwner) => {
    const framedNow = await readReportFrame(pool, who, asked);
    return "frame" in framedNow ? read_(pool, framedNow.frame) : framedNow;
  };

/** For every function that queries the search index, a call for a given owner. */
export const QUERY_TRIALS: Record<string, Trial> = {
  "store.ts recordSeenPayments": { run: (who) => recordSeenPayments(pool, who) },
  "remindable.ts findRemindable": {
    run: (who) =>
      findRemindable(pool, who, { ...MOMENTS, isCheckout: false, after: null, limit: 9 }),
  },
  "sync-lease.ts withSyncLease": {
    run: (who) => withSyncContext(who, ({ claimed }) => held(claimed)),
  },
  "sync-lease.ts recordProgress": {
    run: (who) =>
      withSyncContext(who, ({ claimed }) =>
        claim.recordProgress(pool, claimed, { read_at: FAR }),
      ),
  },
  "sync-lease.ts releaseSyncLease": {
    run: (who) =>
      withSyncContext(who, ({ claimed }) =>
        claim.releaseSyncLease(pool, claimed, {
          due: 9,
          halt: { error: "unverified", wait: 9 },
        }),
      ),
  },
  "index-status.ts hasDailySums": { run: (who) => hasDailySums(pool, who, asked.time_zone) },
  "daily-sums.ts keepDailySums": { run: (who) => keepDailySums(pool, who) },
  "daily-sums.ts sumEverything": { run: (who) => sumEverything(pool, who, asked.time_zone) },
  "index-status.ts readIndexStatus": { run: (who) => readIndexStatus(pool, who) },
  "search-records.ts findIndexedBefore": read((who) =>
    records.findIndexedBefore(pool, who, {
      subscription_id: TEST_SUBSCRIPTION_ID,
      asked_at: FAR,
    }),
  ),
  "search-records.ts findIndexedCustomer": read((who) =>
    records.findIndexedCustomer(pool, who, "9800000003", HOME),
  ),
  "conditions.ts readFacets": { run: (who) => readFacets(pool, who), isRead: true },
  "row-stream.ts openRowStream": read(async (who) => {
    const every = await openRowStream(pool, who, query);
    if (every.state !== "ready") return every;
    const batches = [];
    for await (const batch of every.batches) batches.push(batch);
    await every.close();
    return batches;
  }),
  "find-rows.ts findRows": read((who) => findRows(pool, who, query)),
  "find-rows.ts countMatches": read(
    async (who) => (await countMatches(pool, who, query)).count && NAME,
  ),
  "find-rows.ts readSimilar": read((who) => readSimilar(pool, who, query)),
  "find-rows.ts expandQueryTerms": { run: (who) => expandQueryTerms(pool, who, part) },
  "refresh-queue.ts lockIndex": { run: (who) => lockIndex(pool, who) },
  "refresh-queue.ts enqueueRefresh": {
    run: (who) => enqueueRefresh(pool, who, "subscriptions", [TEST_SUBSCRIPTION_ID]),
  },
  "refresh-queue.ts requestFullSync": { run: (who) => requestFullSync(pool, who) },
  "refresh-queue.ts drainRefreshQueue": {
    run: (who) => withSyncContext(who, drainRefreshQueue),
  },
  "row-digests.ts touchUnchangedRows": {
    run: (who) =>
      withSyncContext(who, async ({ claimed }) => {
        const { rows } = await pool.query<{ record: unknown; asked_at: string }>(
          "select record, asked_at::text from mirror_subscription where id = $1",
          [TEST_SUBSCRIPTION_ID],
        );
        for (const { record, asked_at } of rows) {
          rememberDigests(
            claimed,
            "subscriptions",
            rowsOf("subscriptions", [record]),
            asked_at,
          );
          await touchUnchangedRows(pool, claimed, "subscriptions", [record], FAR);
        }
      }),
  },
  "write-through.ts applyObserved": {
    run: async (who) => {
      const { context } = await openConnection(pool, who, TEST_KEYS);
      const record = new ChangingService().create({ subscription_id: TEST_SUBSCRIPTION_ID });
      const observed = { kind: "rows", list: "subscriptions", records: [record] } as const;
      if (context) await applyObserved(pool, who, observed, context);
    },
  },
  "data.ts readIndexSettings": {
    run: (who) => readIndexSettings(pool, who, "http://localhost"),
  },
  "write-through.ts restartIndex": { run: (who) => restartIndex(pool, who) },
  "store.ts storeRows": {
    run: (who) =>
      withSyncContext(who, async ({ claimed }) => {
        const made = new ChangingService().create({ subscription_id: TEST_SUBSCRIPTION_ID });
        const rows = rowsOf("subscriptions", [{ ...made, status: "stolen" }]);
        await store.storeRows(pool, claimed, "subscriptions", rows, FAR);
      }),
  },
  "store.ts removeRow": {
    run: (who) => store.removeRow(pool, who, "subscriptions", TEST_SUBSCRIPTION_ID, FAR),
  },
  "store.ts countRowsSince": {
    run: (who) => store.countRowsSince(pool, who, "subscriptions", FAR),
  },
  "store.ts removeUnseenRows": {
    run: (who) => store.removeUnseenRows(pool, who, "subscriptions", FAR),
  },
  "terms.ts learnTerms": {
    run: (who) =>
      withSyncContext(who, ({ claimed }) => learnTerms(pool, claimed, [{ words: ["stolen"] }])),
  },
  "search-terms.ts expandTerms": read((who) => terms.expandTerms(pool, who, part.terms)),
  "search-terms.ts similarTerms": read((who) =>
    inTransaction(pool, (client) => terms.similarTerms(client, who, OWNER_SEARCH_TERM)),
  ),
  "owed.ts readPriceSteps": { run: (who) => owed.readPriceSteps(pool, who) },
  "owed.ts readAmounts": {
    run: (who) => owed.readAmounts(pool, { owner: who, billing: EMPTY_SERVICE }, "2026-11-20"),
  },
  "owed.ts findDueSubscriptions": {
    run: (who) => owed.findDueSubscriptions(pool, who, { day: "2026-11-20", paging }),
  },
  "sync-job.ts runSyncSlice": {
    run: (who) =>
      withSyncContext(who, ({ claimed }) =>
        runSyncSlice(pool, claimed, EMPTY_SERVICE, { ...SYNC_SCHEDULE, newestEvery: 0 }),
      ),
  },
  "report-statement.ts readKnown": { run: (who) => readKnown(pool, who) },
  "report-statement.ts readReportFrame": { run: (who) => readReportFrame(pool, who, asked) },
  "read-report.ts readReportOf": read((who) =>
    Promise.all(REPORTS.map((name) => readReportOf(pool, who, name, asked))),
  ),
  "report-statement.ts readPeriods": {
    run: framed(async (db, frame) => (await readPeriods(db, frame, ["pbp-1"]))("pbp-1").every),
  },
  "report-statement.ts readUnlistedPeriods": {
    run: framed(async (db, frame) => [...(await readUnlistedPeriods(db, frame, ["pbp-1"]))]),
  },
  "subscribers-store.ts readSums": {
    run: framed((db, frame) => subscriptionData.readSums(db, frame, [])),
  },
  "subscribers-store.ts readPlans": read(framed(subscriptionData.readPlans)),
  "subscribers-store.ts readRevenue": { run: framed(subscriptionData.readRevenue) },
  "subscribers-store.ts readSubscribers": { run: framed(subscriptionData.readSubscribers) },
  "events-store.ts readMovement": { run: framed(events.readMovement) },
  "events-store.ts readLeaving": { run: framed(events.readLeaving) },
  "events-store.ts readCheckouts": { run: framed(events.readCheckouts) },
  "events-store.ts readPaymentRows": { run: framed(events.readPaymentRows) },
  "events-store.ts readPlanPaymentRows": { run: framed(events.readPlanPaymentRows) },
  "events-store.ts readCollected": { run: framed(events.readCollected) },
  "expected-store.ts readOwed": { run: framed(ahead.readOwed) },
  "expected-store.ts readExpected": { run: framed(ahead.readExpected) },
  "expected-store.ts readBillings": { run: framed(ahead.readBillings) },
  "expected-store.ts readObservedOutcomes": { run: framed(ahead.readObservedOutcomes) },
  "retention-store.ts readRetention": { run: framed(retained.readRetention) },
  "retention-store.ts readProductsReport": read(framed(retained.readProductsReport)),
  "subscription-query.ts searchSubscriptions": read((who) =>
    search.searchSubscriptions(pool, who, { search: plain, words, time_zone: "UTC" }),
  ),
  "subscription-query.ts indexedSubscriptionQuery": read(async (who) => {
    const question = {
      search: parseSubscriptionSearch({ product: "Fibre" }),
      words: "",
      time_zone: "UTC",
    };
    return findRows(pool, who, await search.indexedSubscriptionQuery(pool, who, question));
  }),
  "subscription-query.ts searchSubscriptionsOf": read((who) =>
    search.searchSubscriptionsOf(pool, who, "3", paging, HOME),
  ),
  "subscription-query.ts findPhoneOfCustomer": read((who) =>
    search.findPhoneOfCustomer(pool, who, "3"),
  ),
  "subscription-query.ts readCounts": { run: (who) => search.readCounts(pool, who) },
  "search-records.ts searchIndex": read((who) =>
    records.searchIndex(pool, who, {
      ...query,
      list: "products",
      terms: terms.searchTerms("Fibre"),
    }),
  ),
  "search-records.ts searchCustomers": read((who) =>
    records.searchCustomers(pool, who, words, paging),
  ),
  "search-records.ts searchIndexedProducts": read((who) =>
    records.searchIndexedProducts(pool, who, "Fibre", paging),
  ),
};

const held = (claimed: claim.SyncLease) =>
  claim.withSyncLease(
    pool,
    claimed,
    `${claim.SYNC_LEASE_CTE} update mirror_round set next_page = 99 from held
      where seller_id = $1 and mode = $2 returning true as is_held`,
  );

/** Runs a call with the owner's lease. @returns its result, an error's name, or null without a lease */
export async function withSyncContext(
  who: KeyOwner,
  use: (context: SyncContext) => Promise<unknown>,
) {
  const claimed = await acquireLeaseOf(who);
  if (!claimed) return null;
  const context = {
    ...SYNC_SCHEDULE,
    db: pool,
    claimed,
    api: EMPTY_SERVICE,
    isOver: () => false,
  };
  const outcome = await use(context).catch((error: Error) => error.name);
  await claim.releaseSyncLeases(pool, [claimed.claim]);
  return outcome;
}
