import { scopePath, type Scope } from "#lib/scope.ts";
import { MOMENT_PLACE } from "#lib/format/moment-place.ts";
import { parameterReader, queryString, type Parameters } from "#lib/search-params.ts";

/** The shape of the list's address. */
export interface ReceivedSearch {
  /** Where the page before ended; null on the first one. */
  before: string | null;
}

/** What cannot be read begins at the newest. */
export function parseReceivedSearch(parameters: Parameters): ReceivedSearch {
  return { before: parameterReader(parameters).read("before", MOMENT_PLACE) };
}

export const receivedQueryString = (search: ReceivedSearch): string =>
  queryString({ ...search });

export const receivedPath = (scope: Scope, search: ReceivedSearch): string =>
  scopePath(scope, `/settings/webhooks/deliveries/received${receivedQueryString(search)}`);
