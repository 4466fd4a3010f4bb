import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Subscription } from "#contract/subscriptions.ts";
import { apiPath, type Scope } from "#lib/scope.ts";
import type { Looked } from "#lib/looked.ts";
import type { IndexStatus } from "#lib/search-index/query/index-status.ts";
import type { ToPay } from "#lib/format/format.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { searchTextHeader } from "#lib/list-answer.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import type { DeskCell } from "./queue-counts.ts";
import type { Channel, Contact, Contacted, Grace, CollectionStatus } from "./rules.ts";
import { deskQueryString, type DeskSearch } from "./search.ts";

export interface DeskEntry {
  subscription: Subscription;
  to_pay: ToPay;
  /** Null while this seller's checkout address is not known yet. */
  checkout_url: string | null;
  contacted: Contacted;
  standing: CollectionStatus;
  /** ISO; when its checkout was last told to have failed. */
  failed_at: string | null;
}

/** Out of the copy, or as far as the service's own lists were looked through. */
export type DeskSource =
  | Extract<IndexStatus, { state: "ready" }>
  | {
      state: "walk";
      copy: Exclude<IndexStatus, { state: "ready" }>;
      due: Looked;
      active: Looked;
      waiting: Looked;
      /** That were found and are not shown. */
      more: number;
    };

export interface DeskPage {
  entries: DeskEntry[];
  /** Behind which place the next page begins; null at the end. */
  next: string | null;
  source: DeskSource;
  cells: DeskCell[];
}

/** What the desk knows besides its queue. */
export interface DeskSetting {
  grace: Grace;
  /** By what this person reached somebody last. */
  usual_channel: Channel | null;
  /** To whom a buyer can be assigned. */
  team: { id: string; name: string }[];
  /** Milliseconds: a sandbox's clock can be ahead of real time. */
  clock_ahead: number;
}

/** One buyer, in the queue or not any more. */
export interface DeskBuyer {
  entry: DeskEntry;
  /** Newest first. */
  contacts: Contact[];
}

/** What an act answers with. */
export type Acted =
  | { state: "kept"; contact: Contact; contacted: Contacted }
  /** A colleague wrote meanwhile, so nothing was written down. */
  | { state: "overtaken"; last: Contact; contacted: Contacted };

// Below the key that every change of a subscription renews.
export const deskKey = (scope: Scope) => [scope, "subscriptions", "collection"] as const;

const FOLLOWING_MS = 30_000;
/** Looking through the service's own lists takes many requests. */
const WALKING_MS = 5 * 60_000;

export const deskQuery = (
  scope: Scope,
  search: DeskSearch,
  words: string,
  after: string | null = null,
) =>
  queryOptions({
    queryKey: [...deskKey(scope), "queue", search, words, after] as const,
    queryFn: ({ signal }) =>
      fetchJson<DeskPage>(
        apiPath(scope, `/collection${deskQueryString(search, { after })}`),
        signal,
        searchTextHeader(words),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: (query) => {
      const isWalk = query.state.data?.source.state === "walk";
      return refetchEvery(isWalk ? WALKING_MS : FOLLOWING_MS)(query);
    },
  });

export const deskSettingQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...deskKey(scope), "setting"] as const,
    queryFn: ({ signal }) =>
      fetchJson<DeskSetting>(apiPath(scope, "/collection/setting"), signal),
  });

const LOOKING_MS = 15_000;

export const deskBuyerQuery = (
  scope: Scope,
  subscription_id: string,
  { ahead }: Pick<DeskSearch, "ahead">,
) =>
  queryOptions({
    queryKey: [...deskKey(scope), "buyer", subscription_id, ahead] as const,
    queryFn: ({ signal }) =>
      fetchJson<DeskBuyer>(
        apiPath(scope, `/collection/${encodeURIComponent(subscription_id)}?ahead=${ahead}`),
        signal,
      ),
    // A colleague may be at the same buyer.
    staleTime: 0,
    refetchInterval: refetchEvery(LOOKING_MS),
  });
