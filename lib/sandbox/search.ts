import { scopePath, type Scope } from "#lib/scope.ts";
import {
  defineSearch,
  textMatching,
  oneOf,
  wholeNumberWithDefault,
  type UrlParameters,
} from "#lib/search-params.ts";

/** The target of a clock move: a span, a local time in the seller's time zone, or a moment. */
export type ClockTarget = { by: ClockSpan } | { at: string } | { to: string };

export const CLOCK_SPANS = ["P1D", "P1W", "P1M"] as const;
type ClockSpan = (typeof CLOCK_SPANS)[number];

const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

const sandboxSearch = defineSearch({
  by: oneOf(CLOCK_SPANS),
  at: textMatching(LOCAL),
  to: textMatching(MOMENT),
  page: wholeNumberWithDefault(999_999, 1),
  subscription: textMatching(/^[\w-]{1,100}$/),
});

/** Reads the target of a clock move from a URL; null if it has none. */
export function parseClockTarget(parameters: UrlParameters): ClockTarget | null {
  const { by, at, to } = sandboxSearch.parse(parameters);
  if (by) return { by };
  if (at !== null) return { at };
  return to !== null && !Number.isNaN(Date.parse(to)) ? { to } : null;
}

/** Reads the page number of a forecast's steps, from 1. */
export const parseStepPage = (parameters: UrlParameters): number =>
  sandboxSearch.parse(parameters).page;

/** The subscription whose payment is to be simulated, or null. */
export const parseChosenSubscription = (parameters: UrlParameters): string | null =>
  sandboxSearch.parse(parameters).subscription;

export const sandboxPath = (
  scope: Scope,
  search: { at?: string; subscription?: string } = {},
): string => scopePath(scope, `/sandbox${sandboxSearch.toQuery(search)}`);

/** The id in a pasted text: an id, a checkout link, or the URL of a subscription's page. */
export function readSubscriptionId(text: string): string | null {
  const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i.exec(text)?.[0];
  return uuid ?? /^[\w-]{1,100}$/.exec(text.trim())?.[0] ?? null;
}
