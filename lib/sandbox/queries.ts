import { queryOptions } from "@tanstack/react-query";
import type { Clock, ScenarioList, Step } from "#contract/sandbox.ts";
import { apiPath, type Scope } from "#lib/auth/scope.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import type { ClockTarget } from "./search.ts";

/** Null where the service has no sandbox, or the mode is live. */
export interface Sandbox {
  clock: Clock | null;
}

/** What time does, or did, on the way to a moment. */
export interface Passage {
  /** ISO */
  to: string;
  /** Of all steps, of which only the first are here. */
  count: number;
  steps: Step[];
  /** How many steps for which reason, and how many events of which kind, in order of appearance. */
  reasons: [reason: string, count: number][];
  events: [event: string, count: number][];
}

export interface Forecast extends Passage {
  /** By subscription id, as far as they are known. */
  buyers: Record<string, string>;
  /** How many registrations each kind of event goes to; null where that is not known. */
  receivers: Record<string, number> | null;
}

/** Null where the service has none. */
export type Scenarios = ScenarioList["results"] | null;

const sandboxKey = (scope: Scope) => [scope, "sandbox"] as const;

export const sandboxQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...sandboxKey(scope), "clock"] as const,
    queryFn: ({ signal }) => fetchJson<Sandbox>(apiPath(scope, "/sandbox"), signal),
  });

export const forecastQuery = (scope: Scope, target: ClockTarget) =>
  queryOptions({
    queryKey: [...sandboxKey(scope), "forecast", target] as const,
    queryFn: ({ signal }) =>
      fetchJson<Forecast>(
        apiPath(scope, `/sandbox/forecast?${new URLSearchParams(target).toString()}`),
        signal,
      ),
    // Time goes on, and whoever asks again wants to know it as of now.
    staleTime: 0,
    gcTime: 0,
  });

export const scenariosQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...sandboxKey(scope), "scenarios"] as const,
    queryFn: ({ signal }) =>
      fetchJson<{ scenarios: Scenarios }>(apiPath(scope, "/sandbox/scenarios"), signal),
  });
