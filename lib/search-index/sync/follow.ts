import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import type { RecordChange } from "#contract/changes.ts";
import type { Product } from "#contract/products.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import {
  deleteInSteps,
  inDeleteTransaction,
  readClock,
  singleRow,
  type Database,
} from "#lib/db/pool.ts";
import type { ListName } from "#lib/billing/observe.ts";
import { LISTS_IN_FILL_ORDER, rowsOf, type IndexRow } from "#lib/search-index/records/lists.ts";
import { keepDailySums } from "./daily-sums.ts";
import { isFullSyncWanted } from "./full-sync.ts";
import {
  deleteAnsweredRefreshes,
  drainRefreshQueue,
  enqueueRefresh,
  requestFullSync,
} from "./refresh-queue.ts";
import {
  recordSeenPayments,
  recordToldChanges,
  recordToldPayments,
  removeRow,
  storeRows,
} from "./store.ts";
import type { SyncContext } from "./sync-job.ts";
import {
  SYNC_LEASE_CTE,
  extendLease,
  recordProgress,
  withSyncLease,
  type SyncLease,
} from "./sync-lease.ts";

/** Seconds that the service may wait for a change, well within the lease. */
const WAIT = 20;
/** Milliseconds between two reads while changes arrive, so that one read gets several. */
const GATHERING = 200;
/** Milliseconds between two answers without changes, if the service does not wait. */
const SHORTEST_WAIT = 1_000;
/** More changes than this are deleted in steps. */
const LONG_HISTORY = 10_000;
/** Milliseconds between two runs of the other work. */
const REST_EVERY = 10_000;

/**
 * Reads the service's feed of changes up to now, or begins it: a full sync after that completes the
 * index.
 * @returns the number of changes; null if the service has no feed
 */
export async function readFeed(context: SyncContext): Promise<number | null> {
  const { claimed, isOver } = context;
  let told = 0;
  for (;;) {
    if (claimed.cursor === null && !(await beginFeed(context))) return null;
    const asked_at = await readClock(context.db);
    const page = await context.api.readChanges({
      cursor: claimed.cursor,
      wait: 0,
      page_size: MAX_PAGE_SIZE,
    });
    if (page === null || page === "lost") {
      await endFeed(context);
      if (page === null) return null;
      continue;
    }
    await applyChanges(context, page.results, asked_at);
    claimed.cursor = page.cursor;
    await recordProgress(context.db, claimed, {
      feed_cursor: page.cursor,
      ...(!page.has_more && { read_at: asked_at }),
    });
    told += page.results.length;
    if (!page.has_more || isOver()) return told;
  }
}

/** @returns false if the service has no feed */
async function beginFeed({ db, claimed, api }: SyncContext): Promise<boolean> {
  const begun_at = await readClock(db);
  const page = await api.readChanges({ cursor: null, wait: 0, page_size: 1 });
  if (page === null || page === "lost") return false;
  // A full sync that starts after this cursor reads all earlier changes.
  await recordProgress(db, claimed, {
    feed_cursor: page.cursor,
    followed_from: begun_at,
    round_wanted_at: begun_at,
    payments_before: "",
    history_after: 0,
  });
  claimed.cursor = page.cursor;
  claimed.historyAfter = 0;
  claimed.paymentsBefore = "";
  return true;
}

/** Forgets the feed. If the index was complete, all of it is as new as the feed's last answer. */
async function endFeed({ db, claimed }: SyncContext): Promise<void> {
  await withSyncLease(
    db,
    claimed,
    `${SYNC_LEASE_CTE}, kept as (
       update mirror_round r set whole_since = m.read_at from held, mirror m
        where r.seller_id = $1 and r.mode = $2 and m.seller_id = $1 and m.mode = $2
          and r.whole_since >= m.followed_from)
     select true as is_held from held`,
  );
  // No feed reports changes after the last answer, so the history ends with the feed.
  await leaveHistory(db, claimed, null);
  await inDeleteTransaction(db, (client) =>
    client.query("select forget_told_history($1, $2)", [claimed.seller_id, claimed.mode]),
  );
  await recordProgress(db, claimed, {
    feed_cursor: null,
    followed_from: null,
    history_after: null,
  });
  claimed.cursor = null;
  claimed.historyAfter = null;
}

/**
 * Deletes a long history in steps, so that webhooks are stored meanwhile.
 * @param since the start of the next history; null if the feed has ended
 */
async function leaveHistory(
  db: SyncContext["db"],
  claimed: SyncLease,
  since: string | null,
): Promise<void> {
  const whose = [claimed.seller_id, claimed.mode] as const;
  const { rows } = await inDeleteTransaction(db, (client) =>
    client.query<{ is_left: boolean }>("select leave_long_history($1, $2, $3, $4) as is_left", [
      ...whose,
      since,
      LONG_HISTORY,
    ]),
  );
  if (!singleRow(rows).is_left) return;
  const step =
    "select delete_mirror_rows('mirror_change', 'subscription_id, id', $1, $2, $3) as deleted";
  await deleteInSteps(db, step, whose, () => extendLease(db, claimed));
}

const LIST_OF_KIND: Record<string, ListName> = {
  subscription: "subscriptions",
  customer: "customers",
  product: "products",
};

async function applyChanges(
  { db, claimed }: SyncContext,
  changes: readonly RecordChange[],
  asked_at: string,
): Promise<void> {
  const byList = Map.groupBy(changes, ({ kind }) => LIST_OF_KIND[kind]);
  for (const list of LISTS_IN_FILL_ORDER) {
    const told = byList.get(list) ?? [];
    if (told.length === 0) continue;
    const records = told.flatMap(recordOf);
    const rows = rowsOf(list, records);
    if (list === "products" && (await isRenamed(db, claimed, rows)))
      await requestFullSync(db, claimed);
    await storeRows(db, claimed, list, rows, asked_at);
    for (const { id, change } of told)
      if (change === "gone") await removeRow(db, claimed, list, id, asked_at);
    // A changed record that the page does not contain is read by itself, or with its list.
    const stored = new Set(rows.map(({ id }) => id));
    const unread = told.filter(({ id, change }) => change !== "gone" && !stored.has(id));
    if (list === "products") {
      if (unread.length > 0) await requestFullSync(db, claimed);
      continue;
    }
    await deleteAnsweredRefreshes(db, claimed, list, [...stored], asked_at);
    const ids = unread.map(({ id }) => id);
    if (ids.length > 0) await enqueueRefresh(db, claimed, list, ids);
  }
  await recordToldChanges(
    db,
    claimed,
    changes.flatMap(({ history }) => history),
    true,
  );
  await recordToldPayments(
    db,
    claimed,
    changes.flatMap(({ payment }) => payment ?? []),
    true,
  );
}

/**
 * Reads a page of the subscriptions' history before the feed was followed, if the service has more
 * of it than the index saw.
 * @returns false if all was read, or if the service has no feed
 */
export async function continueHistory({ db, claimed, api }: SyncContext): Promise<boolean> {
  const { cursor, historyAfter } = claimed;
  if (cursor === null || historyAfter === null) return false;
  const page = await api.listHistory(historyAfter);
  const isTaken =
    page !== null && (historyAfter > 0 || (await takeHistory(db, claimed, page.since)));
  if (isTaken) await recordToldChanges(db, claimed, page.results, false);
  const last = page?.results.at(-1)?.id ?? historyAfter;
  const next = isTaken && page.next !== null && last > historyAfter ? last : null;
  await recordProgress(db, claimed, { history_after: next });
  claimed.historyAfter = next;
  return true;
}

async function takeHistory(
  db: SyncContext["db"],
  claimed: SyncLease,
  since: string,
): Promise<boolean> {
  const { seller_id, mode } = claimed;
  await leaveHistory(db, claimed, since);
  const { rows } = await inDeleteTransaction(db, (client) =>
    client.query<{ is_taken: boolean }>("select take_told_history($1, $2, $3) as is_taken", [
      seller_id,
      mode,
      since,
    ]),
  );
  return singleRow(rows).is_taken;
}

/**
 * Reads a page of the payments that were made before the feed was followed.
 * @returns false if all were read, or if the service has no feed
 */
export async function continuePayments({ db, claimed, api }: SyncContext): Promise<boolean> {
  const { cursor, paymentsBefore } = claimed;
  if (cursor === null || paymentsBefore === null) return false;
  const page = await api.listPayments(paymentsBefore);
  if (page) await recordToldPayments(db, claimed, page.results, false);
  const last = page?.results.at(-1)?.payment_id ?? null;
  const next = page === null || page.next === null || last === paymentsBefore ? null : last;
  await recordProgress(db, claimed, {
    payments_before: next,
    ...(page !== null && next === null && { payments_read_at: await readClock(db) }),
  });
  claimed.paymentsBefore = next;
  return true;
}

/** The record as the API lists it; none for kinds without a list. */
const recordOf = ({ subscription, customer, product }: RecordChange): object[] =>
  [subscription ?? customer ?? product ?? []].flat();

/** Whether a name changed that subscriptions repeat; the feed does not list each subscription. */
async function isRenamed(
  db: Database,
  { seller_id, mode }: KeyOwner,
  products: readonly Pick<IndexRow, "id" | "record">[],
): Promise<boolean> {
  const { rows } = await db.query<Pick<IndexRow, "id" | "record">>(
    "select id, record from mirror_product where seller_id = $1 and mode = $2 and id = any ($3)",
    [seller_id, mode, products.map(({ id }) => id)],
  );
  const before = new Map(rows.flatMap(namesOf));
  return products.flatMap(namesOf).some(([id, name]) => (before.get(id) ?? name) !== name);
}

const namesOf = ({ record }: Pick<IndexRow, "record">): [id: string, name: string][] => {
  const { product_id, name, plan } = record as Product;
  const periods = plan.flatMap(({ billing_periods }) => billing_periods);
  return [
    [`product ${product_id}`, name],
    ...plan.map((one): [string, string] => [`plan ${one.plan_id}`, one.plan_name]),
    ...periods.map((one): [string, string] => [`period ${one.pbp_id}`, one.label]),
  ];
};

/** Ends a follower's wait when its index has other work. */
export class Interruption {
  #rung = new AbortController();
  ring(): void {
    this.#rung.abort();
  }
  /** @returns a signal that the next ring aborts */
  listen(): AbortSignal {
    this.#rung = new AbortController();
    return this.#rung.signal;
  }
}

/**
 * Follows the feed while only the feed and the refresh queue have work. The lease is kept
 * meanwhile.
 * @param rest other work for the seller, every ten seconds and after an interruption
 */
export async function follow(
  context: SyncContext,
  interruption: Interruption,
  rest: () => Promise<void>,
): Promise<void> {
  const { db, claimed, isOver } = context;
  let restedAt = performance.now();
  for (let rung = false; ;) {
    const signal = interruption.listen();
    await recordProgress(db, claimed, { due_at: "infinity" });
    const told = await readFeed(context);
    if (told === null) return;
    while (!isOver() && (await drainRefreshQueue(context)) > 0);
    if (isOver() || (await isFullSyncWanted(context))) return;
    if (told > 0) await recordSeenPayments(db, claimed);
    if (rung || performance.now() - restedAt > REST_EVERY) {
      await keepDailySums(db, claimed);
      await rest();
      restedAt = performance.now();
    }
    if (told > 0) await delay(GATHERING, undefined, { signal }).catch(() => {});
    else await hear(context, signal);
    rung = signal.aborted;
  }
}

/** Resolves when the feed has something new, when the signal aborts, or after some seconds. */
async function hear({ api, claimed }: SyncContext, signal: AbortSignal): Promise<void> {
  const begun = performance.now();
  try {
    // The answer only says that something changed. Its rows are not stored: they would count as read
    // when the wait began, and so lose to rows that were read meanwhile.
    const page = await api.readChanges({
      cursor: claimed.cursor,
      wait: WAIT,
      page_size: 1,
      signal,
    });
    const isNothing = page !== null && page !== "lost" && page.results.length === 0;
    const rest = SHORTEST_WAIT - (performance.now() - begun);
    if (isNothing && rest > 0) await delay(rest, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
