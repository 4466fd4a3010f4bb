import type { Subscription } from "#contract/subscriptions.ts";
import type { SUBSCRIPTION_STATUSES } from "#contract/names.ts";
import type { Failure } from "#lib/failure.ts";
import { isSameDecimal } from "#lib/format/decimal.ts";

export type ComparisonExtent = "all" | "sample";

/** The longest list that is compared completely; a longer one is compared by a sample. */
export const MAX_COMPARED = 10_000;
/** Records that a sample reads one by one. */
export const SAMPLE_SIZE = 100;

/**
 * The statement timeout in milliseconds: counting and grouping a million records takes some
 * seconds.
 */
export const COMPARE_TIMEOUT_MS = 60_000;

export type RecordState =
  | "waiting"
  | "equal"
  /** Only the service has the record. */
  | "missing"
  /** Only the index has the record. */
  | "extra"
  | "different"
  /** Neither the service nor the index has the record any more. */
  | "unknown"
  /** The service refuses to return the record. */
  | "unread"
  /** The record changed each time it was read, or is too new to be indexed. */
  | "moving";

/** The states that show an error of the index. */
export const DIFFERING_STATES = [
  "missing",
  "extra",
  "different",
] as const satisfies RecordState[];

type CountKey =
  | "count"
  | "total"
  | "active"
  | "due"
  | "inactive"
  | "customers"
  | "products"
  | (typeof SUBSCRIPTION_STATUSES)[number];

/** A number of records in the service and in the index. */
export interface CountLine {
  /** Where the service's number comes from: a counter, or the length of a status's list. */
  of: "counter" | "list";
  key: CountKey;
  /** The service's number; null if it gives none. */
  service: number | null;
  index: number;
}

export const isCountDifferent = ({ service, index }: CountLine) =>
  service !== null && service !== index;

/**
 * Explains why the list is longer than `total_subscriptions`: `unexplained` counts rows that are not
 * one-time purchases, negative if there are too few. Null unless the service gives both numbers.
 */
export function explainCount(lines: CountLine[], one_time: number) {
  const numberOf = (key: CountKey) => lines.find((line) => line.key === key)?.service ?? null;
  const [count, total] = [numberOf("count"), numberOf("total")];
  if (count === null || total === null) return null;
  return { count, total, one_time, unexplained: count - total - one_time };
}

/** A field by its path, such as "client.phone"; a missing value is null. */
export interface FieldDifference {
  field: string;
  service: string | null;
  index: string | null;
}

/** The fields in which two versions of a record differ, in the order of the record. */
export function differencesBetween(
  service: Subscription,
  index: Subscription,
): FieldDifference[] {
  const [served, indexed] = [flatten(service), flatten(index)];
  return [...new Set([...served.keys(), ...indexed.keys()])].flatMap((field) => {
    const [one, other] = [served.get(field) ?? null, indexed.get(field) ?? null];
    return isSame(field, one, other) ? [] : [{ field, service: one, index: other }];
  });
}

/** All values of a record by their paths. */
function flatten(value: unknown, path = ""): Map<string, string> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== "object")
    return new Map([[path, typeof value === "string" ? value : JSON.stringify(value)]]);
  return new Map(
    Object.entries(value).flatMap(([name, inner]) => [
      ...flatten(inner, path ? `${path}.${name}` : name),
    ]),
  );
}

const MOMENTS = /(^|\.)(created_at|current_period_\w+|next_billing_cycle)$/;

/** The list and the record may write the same moment or amount differently. */
function isSame(field: string, one: string | null, other: string | null): boolean {
  if (one === other) return true;
  if (one === null || other === null) return false;
  if (MOMENTS.test(field)) return Date.parse(one) === Date.parse(other);
  return field === "product.price" && isSameDecimal(one, other);
}

/** The phase as stored in the table; `walking` compares the pages of the list. */
export type ComparePhase = "counting" | "walking" | "reading";

export interface DifferingRecord {
  subscription_id: string;
  state: Exclude<RecordState, "waiting" | "equal" | "unknown">;
  /** The buyer's name in the index; null where the index lacks the record. */
  buyer: string | null;
  fields: FieldDifference[];
}

/** The counts of both sides; absent until they are taken. */
export interface CompareReport {
  counts?: CountLine[];
  /** One-time purchases in the index. */
  one_time?: number;
  /** The time by which the index was up to date when it was counted, ISO. */
  as_of?: string | null;
}

export interface Comparison {
  id: string;
  reach: ComparisonExtent;
  phase: ComparePhase;
  started_by: string | null;
  /** When the comparison started, ISO. */
  started_at: string;
  ended_at: string | null;
  /** Whether another page runs a step of this comparison. */
  is_busy: boolean;
  /** The number of records compared, and of those that wait to be read. */
  compared: number;
  waiting: number;
  /** Records to compare in all; null if unknown. */
  expected: number | null;
  failure: Failure | null;
  report: CompareReport;
  /** The first records that differ or could not be compared. */
  differences: DifferingRecord[];
  /** The number of all differing records by state. */
  by_state: Partial<Record<DifferingRecord["state"], number>>;
}

export interface Comparisons {
  /** The comparison under way; null if there is none. */
  open: Comparison | null;
  /** The last finished comparison. */
  last: Comparison | null;
}
