import { queryOptions } from "@tanstack/react-query";
import type { Subscription } from "#contract/subscriptions.ts";
import { apiPath, type Scope } from "#lib/scope.ts";
import type { ToPay } from "#lib/format/format.ts";
import type { IndexAbsence } from "#lib/list-answer.ts";
import { fetchJson, refetchEvery } from "#lib/query/client.ts";

export interface PayableSubscription {
  subscription: Subscription;
  /** Null while this seller's checkout address is not known yet. */
  checkout_url: string | null;
}

export interface DueSubscription extends PayableSubscription {
  /** With debts that were kept, as the collection asks for it; empty while the index fills. */
  owed: ToPay[];
}

/** How fresh the answer is, or why the API's first page stands in for the index. */
interface FromIndex {
  index: { as_of: string; age_s: number } | null;
  absence: IndexAbsence | null;
}

export interface DueSubscriptions extends FromIndex {
  /** The first few, longest overdue first. */
  records: DueSubscription[];
  /** Null if unknown. */
  total: number | null;
}

export interface EndingSoon extends FromIndex {
  /** The first few, soonest first. */
  subscriptions: Subscription[];
  total: number;
  /** Whether there may be more. */
  is_least: boolean;
}

export interface WaitingCheckouts {
  /** The newest few. */
  records: PayableSubscription[];
  total: number | null;
}

const MINUTE = 60_000;

// Under the key that every change of a subscription invalidates.
const overviewKey = (scope: Scope) => [scope, "subscriptions", "overview"] as const;

export const dueQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...overviewKey(scope), "due"] as const,
    queryFn: ({ signal }) =>
      fetchJson<DueSubscriptions>(apiPath(scope, "/overview/due"), signal),
    refetchInterval: refetchEvery(MINUTE),
  });

export const endingSoonQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...overviewKey(scope), "soon"] as const,
    queryFn: ({ signal }) => fetchJson<EndingSoon>(apiPath(scope, "/overview/soon"), signal),
    // It changes by the day.
    staleTime: 5 * MINUTE,
    refetchInterval: refetchEvery(5 * MINUTE),
  });

export const waitingQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...overviewKey(scope), "waiting"] as const,
    queryFn: ({ signal }) =>
      fetchJson<WaitingCheckouts>(apiPath(scope, "/overview/waiting"), signal),
    refetchInterval: refetchEvery(MINUTE),
  });
