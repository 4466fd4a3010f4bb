import { scopePath, type Scope } from "#lib/scope.ts";
import { MOMENT_PLACE } from "#lib/format/moment-place.ts";
import { defineSearch, matching, type SearchOf } from "#lib/search-params.ts";

const receivedSearch = defineSearch({
  /** The cursor after the previous page; null on the first page. */
  before: matching(MOMENT_PLACE),
});
export type ReceivedSearch = SearchOf<typeof receivedSearch>;
export const { parse: parseReceivedSearch, toQuery: receivedQueryString } = receivedSearch;

export const receivedPath = (scope: Scope, search: ReceivedSearch): string =>
  scopePath(scope, `/settings/webhooks/deliveries/received${receivedQueryString(search)}`);
