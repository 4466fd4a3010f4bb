import type { GivenBack } from "#lib/money/payable.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Scope } from "#lib/scope.ts";
import type { IndexStatus } from "#lib/search-index/query/index-status.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { readRoute } from "#lib/query/fetch-json.ts";
import type { DebtAge, Horizon, Period } from "./rules.ts";
import { reportQueryString, type ReportName, type ReportSearch } from "./search.ts";

type Ready = Extract<IndexStatus, { state: "ready" }>;

/** Parameters of the subscription list behind a number. */
export type ListParameters = Readonly<Record<string, string>>;

/** Amounts in one currency, as decimal texts; currencies are never added. */
interface OfCurrency {
  currency: string;
}

/** A count and its list; null if no list shows exactly these. */
interface CountWithList {
  count: number;
  rows: ListParameters | null;
}

/** A count with that of the previous period; null if the index did not exist during all of it. */
export interface ComparedCount extends CountWithList {
  before: number | null;
}

/** Monthly recurring revenue: list prices per month, not payments. */
export interface Revenue {
  currencies: (OfCurrency & {
    /** The amount at the end of the period, or now if it ends today. */
    amount: string;
    /** The amount at the period's start; null if the index did not exist then. */
    start: string | null;
    /** The parts of `amount` by status. */
    active: string;
    due: string;
    ending: string;
  })[];
  /** The numbers of subscriptions in the amounts, by status. */
  active: CountWithList;
  due: CountWithList;
  ending: CountWithList;
  /**
   * Subscriptions whose period is not listed and was derived from the record's dates; their revenue
   * is included.
   */
  estimated: number;
  /** Subscriptions in no amount: their period is unknown or their price invalid. */
  unknown: number;
}

/** Subscribers at the end of a day, or now for today; null before the index existed. */
export interface DailySubscribers {
  day: string;
  active: number | null;
  due: number | null;
  ending: number | null;
}

/**
 * Recurring subscriptions only; a one-time purchase stays active for ever. `before` is at the
 * period's start.
 */
export interface Subscribers {
  active: ComparedCount;
  due: ComparedCount;
  ending: ComparedCount;
  days: DailySubscribers[];
}

export interface Movement {
  /**
   * New subscriptions by the API's creation time, which is known for the time before the index too.
   */
  created: ComparedCount;
  begun: ComparedCount;
  lost: ComparedCount;
  cancelled: ComparedCount;
  inactive: ComparedCount;
  /** Subscriptions that were resumed, or paid when due. */
  saved: ComparedCount;
  /** Subscriptions whose cancellation was undone. */
  resumed: ComparedCount;
  paid_when_due: ComparedCount;
  /** Counts of events; null before changes were known. `lost` and `saved` are sums of two kinds. */
  days: {
    day: string;
    created: number;
    begun: number | null;
    lost: number | null;
    saved: number | null;
  }[];
}

/** Why subscriptions that end or ended were cancelled on the desk, the most frequent reason first. */
export interface LeavingReport {
  /** A reason is null if it is not one of the seller's list. */
  reasons: { reason: string | null; count: number; before: number }[];
}

/** Checkouts created in the period by current status, and all waiting ones of any date. */
export interface Checkouts {
  created: ComparedCount;
  finished: ComparedCount;
  unpaid: ComparedCount;
  waiting: CountWithList;
}

/** Due amounts and kept debts, by days since the missed date. */
export interface OwedReport {
  due: CountWithList;
  /** Subscriptions that have only a kept debt; no list shows exactly these. */
  kept: number;
  currencies: (OfCurrency & {
    count: number;
    amount: string;
    /** Whether the amount includes list prices. */
    is_list_price: boolean;
    /**
     * The amount owed at the period's start; null if the index did not exist then, or if `amount`
     * includes kept debts.
     */
    start: string | null;
    ages: { age: DebtAge; count: number; amount: string; rows: ListParameters | null }[];
  })[];
  /** Subscriptions without a date, which are in no age group. */
  undated: number;
  /** Subscriptions with an invalid price, which are in no amount. */
  unpriced: number;
}

/** Upcoming billing dates of active subscriptions, repeated ones included. */
export interface Expected {
  horizons: {
    days: Horizon;
    /** Subscriptions that bill at least once. */
    subscriptions: CountWithList;
    currencies: (OfCurrency & {
      count: number;
      amount: string;
      /** Whether the amount includes list prices. */
      is_list_price: boolean;
      /** The amount times the share paid in time; null while unknown. */
      likely: string | null;
    })[];
  }[];
  /** Past billing dates since the index began. */
  observed: {
    passed: number;
    in_time: number;
    late: number;
    unpaid: number;
    /** The share from 0 to 1, four places; null with fewer than `needed` dates. */
    share: string | null;
    needed: number;
  };
  /** Subscriptions that bill within 90 days at an unknown interval; each is counted once. */
  once: number;
  unpriced: number;
}

export interface PaymentSums {
  payments: number;
  amount: string;
  /** The fee that the service states, else 1.99 % of each payment, rounded half up to two places. */
  fee: string;
  net: string;
}

/** Sums of the payments that the payments page lists. */
export interface Collected {
  currencies: (OfCurrency &
    PaymentSums & {
      before: PaymentSums | null;
      /** What was given back of the period's payments; absent if nothing was. */
      given_back?: GivenBack;
    })[];
  subscriptions: CountWithList;
  /** Changes of a billing date without a new period: early renewal or moved by hand. */
  moved: number;
  unpriced: number;
}

/** One row by product, plan and currency; the largest revenue comes first. */
export interface ProductsReport {
  plans: (OfCurrency & {
    product_id: string;
    product_name: string;
    plan_name: string;
    active: number;
    due: number;
    ending: number;
    /** Revenue per month at the end of the period. */
    revenue: string;
    start: string | null;
    collected: PaymentSums;
    rows: ListParameters;
  })[];
  estimated: number;
  unknown: number;
}

/** How many of the subscriptions that began in a month remained after each month. */
export interface Retention {
  months: {
    /** The month, YYYY-MM. */
    month: string;
    begun: number;
    rows: ListParameters | null;
    /** The number left after 0, 1, 2 ... months; null if unknown. */
    left: (number | null)[];
  }[];
}

export interface ReportByName {
  revenue: Revenue;
  subscribers: Subscribers;
  movement: Movement;
  leaving: LeavingReport;
  checkouts: Checkouts;
  owed: OwedReport;
  expected: Expected;
  collected: Collected;
  products: ProductsReport;
  retention: Retention;
}

/** The common part of all reports. */
export interface ReportHead {
  period: Period;
  before: Period;
  /** The ISO time since which changes are known; earlier ones are not estimated. */
  known_since: string;
  /** Whether `known_since` is after the period's start, so that events are incomplete. */
  is_partial: boolean;
}

export type ReportAnswer<Name extends ReportName> =
  (Ready & ReportHead & { figure: ReportByName[Name] }) | Exclude<IndexStatus, Ready>;

const FILLING_MS = 5_000;
const FOLLOWING_MS = 60_000;

/** The key begins with the subscriptions key, which every change of a subscription invalidates. */
export const reportQuery = <Name extends ReportName>(
  scope: Scope,
  name: Name,
  { currency: _shown, ...search }: ReportSearch,
) =>
  queryOptions({
    queryKey: [scope, "subscriptions", "reports", name, search] as const,
    queryFn: readRoute<ReportAnswer<Name>>(
      scope,
      `/reports/${name}${reportQueryString(search)}`,
    ),
    placeholderData: keepPreviousData,
    refetchInterval: (query) =>
      refetchEvery(query.state.data?.state === "filling" ? FILLING_MS : FOLLOWING_MS)(query),
  });
