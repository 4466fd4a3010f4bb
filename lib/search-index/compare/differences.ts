import type { Subscription } from "#contract/subscriptions.ts";
import type { SUBSCRIPTION_STATUSES } from "#contract/subscription-statuses.ts";
import { isDecimal, isLess } from "#lib/format/decimal.ts";

/** Some records, or every one. */
export const REACHES = ["sample", "all"] as const;
export type Reach = (typeof REACHES)[number];

/** Records that a sample reads one by one. */
export const SAMPLE = 100;

/** Milliseconds: a million records are counted and grouped in no less than some seconds. */
export const LONGEST_STATEMENT = 60_000;

export type RecordState =
  | "waiting"
  | "equal"
  /** The copy has none of that id. */
  | "missing"
  /** The service has none of that id. */
  | "extra"
  | "different"
  /** Neither has it: somebody named it. */
  | "unknown"
  /** The service refuses to show it. */
  | "unread"
  /** It changed each time that it was read. */
  | "moving";

/** What is read again to be put right. */
export const WRONG = ["missing", "extra", "different"] as const satisfies RecordState[];

export type CountKey =
  | "count"
  | "total"
  | "active"
  | "due"
  | "inactive"
  | "customers"
  | "products"
  | (typeof SUBSCRIPTION_STATUSES)[number];

/** How many there are. */
export interface CountLine {
  /** A counter beside the list, or a list by itself. */
  of: "counter" | "list";
  key: CountKey;
  /** Null where the service says none. */
  service: number | null;
  copy: number;
}

export const differs = ({ service, copy }: CountLine) => service !== null && service !== copy;

export interface Explanation {
  count: number;
  total: number;
  /** As the copy knows them. */
  one_time: number;
  /** Rows that are neither; negative when there are fewer rows than that. */
  unexplained: number;
}

/** Why the list holds other than `total_subscriptions` rows; null where the service does not say both. */
export function explainCount(lines: CountLine[], one_time: number): Explanation | null {
  const say = (key: CountKey) => lines.find((line) => line.key === key)?.service ?? null;
  const [count, total] = [say("count"), say("total")];
  if (count === null || total === null) return null;
  return { count, total, one_time, unexplained: count - total - one_time };
}

/** A field by its path in the record: "client.phone". A value that is not there is null. */
export interface FieldDifference {
  field: string;
  service: string | null;
  copy: string | null;
}

/** Where two readings of one record say different things, in the order of the record. */
export function differencesBetween(
  service: Subscription,
  copy: Subscription,
): FieldDifference[] {
  const [said, kept] = [flatten(service), flatten(copy)];
  return [...new Set([...said.keys(), ...kept.keys()])].flatMap((field) => {
    const [one, other] = [said.get(field) ?? null, kept.get(field) ?? null];
    return isSame(field, one, other) ? [] : [{ field, service: one, copy: other }];
  });
}

/** Every value that stands in it, by its path. */
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

/** The list and the record may spell one moment or one amount in two ways. */
function isSame(field: string, one: string | null, other: string | null): boolean {
  if (one === other) return true;
  if (one === null || other === null) return false;
  if (MOMENTS.test(field)) return Date.parse(one) === Date.parse(other);
  if (field !== "product.price" || !isDecimal(one) || !isDecimal(other)) return false;
  return !isLess(one, other) && !isLess(other, one);
}
