import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Subscription } from "#contract/subscriptions.ts";
import { apiPath, type Scope } from "#lib/scope.ts";
import type { IndexStatus } from "#lib/search-index/query/index-status.ts";
import type { ToPay } from "#lib/format/format.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { searchTextHeader } from "#lib/list-answer.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import type { QueueCount } from "./queue-counts.ts";
import type { Channel, Contact, Contacted, Grace, CollectionStatus } from "./rules.ts";
import { queueQueryString, type QueueSearch } from "./search.ts";

export interface QueueEntry {
  subscription: Subscription;
  to_pay: ToPay;
  /** Null while this seller's checkout address is not known yet. */
  checkout_url: string | null;
  contacted: Contacted;
  status: CollectionStatus;
  /** ISO; when its checkout was last told to have failed. */
  failed_at: string | null;
}

export interface QueuePage {
  entries: QueueEntry[];
  /** Behind which place the next page begins; null at the end. */
  next: string | null;
  /** The index, or why the first API page of each status stands in for it. */
  source: IndexStatus;
  cells: QueueCount[];
}

/** What the desk knows besides its queue. */
export interface CollectionSettings {
  grace: Grace;
  /** By what this person reached somebody last. */
  usual_channel: Channel | null;
  /** To whom a buyer can be assigned. */
  team: { id: string; name: string }[];
  /** Milliseconds: a sandbox's clock can be ahead of real time. */
  clock_ahead: number;
}

/** One buyer, in the queue or not any more. */
export interface BuyerDetails {
  entry: QueueEntry;
  /** Newest first. */
  contacts: Contact[];
}

/** What an act answers with. */
export type ContactResult =
  | { state: "kept"; contact: Contact; contacted: Contacted }
  /** A colleague wrote meanwhile, so nothing was written down. */
  | { state: "overtaken"; last: Contact; contacted: Contacted };

// Below the key that every change of a subscription renews.
export const collectionKey = (scope: Scope) => [scope, "subscriptions", "collection"] as const;

const FOLLOWING_MS = 30_000;
const FILLING_MS = 15_000;

export const queueQuery = (
  scope: Scope,
  search: QueueSearch,
  words: string,
  after: string | null = null,
) =>
  queryOptions({
    queryKey: [...collectionKey(scope), "queue", search, words, after] as const,
    queryFn: ({ signal }) =>
      fetchJson<QueuePage>(
        apiPath(scope, `/collection${queueQueryString(search, { after })}`),
        signal,
        searchTextHeader(words),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: (query) => {
      const isFilling = query.state.data?.source.state === "filling";
      return refetchEvery(isFilling ? FILLING_MS : FOLLOWING_MS)(query);
    },
  });

export const collectionSettingsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...collectionKey(scope), "setting"] as const,
    queryFn: ({ signal }) =>
      fetchJson<CollectionSettings>(apiPath(scope, "/collection/setting"), signal),
  });

const LOOKING_MS = 15_000;

export const buyerQuery = (
  scope: Scope,
  subscription_id: string,
  { ahead }: Pick<QueueSearch, "ahead">,
) =>
  queryOptions({
    queryKey: [...collectionKey(scope), "buyer", subscription_id, ahead] as const,
    queryFn: ({ signal }) =>
      fetchJson<BuyerDetails>(
        apiPath(scope, `/collection/${encodeURIComponent(subscription_id)}?ahead=${ahead}`),
        signal,
      ),
    // A colleague may be at the same buyer.
    staleTime: 0,
    refetchInterval: refetchEvery(LOOKING_MS),
  });
