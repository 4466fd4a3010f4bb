import "server-only";
import {
  MAX_HISTORY_PAGE,
  ReceivedChangePage,
  ReceivedSubscriptionChangePage,
  type ChangePage,
  type SubscriptionChangePage,
} from "#contract/changes.ts";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import { ReceivedAccountPaymentPage, type AccountPaymentPage } from "#contract/payments.ts";
import { failureOf, type Failure } from "#lib/failure.ts";
import { nullIfUnsupported, type BillingClient } from "./client.ts";
import { ACCOUNT_ROOT, DISCOVERY_TIMEOUT, isOffered } from "./discovery.ts";

interface ChangeSearch {
  cursor: string | null;
  /** Seconds that the service may wait for a change. */
  wait: number;
  page_size: number;
  /** Ends the wait; the call throws then. */
  signal?: AbortSignal;
}

/** Seconds that an answer may take beyond the wait. */
const MARGIN = 10;

/** Whether the cursor is too old or was replaced (410), or belongs to another account. */
const isLostCursor = (failure: Failure) =>
  (failure.kind === "not_found" && failure.status === 410) ||
  (failure.kind === "validation" && "cursor" in failure.fields);

/**
 * The changes after a cursor, in order; without one only the current cursor. Null if the service
 * has no feed, "lost" if it cannot continue from this cursor.
 */
async function readChanges(
  billing: BillingClient,
  { signal, ...query }: ChangeSearch,
): Promise<ChangePage | "lost" | null> {
  const directory = billing.extension("changes", DISCOVERY_TIMEOUT);
  if (!(await isOffered(directory, "changes"))) return null;
  const readTimeout = (query.wait + MARGIN) * 1_000;
  const feed = billing.extension("changes", { readTimeout });
  const read = async () => {
    try {
      return await feed.read({
        path: `${ACCOUNT_ROOT}/changes`,
        query,
        answer: ReceivedChangePage,
        isPage: true,
        ...(signal && { signal }),
      });
    } catch (error) {
      if (query.cursor !== null && isLostCursor(failureOf(error))) return "lost";
      throw error;
    }
  };
  return nullIfUnsupported(billing, read, "changes");
}

/**
 * A page of a service's payments, newest first, if it has a feed of changes. Null if it has no such
 * list.
 * @param before the payment after which the page begins; empty for the first page
 */
const listPayments = (
  billing: BillingClient,
  before: string,
): Promise<AccountPaymentPage | null> =>
  nullIfUnsupported(billing, () =>
    billing.extension("changes").read({
      path: `${ACCOUNT_ROOT}/payments`,
      query: { page_size: MAX_PAGE_SIZE, ...(before !== "" && { before }) },
      answer: ReceivedAccountPaymentPage,
      isPage: true,
    }),
  );

/**
 * A page of the history of a service's subscriptions, oldest first, if it has a feed of changes.
 * Null if it has no such list.
 * @param after the change after which the page begins; 0 for the first page
 */
const listHistory = (
  billing: BillingClient,
  after: number,
): Promise<SubscriptionChangePage | null> =>
  nullIfUnsupported(billing, () =>
    billing.extension("changes").read({
      path: `${ACCOUNT_ROOT}/subscription-changes`,
      query: { page_size: MAX_HISTORY_PAGE, after },
      answer: ReceivedSubscriptionChangePage,
      isPage: true,
    }),
  );

/** A client with the feed of changes and its history; only the search index reads these. */
export const withFeed = (billing: BillingClient) =>
  Object.assign(billing, {
    readChanges: (search: ChangeSearch) => readChanges(billing, search),
    listPayments: (before: string) => listPayments(billing, before),
    listHistory: (after: number) => listHistory(billing, after),
  });
