import { scopePath, type Scope } from "#lib/scope.ts";
import { parameterReader, queryString, type Parameters } from "#lib/search-params.ts";

/** Where the clock is to go: by a span, to a local time in the seller's zone, or to a moment. */
export type ClockTarget = { by: Span } | { at: string } | { to: string };

export const SPANS = ["P1D", "P1W", "P1M"] as const;
export type Span = (typeof SPANS)[number];

const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

/** Null for what names no target. */
export function parseClockTarget(parameters: Parameters): ClockTarget | null {
  const { text, read } = parameterReader(parameters);
  const by = SPANS.find((span) => span === text("by"));
  if (by) return { by };
  const [at, to] = [read("at", LOCAL), read("to", MOMENT)];
  if (at !== null) return { at };
  return to !== null && !Number.isNaN(Date.parse(to)) ? { to } : null;
}

/** From 1; what cannot be read is the first. */
export function parseStepPage(parameters: Parameters): number {
  return Number(parameterReader(parameters).read("page", /^[1-9]\d{0,5}$/) ?? 1);
}

/** The subscription whose payment is to be simulated, or null. */
export function parseChosenSubscription(parameters: Parameters): string | null {
  return parameterReader(parameters).read("subscription", /^[\w-]{1,100}$/);
}

export function sandboxPath(
  scope: Scope,
  search: { at?: string; subscription?: string } = {},
): string {
  return scopePath(scope, `/sandbox${queryString(search)}`);
}

/** The id in what somebody pasted: an id, a checkout link, or the address of a subscription's page. */
export function readSubscriptionId(text: string): string | null {
  const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i.exec(text)?.[0];
  return uuid ?? /^[\w-]{1,100}$/.exec(text.trim())?.[0] ?? null;
}
