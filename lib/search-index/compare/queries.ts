import { queryOptions } from "@tanstack/react-query";
import { apiPath, type Scope } from "#lib/scope.ts";
import type { Failure } from "#lib/failure.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";
import type { CountLine, FieldDifference, Reach, RecordState } from "./differences.ts";

/** Some of many, named; `count` is how many there are. */
export interface Some<Row> {
  count: number;
  shown: Row[];
}

export type Phase = "repairing" | "counting" | "naming" | "walking" | "reading" | "judging";

export interface DifferingRecord {
  subscription_id: string;
  state: Exclude<RecordState, "waiting" | "equal">;
  /** As the copy names them; null where it has no such record. */
  buyer: string | null;
  fields: FieldDifference[];
}

interface SeenChange {
  subscription_id: string;
  old_status: string | null;
  new_status: string | null;
  /** ISO */
  seen_at: string;
}

interface SaidOf {
  subscription_id: string;
  /** The kind of the event as it was sent; null when it bore none. */
  event: string | null;
  /** ISO */
  received_at: string;
}

export interface EventReport {
  /** ISO; when the first webhook came to this copy's address; null when none ever did. */
  since: string | null;
  /** That are still kept. */
  received: number;
  /** Changes that the copy saw, of which no webhook told. */
  missed: Some<SeenChange>;
  /** Of records that the service does not know. */
  unknown: Some<SaidOf>;
  /** The newest of a record that says another status than the record has. */
  contrary: Some<SaidOf & { said: string; status: string }>;
}

export interface Double {
  phone: string;
  full_name: string;
  product_name: string;
  plan_name: string;
  due_id: string;
  pending_id: string;
}

export interface OddPrice {
  product_id: string;
  product_name: string;
  plan_name: string;
  label: string;
  price: string;
  currency: string;
  /** Null when the period is not listed any more. */
  listed_price: string | null;
  listed_currency: string | null;
  subscriptions: number;
}

export interface Stray {
  subscription_id: string;
  full_name: string;
  phone: string;
}

/** What came out beside the records; a part is absent until it was looked at. */
export interface Report {
  counts?: CountLine[];
  /** One-time purchases in the copy. */
  one_time?: number;
  /** ISO; how old the copy was when it was counted. */
  as_of?: string | null;
  events?: EventReport;
  doubles?: Some<Double>;
  prices?: Some<OddPrice>;
  strays?: Some<Stray>;
  /** Records that were to be put right and now say the same. */
  repaired?: number;
}

export interface Check {
  id: string;
  reach: Reach;
  phase: Phase;
  started_by: string | null;
  /** ISO */
  started_at: string;
  ended_at: string | null;
  is_paused: boolean;
  /** Somebody's page has a step under way. */
  is_busy: boolean;
  /** Records compared, and those that wait to be read. */
  compared: number;
  waiting: number;
  /** Records that there are to compare in all; null while nobody knows. */
  expected: number | null;
  failure: Failure | null;
  report: Report;
  differences: Some<DifferingRecord>;
  by_state: Partial<Record<DifferingRecord["state"], number>>;
}

export interface Reconciliation {
  copy: "off" | "filling" | "ready";
  /** The one that is under way or was stopped; null when there is none. */
  open: Check | null;
  /** The last one that came to its end. */
  last: Check | null;
}

/** What a step asks of the page that takes the next one. */
export type Halt =
  | { kind: "finished" | "paused" }
  | { kind: "wait"; seconds: number; why: "rate_limited" | "held" | "copy" }
  | { kind: "stopped"; failure: Failure };

export interface StepTaken {
  halt: Halt | null;
  view: Reconciliation;
}

export const reconciliationQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [scope, "reconciliation"] as const,
    queryFn: ({ signal }) =>
      fetchJson<Reconciliation>(apiPath(scope, "/reconciliation"), signal),
  });
