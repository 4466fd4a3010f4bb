import { queryOptions } from "@tanstack/react-query";
import type { DeliveryRow } from "#contract/deliveries.ts";
import type { CorrectionList } from "#contract/customers.ts";
import type { SentMessage } from "#contract/messages.ts";
import type { AuditResult } from "#lib/auth/guards/write-audit.ts";
import type { AuditChange } from "./rules.ts";
import type { Mode, Scope } from "#lib/scope.ts";
import { readRoute } from "#lib/query/fetch-json.ts";

export interface AuditEvent {
  id: string;
  at: string;
  /** The person's name when the entry was written. */
  user_name: string | null;
  action: string;
  result: AuditResult;
  subscription_id: string | null;
  member_name: string | null;
  /** The buyer's current name in the search index; the log itself stores no buyer names. */
  subject?: string | null;
  detail: Record<string, string | number | boolean | null>;
}

/** An entry with the fields that only roles with `audit:read` see. */
export interface FullAuditEvent extends AuditEvent {
  user_id: string;
  /** The current email; null when the account was deleted. */
  user_email: string | null;
  mode: Mode | null;
  address: string | null;
}

/** An entry with its texts in the reader's language. */
export interface AuditRow extends Omit<FullAuditEvent, "detail" | "member_name" | "subject"> {
  what: string;
  /** The object and its first known change; each can be missing. */
  about: string[];
  /** Why the action was not done; null if it was done, or if no reason is known. */
  reason: string | null;
  changes: AuditChange[];
}

/** A change that the search index saw, other than a payment; times are ISO. */
export interface SeenChange {
  id: string;
  at: string;
  old_status: string;
  new_status: string;
  old_next_billing: string | null;
  new_next_billing: string | null;
}

/** An entry as the history of its subscription shows it. */
export type RecordAct = Pick<
  AuditRow,
  "id" | "at" | "user_name" | "action" | "what" | "reason" | "changes"
>;

/** The history of one subscription, newest first in each part. */
export interface RecordHistory {
  acts: RecordAct[];
  changes: SeenChange[];
}

/**
 * The key begins with the subscriptions key, so invalidating a subscription also invalidates its
 * history.
 */
export const historyQuery = (scope: Scope, subscription_id: string) =>
  queryOptions({
    queryKey: [scope, "subscriptions", "history", subscription_id] as const,
    queryFn: readRoute<RecordHistory>(
      scope,
      `/subscriptions/${encodeURIComponent(subscription_id)}/history`,
    ),
  });

/** The newest deliveries about one subscription. */
export const historyDeliveriesQuery = (scope: Scope, subscription_id: string) =>
  queryOptions({
    queryKey: [scope, "subscriptions", "history", subscription_id, "deliveries"] as const,
    queryFn: readRoute<{ deliveries: DeliveryRow[] }>(
      scope,
      `/deliveries?subscription=${encodeURIComponent(subscription_id)}`,
    ),
  });

const NOTHING: CorrectionList = { ordered_at: null, results: [] };

/** What a buyer did with a code: corrected details, or ordered (`changes` is null). */
export const ownActsOf = ({ ordered_at, results }: CorrectionList = NOTHING) => [
  ...results.map(({ id, corrected_at: at, changes }) => ({ id, at, changes })),
  ...(ordered_at === null ? [] : [{ id: "order", at: ordered_at, changes: null }]),
];
/** The details that the buyer corrected at the checkout, and when they ordered the subscription. */
export const historyCorrectionsQuery = (scope: Scope, subscription_id: string) =>
  queryOptions({
    queryKey: [scope, "subscriptions", "history", subscription_id, "corrections"] as const,
    queryFn: readRoute<CorrectionList>(
      scope,
      `/subscriptions/${encodeURIComponent(subscription_id)}/corrections`,
    ),
  });

/** Messages that the service itself sent to the subscription's buyer; collection shows the same. */
export const historyMessagesQuery = (scope: Scope, subscription: string) =>
  queryOptions({
    queryKey: [scope, "messages", "sent", { subscription }] as const,
    queryFn: readRoute<{ messages: SentMessage[] }>(
      scope,
      `/messages/sent?subscription=${encodeURIComponent(subscription)}`,
    ),
  });
