import { scopePath, type Scope } from "#lib/scope.ts";
import { parameterReader, queryString, type Parameters } from "#lib/search-params.ts";

/** Each is asked for by itself, so that one that fails leaves the others. */
export const FIGURES = [
  "revenue",
  "subscribers",
  "movement",
  "checkouts",
  "owed",
  "expected",
  "collected",
  "products",
  "retention",
] as const;
export type FigureName = (typeof FIGURES)[number];

/** What narrows the figures; nothing in it says anything of a buyer. */
export interface FiguresSearch {
  /** Days of the seller's zone, both in the period; YYYY-MM-DD. Null for the last 30 days. */
  from: string | null;
  to: string | null;
  /** A name, a part of one, or an id; as the list of subscriptions reads it. */
  product: string | null;
  plan: string | null;
  /** Which of several is shown; every answer has all of them. */
  currency: string | null;
}

const LONGEST_NAME = 200;

/** What cannot be read is left out. */
export function parseFiguresSearch(parameters: Parameters | FormData): FiguresSearch {
  const { text, day } = parameterReader(parameters);
  const name = (key: string) => text(key).slice(0, LONGEST_NAME) || null;
  return {
    from: day("from"),
    to: day("to"),
    product: name("product"),
    plan: name("plan"),
    currency: name("currency"),
  };
}

export const figuresQueryString = (search: Partial<FiguresSearch>): string =>
  queryString({ ...search });

export const figuresPath = (scope: Scope, search: Partial<FiguresSearch>): string =>
  scopePath(scope, `/figures${figuresQueryString(search)}`);

export const readFigureName = (text: string): FigureName | null =>
  FIGURES.find((known) => known === text) ?? null;
