import { queryOptions } from "@tanstack/react-query";
import type { Clock, ScenarioList, StateList, Step } from "#contract/sandbox.ts";
import { apiPath, type Scope } from "#lib/scope.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import type { ClockTarget } from "./search.ts";

/** Null where the service has no sandbox, or the mode is live. */
export interface Sandbox {
  clock: Clock | null;
}

/** What time does, or did, on the way to a moment. */
export interface ChangeSummary {
  /** ISO */
  to: string;
  /** Of all steps, of which only the first are here. */
  count: number;
  steps: Step[];
  /** How many steps for which reason, and how many events of which kind, in order of appearance. */
  reasons: [reason: string, count: number][];
  events: [event: string, count: number][];
}

/** A move of the clock that was made; `undo` goes back to before it, where the service can. */
export interface CompletedMove extends ChangeSummary {
  undo: number | null;
}

export interface Receiver {
  id: number;
  endpoint_url: string;
}

export interface Forecast extends ChangeSummary {
  /** By subscription id, as far as they are known. */
  buyers: Record<string, string>;
  /** The registrations that each kind of event goes to; null where they are not known. */
  receivers: Record<string, Receiver[]> | null;
}

/** Further steps of the same forecast. */
export type StepPage = Pick<Forecast, "steps" | "buyers">;

/** Null where the service has none. */
export type States = StateList | null;

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

/** @param page from 2: the first comes with the forecast itself */
export const stepPageQuery = (scope: Scope, to: string, page: number) =>
  queryOptions({
    queryKey: [...sandboxKey(scope), "forecast", to, page] as const,
    queryFn: ({ signal }) =>
      fetchJson<StepPage>(
        apiPath(
          scope,
          `/sandbox/forecast/steps?${new URLSearchParams({ to, page: String(page) }).toString()}`,
        ),
        signal,
      ),
    staleTime: 0,
    gcTime: 0,
  });

export const statesQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...sandboxKey(scope), "states"] as const,
    queryFn: ({ signal }) =>
      fetchJson<{ states: States }>(apiPath(scope, "/sandbox/states"), signal),
  });
