import type { Scope } from "#lib/scope.ts";

/**
 * The subscriptions selected in a list, for the page that plans their change. Kept in this tab, as
 * drafts are, so that its URL names none of them.
 */
export interface StoredSelection {
  ids: readonly string[];
  /** Filter, search and order of the list. */
  list: string;
  /** The query string of the list's URL. */
  query: string;
}

export const selectionKey = (person: string, { seller, mode }: Scope) => ({
  person,
  form: `bulk.${seller}.${mode}`,
});
