import {
  defineSearch,
  FISCAL_YEAR,
  MONTH,
  textMatching,
  uuidOrNull,
  type SearchOf,
} from "#lib/search-params.ts";
import { type Scope, scopePath } from "#lib/scope.ts";

const billSearch = defineSearch({
  /** A bill's number, or a part of it. */
  q: textMatching(/^[^\p{C}]{1,40}$/u),
  year: textMatching(FISCAL_YEAR),
  /** YYYY-MM in the seller's time zone. */
  month: textMatching(MONTH),
  /** The id of the last bill on the previous page. */
  before: uuidOrNull(),
});
export type BillSearch = SearchOf<typeof billSearch>;
export const parseBillSearch = billSearch.parse;

export const isUnfilteredBills = ({ q, year, month }: BillSearch): boolean =>
  q === null && year === null && month === null;

export const billsPath = (scope: Scope, search: Partial<BillSearch> = {}): string =>
  scopePath(scope, `/payments/bills${billSearch.toQuery(search)}`);
