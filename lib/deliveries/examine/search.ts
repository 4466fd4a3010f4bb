import {
  defineSearch,
  matching,
  wholeNumber,
  type Parameters,
  type SearchOf,
} from "#lib/search-params.ts";

const ID = /^[1-9]\d{0,14}$/;

const examineSearch = defineSearch({
  /** The id of a sent delivery. */
  delivery: matching(ID),
  /** The number of its attempt, from 1. */
  attempt: wholeNumber(99_999),
  /** The id of a received delivery; the other two are null then. */
  received: matching(ID),
});
export type ExamineSearch = SearchOf<typeof examineSearch>;

/** Unreadable values pick nothing. */
export function parseExamineSearch(parameters: Parameters): ExamineSearch {
  const search = examineSearch.parse(parameters);
  return search.received === null ? search : { ...search, delivery: null, attempt: null };
}

/** Below the scope. */
export const examinePath = (search: Partial<ExamineSearch> = {}): string =>
  `/settings/webhooks/deliveries/examine${examineSearch.toQuery(search)}`;
