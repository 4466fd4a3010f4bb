import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Subscription } from "#contract/subscriptions.ts";
import type { Scope } from "#lib/scope.ts";
import type { IndexStatus } from "#lib/search-index/query/index-status.ts";
import type { ToPay } from "#lib/format/format.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { readRoute } from "#lib/query/fetch-json.ts";
import { searchTextHeader } from "#lib/list-answer.ts";
import type { QueueCount } from "./queue-counts.ts";
import type { Channel, Contact, ContactSummary, Grace, CollectionStatus } from "./rules.ts";
import { queueQueryString, type QueueSearch } from "./search.ts";

/** The fields of a subscription that collection needs. */
export interface QueueSubscription extends Pick<
  Subscription,
  "subscription_id" | "status" | "next_billing_cycle" | "current_period_end" | "created_at"
> {
  client: Pick<Subscription["client"], "full_name" | "phone" | "email">;
  product: Omit<Subscription["product"], "product_id">;
}

export interface QueueEntry {
  subscription: QueueSubscription;
  to_pay: ToPay;
  /** The checkout link; null while this seller's checkout address is not known yet. */
  checkout_url: string | null;
  contacted: ContactSummary;
  status: CollectionStatus;
  /** ISO time of the last failed checkout. */
  failed_at: string | null;
}

export interface QueuePage {
  entries: QueueEntry[];
  /** Cursor of the next page; null at the end. */
  next: string | null;
  /** The index, or why the first API page of each status stands in for it. */
  source: IndexStatus;
  cells: QueueCount[];
}

export interface CollectionSettings {
  grace: Grace;
  /** The channel of this user's last message; null without one. */
  usual_channel: Channel | null;
  /** Members to whom a buyer can be assigned. */
  team: { id: string; name: string }[];
  /** Milliseconds by which a sandbox's clock is ahead of real time. */
  clock_ahead: number;
}

/** One buyer; readable also after the buyer has left the queue. */
export interface CollectionBuyer {
  entry: QueueEntry;
  /** The buyer's contacts, newest first. */
  contacts: Contact[];
}

/** The result of a contact action. */
export type ContactResult = {
  contacted: ContactSummary;
  /** Whether the service must still be told to hold the reminders, or to send them again. */
  is_hold_waiting: boolean;
} & (
  | { state: "kept"; contact: Contact }
  /** A colleague logged a newer reminder, so nothing was stored. */
  | { state: "overtaken"; last: Contact }
);

// The key begins with the subscriptions key, which every change of a subscription invalidates.
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
    queryFn: readRoute<QueuePage>(
      scope,
      `/collection${queueQueryString(search, { after })}`,
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
    queryFn: readRoute<CollectionSettings>(scope, "/collection/setting"),
  });

const LOOKING_MS = 15_000;

export const buyerQuery = (
  scope: Scope,
  subscription_id: string,
  { ahead }: Pick<QueueSearch, "ahead">,
) =>
  queryOptions({
    queryKey: [...collectionKey(scope), "buyer", subscription_id, ahead] as const,
    queryFn: readRoute<CollectionBuyer>(
      scope,
      `/collection/${encodeURIComponent(subscription_id)}?ahead=${ahead}`,
    ),
    // Always stale: a colleague may contact the same buyer at any time.
    staleTime: 0,
    refetchInterval: refetchEvery(LOOKING_MS),
  });
