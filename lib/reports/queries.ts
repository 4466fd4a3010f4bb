import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { apiPath, type Scope } from "#lib/scope.ts";
import type { IndexStatus } from "#lib/search-index/query/index-status.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { fetchFile, fetchJson } from "#lib/query/fetch-json.ts";
import type { Age, Horizon, Period } from "./rules.ts";
import { reportQueryString, type ReportName, type ReportSearch } from "./search.ts";

type Ready = Extract<IndexStatus, { state: "ready" }>;

/** The parameters of the list of subscriptions that shows the rows behind a number. */
export type ListedBy = Readonly<Record<string, string>>;

/** Amounts are decimal texts, never added across currencies. */
interface OfCurrency {
  currency: string;
}

/** A number of subscriptions, and the list of them; null where no list shows just these. */
export interface Counted {
  count: number;
  rows: ListedBy | null;
}

/** Beside the same of the period before; null where the copy did not know all of that. */
export interface Compared extends Counted {
  before: number | null;
}

/** What a month brings: prices of what is subscribed, each brought to a month; not what is paid. */
export interface Revenue {
  currencies: (OfCurrency & {
    /** At the end of the period, which is now where it ends today. */
    amount: string;
    /** At its start; null before the copy knew. */
    start: string | null;
    /** Parts of `amount`. */
    active: string;
    due: string;
    ending: string;
  })[];
  /** Of which the record's price and period count. */
  active: Counted;
  due: Counted;
  ending: Counted;
  /** Their period is not listed: it was taken from the dates of the record, and counts. */
  estimated: number;
  /** Not in any amount: nobody can tell their period, or their price is no number. */
  unknown: number;
}

/** At the end of a day, which is now for today; null where the copy did not know yet. */
export interface SubscribersOfDay {
  day: string;
  active: number | null;
  due: number | null;
  ending: number | null;
}

/** Recurring ones only; a one-time purchase is active for ever. `before` is at the period's start. */
export interface Subscribers {
  active: Compared;
  due: Compared;
  ending: Compared;
  days: SubscribersOfDay[];
}

export interface Movement {
  /** By the moment that the service gives: known also before there was a copy. */
  created: Compared;
  /** Paid for the first time. */
  begun: Compared;
  /** Cancelled or inactive. */
  lost: Compared;
  cancelled: Compared;
  inactive: Compared;
  /** Resumed or paid when due. */
  saved: Compared;
  /** Whose cancellation was taken back. */
  resumed: Compared;
  /** Paid while they were due. */
  paid_when_due: Compared;
  /** Numbers of events; null where the copy did not know. `lost` and `saved` are two of those each. */
  days: {
    day: string;
    created: number;
    begun: number | null;
    lost: number | null;
    saved: number | null;
  }[];
}

/** Those created in the period, as they stand now; and all that wait, whenever they were created. */
export interface Checkouts {
  created: Compared;
  finished: Compared;
  unpaid: Compared;
  waiting: Counted;
}

/** Of what is due now or was kept when its date was moved, by the days since the date that was missed. */
export interface Owed {
  due: Counted;
  /** How many are not due, and owe what was kept: in no list. */
  kept: number;
  currencies: (OfCurrency & {
    count: number;
    amount: string;
    /** Whether only the list price is known of some of it. */
    is_list_price: boolean;
    /** What was owed at the start of the period; null before the copy knew. */
    start: string | null;
    ages: { age: Age; count: number; amount: string; rows: ListedBy | null }[];
  })[];
  /** Without a date: in no age. */
  undated: number;
  /** Their price is no number: in no amount. */
  unpriced: number;
}

/** Billing dates of active subscriptions from today on, as often as each comes in that many days. */
export interface Expected {
  horizons: {
    days: Horizon;
    /** Those that bill at least once. */
    subscriptions: Counted;
    currencies: (OfCurrency & {
      /** Billing dates. */
      count: number;
      amount: string;
      /** Whether only the list price is known of some of it. */
      is_list_price: boolean;
      /** That times the share that paid in time; null while that is not known. */
      likely: string | null;
    })[];
  }[];
  /** Of the billing dates that passed since the copy began. */
  observed: {
    passed: number;
    in_time: number;
    late: number;
    unpaid: number;
    /** 0 to 1, four places; null while fewer than `needed` passed. */
    share: string | null;
    needed: number;
  };
  /** Bill within 90 days, but nobody can tell how often: counted once. */
  once: number;
  unpriced: number;
}

export interface Takings {
  payments: number;
  amount: string;
  /** 1.99 % of each, rounded half up to two places. */
  fee: string;
  net: string;
}

/** The payments of the ledger, as Payments lists them. */
export interface Collected {
  currencies: (OfCurrency & Takings & { before: Takings | null })[];
  subscriptions: Counted;
  /** Changes by which a billing date moved on without a new period: paid ahead, or moved by hand. */
  moved: number;
  unpriced: number;
}

/** By product, plan and currency, the largest revenue first. */
export interface OfProducts {
  plans: (OfCurrency & {
    product_id: string;
    product_name: string;
    plan_name: string;
    active: number;
    due: number;
    ending: number;
    /** Brought to a month, at the end of the period. */
    revenue: string;
    start: string | null;
    collected: Takings;
    rows: ListedBy;
  })[];
  estimated: number;
  unknown: number;
}

/** Of those that began in a month, how many were still there at the end of that and later ones. */
export interface Retention {
  months: {
    /** YYYY-MM */
    month: string;
    begun: number;
    rows: ListedBy;
    /** At the end of the same month first; null where not known, and as long as months passed. */
    left: (number | null)[];
  }[];
}

export interface ReportOf {
  revenue: Revenue;
  subscribers: Subscribers;
  movement: Movement;
  checkouts: Checkouts;
  owed: Owed;
  expected: Expected;
  collected: Collected;
  products: OfProducts;
  retention: Retention;
}

/** What every figure says beside its own. */
export interface ReportHead {
  period: Period;
  before: Period;
  /** ISO: since when changes are known; nothing earlier is guessed. */
  known_since: string;
  /** Whether that lies within the period: then what was seen to happen in it is not all of it. */
  is_partial: boolean;
}

export type ReportAnswer<Name extends ReportName> =
  (Ready & ReportHead & { figure: ReportOf[Name] }) | Exclude<IndexStatus, Ready>;

const FILLING_MS = 5_000;
const FOLLOWING_MS = 60_000;

/** Below the key that every change of a subscription renews. */
export const reportQuery = <Name extends ReportName>(
  scope: Scope,
  name: Name,
  { currency: _shown, ...search }: ReportSearch,
) =>
  queryOptions({
    queryKey: [scope, "subscriptions", "reports", name, search] as const,
    queryFn: ({ signal }) =>
      fetchJson<ReportAnswer<Name>>(
        apiPath(scope, `/reports/${name}${reportQueryString(search)}`),
        signal,
      ),
    placeholderData: keepPreviousData,
    refetchInterval: (query) =>
      refetchEvery(query.state.data?.state === "filling" ? FILLING_MS : FOLLOWING_MS)(query),
  });

/** The table of a figure, as CSV. @throws AppError */
export const fetchReportFile = (
  scope: Scope,
  name: ReportName,
  { currency: _shown, ...search }: ReportSearch,
  signal: AbortSignal,
) => fetchFile(apiPath(scope, `/reports/${name}/file${reportQueryString(search)}`), signal);
