import { queryOptions } from "@tanstack/react-query";
import type { Subscription } from "#contract/subscriptions.ts";
import type { Scope } from "#lib/scope.ts";
import type { ToPay } from "#lib/format/format.ts";
import type { IndexAbsence } from "#lib/list-answer.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { readRoute } from "#lib/query/fetch-json.ts";

/** The fields that every panel shows of a subscription. */
export interface PanelSubscription {
  subscription_id: string;
  client: Pick<Subscription["client"], "full_name" | "phone">;
  product: Pick<Subscription["product"], "name" | "pbp_id" | "price" | "currency">;
}

export interface PayableSubscription extends PanelSubscription {
  /** The checkout link; null while this seller's checkout address is not known yet. */
  checkout_url: string | null;
}

interface DueSubscription
  extends PayableSubscription, Pick<Subscription, "next_billing_cycle"> {
  /** Amounts owed with kept debts, as on the collection page; empty while the index fills. */
  owed: ToPay[];
}

interface SoonSubscription
  extends
    PanelSubscription,
    Pick<Subscription, "status" | "next_billing_cycle" | "current_period_end"> {}

interface WaitingSubscription extends PayableSubscription, Pick<Subscription, "created_at"> {}

/** How fresh the answer is, or why the API's first page stands in for the index. */
interface FromIndex {
  index: { as_of: string; age_s: number } | null;
  absence: IndexAbsence | null;
}

export interface DueSubscriptions extends FromIndex {
  /** The first due subscriptions, longest overdue first. */
  subscriptions: DueSubscription[];
  /** The number of all due subscriptions; null if unknown. */
  total: number | null;
}

export interface EndingSoon extends FromIndex {
  /** The first subscriptions that end or bill soon, soonest first. */
  subscriptions: SoonSubscription[];
  total: number;
  /** Whether `total` is only a lower bound. */
  is_least: boolean;
}

export interface WaitingCheckouts {
  /** The newest unpaid subscriptions. */
  subscriptions: WaitingSubscription[];
  total: number | null;
}

const MINUTE = 60_000;

// The key begins with the subscriptions key, which every change of a subscription invalidates.
const overviewKey = (scope: Scope) => [scope, "subscriptions", "overview"] as const;

export const dueQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...overviewKey(scope), "due"] as const,
    queryFn: readRoute<DueSubscriptions>(scope, "/overview/due"),
    refetchInterval: refetchEvery(MINUTE),
  });

export const endingSoonQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...overviewKey(scope), "soon"] as const,
    queryFn: readRoute<EndingSoon>(scope, "/overview/soon"),
    // The answer changes with the calendar day.
    staleTime: 5 * MINUTE,
    refetchInterval: refetchEvery(5 * MINUTE),
  });

export const waitingQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...overviewKey(scope), "waiting"] as const,
    queryFn: readRoute<WaitingCheckouts>(scope, "/overview/waiting"),
    refetchInterval: refetchEvery(MINUTE),
  });
