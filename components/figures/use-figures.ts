import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useVisibleFailure } from "#components/data-table/use-visible-failure.ts";
import { useScope } from "#components/layout/seller-context.tsx";
import type { Failure } from "#lib/billing/errors.ts";
import { figureQuery, type Figured } from "#lib/figures/queries.ts";
import type { FigureName, FiguresSearch } from "#lib/figures/search.ts";

/** Why the server could not read a figure. */
export type Failures = Record<FigureName, Failure | null>;

export type ReadyFigure<Name extends FigureName> = Extract<Figured<Name>, { state: "ready" }>;

/** What one card shows: it fails and recovers apart from the others. */
export interface Part<Name extends FigureName> {
  name: Name;
  /** Undefined while it is on its way, and while the copy cannot be asked. */
  ready: ReadyFigure<Name> | undefined;
  answer: Figured<Name> | undefined;
  /** In place of data. */
  failure: Failure | null;
  /** What is shown is still the period before. */
  isBusy: boolean;
  /** Undefined while the page itself is on its way. */
  query: UseQueryResult<Figured<Name>> | undefined;
}

export type Parts = { [Name in FigureName]: Part<Name> };

/** All figures of a period, each asked for by itself. */
export function useFigures(search: FiguresSearch, failures: Failures): Parts {
  const scope = useScope();
  const { revenue, subscribers, movement, checkouts, owed, expected, ...more } = failures;
  const { collected, products, retention } = more;
  return {
    revenue: usePart("revenue", useQuery(figureQuery(scope, "revenue", search)), revenue),
    subscribers: usePart(
      "subscribers",
      useQuery(figureQuery(scope, "subscribers", search)),
      subscribers,
    ),
    movement: usePart("movement", useQuery(figureQuery(scope, "movement", search)), movement),
    checkouts: usePart(
      "checkouts",
      useQuery(figureQuery(scope, "checkouts", search)),
      checkouts,
    ),
    owed: usePart("owed", useQuery(figureQuery(scope, "owed", search)), owed),
    expected: usePart("expected", useQuery(figureQuery(scope, "expected", search)), expected),
    collected: usePart(
      "collected",
      useQuery(figureQuery(scope, "collected", search)),
      collected,
    ),
    products: usePart("products", useQuery(figureQuery(scope, "products", search)), products),
    retention: usePart(
      "retention",
      useQuery(figureQuery(scope, "retention", search)),
      retention,
    ),
  };
}

function usePart<Name extends FigureName>(
  name: Name,
  query: UseQueryResult<Figured<Name>>,
  atServer: Failure | null,
): Part<Name> {
  const failure = useVisibleFailure(query, atServer);
  const part = partOf(name, query.data);
  return { ...part, failure, isBusy: query.isPlaceholderData, query };
}

/** Of an answer that is there, or of none yet. */
export function partOf<Name extends FigureName>(
  name: Name,
  answer: Figured<Name> | undefined,
): Part<Name> {
  const ready = answer?.state === "ready" ? (answer as ReadyFigure<Name>) : undefined;
  return { name, answer, ready, failure: null, isBusy: false, query: undefined };
}
