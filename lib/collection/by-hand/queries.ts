import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { BuyerRequest } from "#contract/buyer-requests.ts";
import type { AccountPayment } from "#contract/payments.ts";
import type {
  OwedPayment,
  PaymentTask,
  RecordedPayment,
  Refund,
} from "#contract/recorded-payments.ts";
import type { HandMethod } from "#contract/names.ts";
import { fetchJson, readRoute } from "#lib/query/fetch-json.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { apiPath, type Scope } from "#lib/scope.ts";
import { defineSearch, uuidOrNull, type UrlParameters } from "#lib/search-params.ts";

/** A buyer's word that they paid, noted by a member; it waits until somebody has checked it. */
export interface SaidPaid {
  id: string;
  subscription_id: string;
  buyer: string | null;
  /** ISO time. */
  at: string;
  person_name: string;
  amount: string;
  currency: string;
  method: HandMethod;
  reference: string;
  /** YYYY-MM-DD. */
  received_on: string;
}

/**
 * What is owed, the newest payments and open tasks; at a service that cannot record payments, the notes
 * that wait for a check.
 */
export type PaidByHand = {
  /** The seller's day by the service's clock, which a sandbox can have moved ahead; YYYY-MM-DD. */
  today: string;
} & (
  | (OwedPayment & {
      service: "own";
      payments: AccountPayment[];
      to_check: PaymentTask[];
      requests: BuyerRequest[];
      /** Whether a channel can carry messages to buyers. */
      has_channel: boolean;
    })
  | { service: "other"; notes: SaidPaid[] }
);

/** Work that waits for a member. */
export interface WaitingMoney {
  waiting: RecordedPayment[];
  refunds: Refund[];
  notes: SaidPaid[];
  /** The number of tasks about money. */
  to_check: number;
  requests: OpenRequests;
}

/** What buyers ask for on their page and nobody has answered, newest first. */
export interface OpenRequests {
  requests: BuyerRequest[];
  /** The id of the last request if older requests follow; else null. */
  before: string | null;
}

// The key begins with the subscriptions key, which every change of a subscription invalidates.
const byHandKey = (scope: Scope) => [scope, "subscriptions", "by-hand"] as const;

export const byHandPath = (scope: Scope, subscription_id: string): string =>
  apiPath(scope, `/subscriptions/${encodeURIComponent(subscription_id)}/by-hand`);

export const paymentPhotoPath = (scope: Scope, recorded_id: string): string =>
  apiPath(scope, `/payments/photo/${encodeURIComponent(recorded_id)}`);

const LOOK_AGAIN_MS = 30_000;

export const paidByHandQuery = (scope: Scope, subscription_id: string) =>
  queryOptions({
    queryKey: [...byHandKey(scope), "of", subscription_id] as const,
    queryFn: ({ signal }) => fetchJson<PaidByHand>(byHandPath(scope, subscription_id), signal),
    refetchInterval: refetchEvery(LOOK_AGAIN_MS),
  });

const tasksSearch = defineSearch({ before: uuidOrNull() });

/** The id of the request after which a page of older requests begins; null for the tasks page. */
export const parseTasksBefore = (parameters: UrlParameters): string | null =>
  tasksSearch.parse(parameters).before;

/** @param after the id of the last request on the first page */
export const olderRequestsQuery = (scope: Scope, after: string) =>
  infiniteQueryOptions({
    queryKey: [...byHandKey(scope), "requests", after] as const,
    queryFn: ({ signal, pageParam: before }) =>
      fetchJson<OpenRequests>(
        apiPath(scope, `/payments/tasks${tasksSearch.toQuery({ before })}`),
        signal,
      ),
    initialPageParam: after,
    getNextPageParam: ({ before }) => before,
  });

export const moneyTasksQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...byHandKey(scope), "tasks"] as const,
    queryFn: readRoute<WaitingMoney>(scope, "/payments/tasks"),
    refetchInterval: refetchEvery(LOOK_AGAIN_MS),
  });
