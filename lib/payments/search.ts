import { apiPath, scopePath, type Scope } from "#lib/scope.ts";
import { MOMENT_CURSOR } from "#lib/format/moment-place.ts";
import {
  calendarDayOrNull,
  defineSearch,
  textMatching,
  oneOf,
  type UrlParameters,
  type SearchOf,
} from "#lib/search-params.ts";

const fields = {
  /**
   * A payment's number or reference, an amount, or a part of an id or of a product's name. Never text
   * about a buyer, because URLs are logged.
   */
  q: textMatching(/^[^\0]{1,100}$/),
  /** The buyer's id; their name would be personal data in a URL. */
  customer: textMatching(/^\d{1,15}$/),
  /** Days in the seller's time zone; both are included. */
  from: calendarDayOrNull(),
  to: calendarDayOrNull(),
  /** The cursor at which the previous page ended. */
  before: textMatching(MOMENT_CURSOR),
};
const paymentSearch = defineSearch(fields);
const newSearch = defineSearch({ ...fields, newest: textMatching(/^\d{1,18}$/) });
export type PaymentSearch = SearchOf<typeof paymentSearch>;
export const parsePaymentSearch = paymentSearch.parse;

/** Whether no filter is set; the position in the list does not count. */
export const isUnfilteredPayments = ({ q, customer, from, to }: PaymentSearch): boolean =>
  q === null && customer === null && from === null && to === null;

export function paymentsPath(scope: Scope, search: Partial<PaymentSearch> = {}): string {
  return scopePath(scope, `/payments${paymentSearch.toQuery(search)}`);
}

/** The path that counts the payments after `newest`. */
export const newPaymentsPath = (scope: Scope, search: PaymentSearch, newest: string): string =>
  apiPath(scope, `/payments/new${newSearch.toQuery({ ...search, before: null, newest })}`);

/** Reads `newest`; "0", which comes before all payments, if missing or unreadable. */
export const parseNewestId = (parameters: UrlParameters): string =>
  newSearch.parse(parameters).newest ?? "0";

export const PAYMENT_FILE_FORMATS = ["csv", "xlsx"] as const;
export type PaymentFileFormat = (typeof PAYMENT_FILE_FORMATS)[number];
const fileSearch = defineSearch({ ...fields, format: oneOf(PAYMENT_FILE_FORMATS) });

/** The URL of all matching payments as a file, whatever page is shown. */
export function paymentsFilePath(
  scope: Scope,
  search: PaymentSearch,
  format: PaymentFileFormat,
): string {
  return apiPath(
    scope,
    `/payments/file${fileSearch.toQuery({ ...search, before: null, format })}`,
  );
}

export function parsePaymentFileFormat(parameters: URLSearchParams): PaymentFileFormat {
  return fileSearch.parse(parameters).format ?? "csv";
}
