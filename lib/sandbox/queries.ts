import { queryOptions } from "@tanstack/react-query";
import type { Clock, ScenarioList, StateList, Step } from "#contract/sandbox.ts";
import type { Scope } from "#lib/scope.ts";
import { readRoute } from "#lib/query/fetch-json.ts";
import type { ClockTarget } from "./search.ts";

export interface Sandbox {
  /** The sandbox's clock; null in live mode and for a service without a sandbox. */
  clock: Clock | null;
}

/** The changes that time causes, or caused, until a moment. */
export interface ChangeSummary {
  /** The end of the time span, ISO. */
  to: string;
  /** The number of all steps; `steps` holds the first ones. */
  count: number;
  steps: Step[];
  /** Step counts by reason and event counts by name, in order of appearance. */
  reasons: [reason: string, count: number][];
  events: [event: string, count: number][];
}

/** A completed move; `undo` is the saved state before it, or null. */
export interface CompletedMove extends ChangeSummary {
  undo: number | null;
}

export interface Forecast extends ChangeSummary {
  /** Names by subscription id, as far as known. */
  buyers: Record<string, string>;
  /** The endpoint URLs of each event; null if unknown. */
  receivers: Record<string, string[]> | null;
}

/** A further page of a forecast's steps. */
export type StepPage = Pick<Forecast, "steps" | "buyers">;

/** The saved states; null in live mode and for a service without this feature. */
export type States = StateList | null;

/** The scenarios; null in live mode and for a service without this feature. */
export type Scenarios = ScenarioList["results"] | null;

const sandboxKey = (scope: Scope) => [scope, "sandbox"] as const;

export const sandboxQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...sandboxKey(scope), "clock"] as const,
    queryFn: readRoute<Sandbox>(scope, "/sandbox"),
  });

export const forecastQuery = (scope: Scope, target: ClockTarget) =>
  queryOptions({
    queryKey: [...sandboxKey(scope), "forecast", target] as const,
    queryFn: readRoute<Forecast>(
      scope,
      `/sandbox/forecast?${new URLSearchParams(target).toString()}`,
    ),
    // A forecast starts at the current time, so it is never reused.
    staleTime: 0,
    gcTime: 0,
  });

export const scenariosQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...sandboxKey(scope), "scenarios"] as const,
    queryFn: readRoute<{ scenarios: Scenarios }>(scope, "/sandbox/scenarios"),
  });

/** @param page from 2; the first page is part of the forecast */
export const stepPageQuery = (scope: Scope, to: string, page: number) =>
  queryOptions({
    queryKey: [...sandboxKey(scope), "forecast", to, page] as const,
    queryFn: readRoute<StepPage>(
      scope,
      `/sandbox/forecast/steps?${new URLSearchParams({ to, page: String(page) }).toString()}`,
    ),
    staleTime: 0,
    gcTime: 0,
  });

export const statesQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...sandboxKey(scope), "states"] as const,
    queryFn: readRoute<{ states: States }>(scope, "/sandbox/states"),
  });
