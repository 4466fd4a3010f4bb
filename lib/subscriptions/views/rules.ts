import { scopePath, type Scope } from "#lib/scope.ts";
import { textReader, type UrlParameters } from "#lib/search-params.ts";
import { readNameLine } from "#lib/text/fold-text.ts";

/** The most private views of a user, and the most shared views of a seller. */
export const MAX_VIEWS = 20;
export const MAX_VIEW_NAME_LENGTH = 60;

export interface ViewSearch {
  /** The query string without the question mark and without the page. */
  query: string;
  /** Search text; kept out of URLs, because URLs are logged. */
  words: string;
}

export interface View extends ViewSearch {
  id: string;
  name: string;
  /** Whether the whole team sees the view; otherwise only one user. */
  is_shared: boolean;
}

export const readViewName = (text: string) => readNameLine(text, MAX_VIEW_NAME_LENGTH);

export const readViewWords = (text: string) => text.replace(/[\p{Cc}\s]+/gu, " ").trim();

/** The URL parameter with the view's id, which replaces its search text. */
const VIEW = "view";
const NOT_ASKED = ["page", "page_size", VIEW];

/** The list that a URL shows, with the typed search text. */
export function viewSearchFrom(parameters: URLSearchParams, words: string): ViewSearch {
  const asked = [...parameters].filter(([name]) => !NOT_ASKED.includes(name));
  return { query: new URLSearchParams(asked).toString(), words };
}

/** The view's id in a URL; null for none. */
export const viewIdFrom = (parameters: UrlParameters) => textReader(parameters)(VIEW) || null;

export function viewPath(scope: Scope, { id, query, words }: View): string {
  const parts = [query, words && `${VIEW}=${id}`].filter(Boolean).join("&");
  return scopePath(scope, `/subscriptions${parts && `?${parts}`}`);
}

function isSameList(one: ViewSearch, other: ViewSearch): boolean {
  const fold = (words: string) => readViewWords(words).toLowerCase();
  return ordered(one.query) === ordered(other.query) && fold(one.words) === fold(other.words);
}

function ordered(query: string): string {
  const parameters = new URLSearchParams(query);
  parameters.sort();
  return parameters.toString();
}

/** The view that equals a list; if there are several, the opened one. */
export function findViewFor(
  views: readonly View[],
  asked: ViewSearch,
  opened: string | null = null,
): View | undefined {
  const equal = views.filter((view) => isSameList(view, asked));
  return equal.find(({ id }) => id === opened) ?? equal[0];
}
